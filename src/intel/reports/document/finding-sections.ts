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

/** Limit for each category. */
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
      { title: "Expected", width: 34 },
      { title: "Found", width: 50 },
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
            ? "There are no findings."
            : "The most valuable fixes come first. Points are the gain of the domain’s score by this fix alone.",
      },
      ...blocks,
      ...(rest > 0
        ? [
            {
              kind: "text" as const,
              text: `${counted(rest, "finding", formats.number(rest))} more exceeded the size limit of this report.`,
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
    ...(leftOut.fixes > 0 ? [`${formats.number(leftOut.fixes)} more beyond the size limit`] : []),
  ].join("; ");
  return {
    id: "fixes",
    title: "Fixes, in order of priority",
    blocks:
      fixes.length === 0
        ? [{ kind: "text", text: "There are no fixes to apply." }]
        : [
            { kind: "fixes", fixes: fixes.slice(0, MOST_FIXES).map((fix) => fixCard(fix, formats)) },
            ...(note === "" ? [] : [{ kind: "text" as const, text: `Left out: ${note}.` }]),
          ],
  };
}

/** Groups by check and reason: many domains lack a result for the same reason. */
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
    { title: "Reason", width: 46 },
    { title: "Domains", width: 28 },
  ];
  const rows = [...groups.values()]
    .sort((one, other) => other.length - one.length)
    .map((group) => notMeasuredRow(group, formats));
  const caption = "Checks without a result";
  return {
    id: "not-measured",
    title: "Checks without a result",
    blocks:
      rows.length === 0
        ? [{ kind: "text", text: "Every relevant check has a result." }]
        : [
            {
              kind: "text",
              text: "These checks count neither for nor against a score. A check that was tried without a result is marked as an error, which is neither good nor bad.",
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
      note: since === null ? `start unknown${muted}` : `since ${formats.date(since)}${muted}`,
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
