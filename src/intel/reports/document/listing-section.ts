import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import type { Formats } from "./formats.ts";
import { plainText } from "./plain-text.ts";
import type { Block, Cell, DocumentSection, Plot } from "./report-document.ts";
import { tableBlock } from "./table.ts";
import { counted, listingWords } from "./words.ts";

type Entry = NonNullable<IntelReport["blacklists"]>[number];

const MOST_LISTINGS = 200;
const MOST_UNKNOWN = 50;
const MOST_BARS = 15;
const TICKS = 4;

export function listingsSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { blacklists, left_out: leftOut } = report;
  if (!blacklists) return null;
  const listed = blacklists.filter(({ state }) => state === "listed");
  const unknown = blacklists.filter(({ state }) => state !== "listed" && state !== "clean");
  const clean = blacklists.length - listed.length - unknown.length + leftOut.blacklists;
  const plot = listingsPlot(report, listed, formats);
  const lines = [
    `${counted(listed.length, "open entry", formats.number(listed.length), "open entries")}; ${formats.number(clean)} lookups found no entry, and ${formats.number(unknown.length)} had no result.`,
  ];
  return {
    id: "blacklists",
    title: "Blacklists",
    blocks: [
      ...lines.map((text) => ({ kind: "text" as const, text })),
      ...(plot ? [{ kind: "plot" as const, plot }] : []),
      ...(listed.length > 0 ? [openTable(report, listed, formats)] : []),
      ...(unknown.length > 0 ? unknownBlocks(unknown, formats) : []),
    ],
  };
}

function openTable(report: IntelReport, listed: readonly Entry[], formats: Formats): Block {
  const columns = [
    { title: "Address or name", width: 24 },
    { title: "List", width: 18 },
    { title: "Listed for", width: 14 },
    { title: "Meaning", width: 28 },
    { title: "Removal", width: 26 },
  ];
  const rows = listed.map((entry): Cell[] => {
    const { subject, list, codes, first_seen_at: since } = entry;
    const meanings = [...new Set(codes.map(({ code, meaning }) => `${code}: ${meaning}`))].join("; ");
    return [
      { text: subject, isCode: true, note: domainsOf(entry, formats) },
      {
        text: list.name,
        note:
          list.weight === 0 ? "informational" : counted(list.weight, "point", formats.number(list.weight)),
      },
      {
        text: since === null ? "–" : formats.age(since, report.generated_at),
        ...(since !== null && { note: `since ${formats.date(since)}` }),
        tone: "critical",
      },
      { text: meanings === "" ? "–" : meanings },
      {
        text: entry.delist_url.replace(/^https?:\/\//, ""),
        href: entry.delist_url,
        ...(entry.delist_advice !== null && { note: entry.delist_advice }),
      },
    ];
  });
  return tableBlock({ caption: "Open listings", columns, rows, most: MOST_LISTINGS, leftOut: 0, formats });
}

function unknownBlocks(unknown: readonly Entry[], formats: Formats): Block[] {
  const columns = [
    { title: "Address or name", width: 28 },
    { title: "List", width: 20 },
    { title: "State", width: 20 },
    { title: "Reason", width: 42 },
  ];
  const rows = unknown.map(({ subject, list, state, reason }): Cell[] => [
    { text: subject, isCode: true },
    { text: list.name },
    { text: listingWords[state], tone: "muted" },
    { text: reason ?? "–" },
  ]);
  return [
    { kind: "heading", text: "Lookups without a result" },
    tableBlock({
      caption: "Lookups without a result, which does not mean clean",
      columns,
      rows,
      most: MOST_UNKNOWN,
      leftOut: 0,
      formats,
    }),
  ];
}

function domainsOf({ domains, domains_total: total }: Entry, { number }: Formats): string {
  const [first, second] = domains;
  if (first === undefined) return "not used by a domain in this report";
  if (total === 1) return `used by ${first}`;
  return total === 2 ? `used by ${first} and ${second}` : `used by ${first} and ${number(total - 1)} more`;
}

/** Null: there is nothing to draw. */
function listingsPlot(
  { period, generated_at: now }: IntelReport,
  listed: readonly Entry[],
  formats: Formats,
): Plot | null {
  const [from, to] = [Date.parse(period.from), Math.min(Date.parse(now), Date.parse(period.to))];
  const bars = listed
    .flatMap(({ subject, list, first_seen_at: since }) =>
      since === null || Date.parse(since) >= to
        ? []
        : [{ label: plainText(`${subject} · ${list.name}`), from: Math.max(from, Date.parse(since)), to }],
    )
    .slice(0, MOST_BARS);
  if (bars.length === 0) return null;
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => {
    const at = Math.round(from + ((to - from) * index) / TICKS);
    return { at, label: formats.date(new Date(at).toISOString()) };
  });
  const rest =
    listed.length > bars.length
      ? ` The first ${formats.number(bars.length)} of ${formats.number(listed.length)}.`
      : "";
  return {
    kind: "listings",
    id: "listings",
    alt: `Open listings over the period.${rest}`,
    from,
    to,
    ticks,
    bars,
  };
}
