import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import type { Formats } from "./formats.ts";
import { plainText } from "./plain-text.ts";
import type { Block, Cell, DocumentSection, Plot } from "./report-document.ts";
import { tableBlock } from "./table.ts";
import { providerName } from "./words.ts";

type Sending = NonNullable<IntelReport["sending"]>[number];
type Source = NonNullable<IntelReport["dmarc"]>[number];
type Ratio = Sending["delivered"];

const MOST_ROWS = 100;
const MOST_BARS = 12;

export function sendingSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { sending, left_out: leftOut } = report;
  if (!sending) return null;
  const text = (line: string): Block => ({ kind: "text", text: line });
  const byProvider = sending.filter(({ domain_id: id }) => id === null);
  const byDomain = sending.filter(({ domain_id: id }) => id !== null);
  const isOfSeveral = new Set(byDomain.map(({ domain_id: id }) => id)).size > 1;
  const table = (caption: string, entries: readonly Sending[], hasDomains: boolean, more: number) =>
    tableBlock({
      caption,
      columns: [
        ...(hasDomains ? [{ title: "Domain", width: 36 }] : []),
        { title: "Provider", width: 16 },
        { title: "Sent", width: 11, isNumber: true },
        { title: "Delivered", width: 18, isNumber: true },
        { title: "Bounced", width: 18, isNumber: true },
        { title: "Complaints", width: 18, isNumber: true },
      ],
      rows: entries.map((one) => [
        ...(hasDomains ? [{ text: one.domain ?? "–" }] : []),
        ...sendingCells(one, formats),
      ]),
      most: MOST_ROWS,
      leftOut: more,
      formats,
    });
  return {
    id: "sending",
    title: "Own sending",
    blocks:
      sending.length === 0
        ? [text("This installation sent no mail of these domains in this period.")]
        : [
            text(
              "Mail that this installation sent in this period. The complaint rate refers to mail delivered to providers that report complaints.",
            ),
            { kind: "plot", plot: volumePlot(byProvider, formats) },
            table("Own sending by provider", byProvider, false, isOfSeveral ? 0 : leftOut.sending),
            ...(isOfSeveral
              ? [
                  { kind: "heading" as const, text: "By domain" },
                  table("Own sending by domain and provider", byDomain, true, leftOut.sending),
                ]
              : []),
          ],
  };
}

export function dmarcSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { dmarc, left_out: leftOut } = report;
  if (!dmarc) return null;
  const columns = [
    { title: "Source", width: 27 },
    { title: "Domain", width: 28 },
    { title: "Messages", width: 12, isNumber: true },
    { title: "Pass", width: 17, isNumber: true },
    { title: "By DKIM", width: 11, isNumber: true },
    { title: "By SPF", width: 11, isNumber: true },
    { title: "Quarantine, reject", width: 14, isNumber: true },
  ];
  const rows = dmarc.map((source) => dmarcRow(source, formats));
  const caption = "Sources of mail in the domains’ names, as reported by receivers";
  return {
    id: "dmarc",
    title: "DMARC sources",
    blocks:
      dmarc.length === 0
        ? [{ kind: "text", text: "No DMARC report has arrived for this period." }]
        : [
            {
              kind: "text",
              text: "Sources that sent mail in the domains’ names, as reported by receivers. A source has the name of a service if one of its domains was authenticated. Other sources are address ranges. Passing mail is aligned by DKIM or SPF.",
            },
            tableBlock({ caption, columns, rows, most: MOST_ROWS, leftOut: leftOut.dmarc, formats }),
          ],
  };
}

function sendingCells({ provider, sent, delivered, bounced, complained }: Sending, formats: Formats): Cell[] {
  return [
    { text: provider === null ? "All providers" : providerName(provider) },
    { text: formats.number(sent) },
    ratioCell(delivered, formats),
    ratioCell(bounced, formats),
    ratioCell(complained, formats),
  ];
}

function dmarcRow(source: Source, formats: Formats): Cell[] {
  const { number } = formats;
  const { source: name, known, addresses, domain, messages, passed, dispositions } = source;
  const kind = name === null ? "" : known ? "known service, " : "unknown, ";
  return [
    {
      text: name ?? "All sources",
      note: `${kind}${number(addresses)} ${addresses === 1 ? "address" : "addresses"}`,
    },
    { text: domain ?? "–" },
    { text: number(messages) },
    { ...ratioCell(passed, formats), ...(passed.rate !== null && passed.rate < 0.9 && { tone: "warning" }) },
    { text: shareText(source.dkim_aligned, formats) },
    { text: shareText(source.spf_aligned, formats) },
    { text: `${number(dispositions.quarantine)}, ${number(dispositions.reject)}` },
  ];
}

/** The share, and below it its base. */
function ratioCell(ratio: Ratio, formats: Formats): Cell {
  return {
    text: shareText(ratio, formats),
    note: `${formats.number(ratio.count)} of ${formats.number(ratio.of)}`,
  };
}

function shareText({ rate }: Ratio, { percent }: Formats): string {
  return rate === null ? "–" : percent(rate);
}

function volumePlot(entries: readonly Sending[], { number }: Formats): Plot {
  const bars = entries
    .filter(({ provider }) => provider !== null)
    .slice(0, MOST_BARS)
    .map(({ provider, sent, delivered, bounced }) => ({
      label: plainText(providerName(provider ?? "")),
      delivered: delivered.count,
      bounced: bounced.count,
      other: Math.max(0, sent - delivered.count - bounced.count),
      total: number(sent),
    }));
  return {
    kind: "volume",
    id: "volume",
    alt: "Messages sent by provider: delivered, bounced, and without an outcome yet. The table below has the numbers.",
    bars,
  };
}
