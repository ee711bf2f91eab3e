import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import { checkCategories } from "../../catalogue.ts";
import { categoryNames } from "../category-names.ts";
import { fixCard } from "./fix-cards.ts";
import type { Formats } from "./formats.ts";
import type { Block, Cell, DocumentSection } from "./report-document.ts";
import { tableBlock } from "./table.ts";
import { counted, severityWords } from "./words.ts";

type Finding = NonNullable<IntelReport["findings"]>[number];
type NotMeasured = NonNullable<IntelReport["not_measured"]>[number];

/** Of each category. */
const MOST_FINDINGS = 150;
const MOST_FIXES = 40;
const MOST_REASONS = 100;
const MOST_NAMES = 4;

export function findingsSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { findings, left_out: leftOut } = report;
  if (!findings) return null;
  const blocks = checkCategories.flatMap((category): Block[] => {
    const all = findings.filter((finding) => finding.category === category);
    if (all.length === 0) return [];
    const columns = [
      { title: "Severity", width: 11 },
      { title: "What ought to be so", width: 34 },
      { title: "What was found", width: 50 },
      { title: "Points", width: 9, isNumber: true },
    ];
    const rows = all.map((finding) => findingRow(finding, formats));
    const caption = `Findings: ${categoryNames[category]}`;
    return [
      { kind: "heading", text: `${categoryNames[category]} (${formats.number(all.length)})` },
      tableBlock({ caption, columns, rows, most: MOST_FINDINGS, leftOut: 0, formats }),
    ];
  });
  const rest = leftOut.findings;
  return {
    id: "findings",
    title: "Findings by category",
    blocks: [
      {
        kind: "text",
        text:
          blocks.length === 0
            ? "There is no finding."
            : "What is worth most stands first; points are what the domain’s score gains by the repair alone.",
      },
      ...blocks,
      ...(rest > 0
        ? [
            {
              kind: "text" as const,
              text: `${counted(rest, "finding", formats.number(rest))} more had no room in this report.`,
            },
          ]
        : []),
    ],
  };
}

export function fixesSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { fixes, left_out: leftOut } = report;
  if (!fixes) return null;
  const rest = Math.max(0, fixes.length - MOST_FIXES);
  const note = [
    ...(rest > 0 ? [`${formats.number(rest)} more in the JSON of this report`] : []),
    ...(leftOut.fixes > 0 ? [`${formats.number(leftOut.fixes)} more that it has no room for`] : []),
  ].join("; ");
  return {
    id: "fixes",
    title: "What to do, in this order",
    blocks:
      fixes.length === 0
        ? [{ kind: "text", text: "There is no repair to carry out." }]
        : [
            { kind: "fixes", fixes: fixes.slice(0, MOST_FIXES).map((fix) => fixCard(fix, formats)) },
            ...(note === "" ? [] : [{ kind: "text" as const, text: `Left out: ${note}.` }]),
          ],
  };
}

/** By check and reason: of many domains the same is not known for the same reason. */
export function notMeasuredSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { not_measured: all, left_out: leftOut } = report;
  if (!all) return null;
  const groups = new Map<string, NotMeasured[]>();
  for (const one of all) {
    const key = JSON.stringify([one.check_id, one.status, one.why]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const columns = [
    { title: "Check", width: 30 },
    { title: "Why it is not known", width: 46 },
    { title: "Domains", width: 28 },
  ];
  const rows = [...groups.values()]
    .sort((one, other) => other.length - one.length)
    .map((group) => notMeasuredRow(group, formats));
  const caption = "What was not measured, and why";
  return {
    id: "not-measured",
    title: "What was not measured, and why",
    blocks:
      rows.length === 0
        ? [{ kind: "text", text: "All that counts was measured." }]
        : [
            {
              kind: "text",
              text: "None of this counts for or against a score. What was tried and told nothing is marked as an error: it is neither good nor bad.",
            },
            tableBlock({
              caption,
              columns,
              rows,
              most: MOST_REASONS,
              leftOut: leftOut.not_measured,
              formats,
            }),
          ],
  };
}

function findingRow(finding: Finding, formats: Formats): Cell[] {
  const { domain, title, severity, observed, since, gain, reference, muted_until: mutedUntil } = finding;
  const muted = mutedUntil === null ? "" : `, muted until ${formats.date(mutedUntil)}`;
  return [
    { text: severityWords[severity], tone: mutedUntil === null ? severity : "muted" },
    { text: title, note: `${domain} · ${reference}` },
    {
      text: observed,
      note: since === null ? `since when is not known${muted}` : `since ${formats.date(since)}${muted}`,
    },
    { text: gain > 0 ? formats.signed(gain) : "–" },
  ];
}

function notMeasuredRow(group: readonly NotMeasured[], { number }: Formats): Cell[] {
  const [first] = group;
  const names = group.slice(0, MOST_NAMES).map(({ domain }) => domain);
  const rest = group.length - names.length;
  return [
    { text: first?.title ?? "", ...(first?.status === "error" && { note: "error" }) },
    { text: first?.why ?? "" },
    {
      text: group.length === 1 ? (names[0] ?? "") : counted(group.length, "domain", number(group.length)),
      ...(group.length > 1 && { note: `${names.join(", ")}${rest > 0 ? ` and ${number(rest)} more` : ""}` }),
    },
  ];
}
