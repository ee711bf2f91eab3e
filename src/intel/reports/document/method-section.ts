import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import type { Formats } from "./formats.ts";
import type { Cell, DocumentSection } from "./report-document.ts";
import { tableBlock } from "./table.ts";

const MOST_LISTS = 100;

export function methodSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { method } = report;
  if (!method) return null;
  const { number } = formats;
  const columns = [
    { title: "List", width: 30 },
    { title: "Points", width: 9, isNumber: true },
    { title: "Subjects", width: 13, isNumber: true },
    { title: "Listed", width: 9, isNumber: true },
    { title: "Clean", width: 9, isNumber: true },
    { title: "Unknown", width: 11, isNumber: true },
  ];
  const rows = method.lists.map((list): Cell[] => [
    { text: list.name, ...(list.not_configured !== null && { note: `not queried: ${list.not_configured}` }) },
    { text: list.weight === 0 ? "informs" : number(list.weight) },
    ...[list.subjects, list.listed, list.clean, list.unknown].map((value) => ({
      text: list.not_configured === null ? number(value) : "–",
    })),
  ]);
  return {
    id: "method",
    title: "Method",
    blocks: [
      { kind: "text", text: `Score model ${method.score_model}.` },
      ...method.weights.map((text) => ({ kind: "text" as const, text })),
      { kind: "text", text: measuredText(report, method, formats) },
      {
        kind: "text",
        text: `Time zone: ${report.timezone}. Report ${report.id}, schema ${report.schema_version}; SHA-256 of its inputs: ${report.inputs_hash}`,
      },
      { kind: "heading", text: "Queried blacklists" },
      tableBlock({
        caption: "Queried blacklists",
        columns,
        rows,
        most: MOST_LISTS,
        leftOut: 0,
        formats,
      }),
    ],
  };
}

function measuredText(
  { branding }: IntelReport,
  method: NonNullable<IntelReport["method"]>,
  formats: Formats,
): string {
  const {
    resolver,
    checked_from: from,
    checked_to: to,
    rules_checked_at: rules,
    lists_version: lists,
  } = method;
  const times =
    from === null || to === null
      ? "No domain was checked yet."
      : `The last checks of the domains were between ${formats.time(from)} and ${formats.time(to)}.`;
  const read = rules === null ? "" : ` The providers’ rules were reviewed on ${formats.day(rules)}.`;
  // A branded report does not name the resolver. Its JSON does.
  const asked = branding.name === null ? `DNS queries used ${resolver}. ` : "";
  return `${asked}${times} The blacklist table has version ${lists}.${read}`;
}
