import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import type { Formats } from "./formats.ts";
import type { Cell, DocumentSection } from "./report-document.ts";
import { tableBlock } from "./table.ts";
import { changeWords, scoreTone, statusTones, statusWords } from "./words.ts";

type DomainEntry = NonNullable<IntelReport["domains"]>[number];
type Change = NonNullable<IntelReport["changes"]>[number];

const MOST_CHANGES = 100;
const MOST_DOMAINS = 1_000;

export function changesSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { changes, left_out: leftOut } = report;
  if (!changes) return null;
  const tones = {
    score: "plain",
    status: "plain",
    finding_opened: "warning",
    finding_resolved: "good",
    listed: "critical",
    delisted: "good",
  } as const satisfies Record<Change["kind"], Cell["tone"]>;
  const rows = changes.map(({ at, domain, kind, text }) => [
    { text: formats.time(at) },
    { text: changeWords[kind], tone: tones[kind] },
    { text: domain ?? "–" },
    { text },
  ]);
  const columns = [
    { title: "When", width: 22 },
    { title: "What", width: 13 },
    { title: "Domain", width: 28 },
    { title: "Change", width: 45 },
  ];
  const caption = "Changes within the period, the latest first";
  return {
    id: "changes",
    title: "Changes in this period",
    blocks:
      rows.length === 0
        ? [{ kind: "text", text: "There are no changes in this period." }]
        : [tableBlock({ caption, columns, rows, most: MOST_CHANGES, leftOut: leftOut.changes, formats })],
  };
}

export function domainsSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { domains, left_out: leftOut } = report;
  if (!domains) return null;
  const isOfClients = report.scope.type === "workspace";
  const columns = [
    { title: "Domain", width: 34 },
    { title: "Status", width: 14 },
    { title: "Score", width: 8, isNumber: true },
    { title: "Grade", width: 8, isNumber: true },
    { title: "Change", width: 9, isNumber: true },
    { title: "Measured", width: 11, isNumber: true },
    { title: "Critical", width: 10, isNumber: true },
    { title: "Warnings", width: 11, isNumber: true },
    { title: "Notes", width: 8, isNumber: true },
  ];
  const rows = domains.map((domain) => domainRow(domain, isOfClients, formats));
  const caption = "Domains by score, the lowest first";
  const capped = domains.filter(({ caps }) => caps.length > 0);
  const capRows = capped.map(({ name, caps: [cap] }) => [
    { text: name },
    { text: formats.number(cap?.limit ?? 0) },
    { text: cap?.reason ?? "" },
  ]);
  const capColumns = [
    { title: "Domain", width: 30 },
    { title: "Limit", width: 10, isNumber: true },
    { title: "Reason", width: 60 },
  ];
  return {
    id: "domains",
    title: "Domains by score",
    blocks: [
      tableBlock({ caption, columns, rows, most: MOST_DOMAINS, leftOut: leftOut.domains, formats }),
      ...(capRows.length === 0
        ? []
        : [
            { kind: "heading" as const, text: "Scores limited by a severe problem" },
            tableBlock({
              caption: "The lowest cap of each domain",
              columns: capColumns,
              rows: capRows,
              most: MOST_CHANGES,
              leftOut: 0,
              formats,
            }),
          ]),
    ],
  };
}

function domainRow(domain: DomainEntry, isOfClients: boolean, { number, percent, signed }: Formats): Cell[] {
  const { name, client, role, status, score, grade, coverage, score_delta: delta, findings } = domain;
  const count = (value: number, tone: NonNullable<Cell["tone"]>): Cell => ({
    text: number(value),
    tone: value > 0 ? tone : "muted",
  });
  return [
    { text: name, note: isOfClients && client ? `${client.name}, ${role}` : role },
    { text: statusWords[status], tone: statusTones[status] },
    { text: score === null ? "–" : number(score), tone: scoreTone(score) },
    { text: grade ?? "–" },
    { text: delta === null ? "–" : signed(delta) },
    { text: percent(coverage) },
    count(findings.critical, "critical"),
    count(findings.warning, "warning"),
    count(findings.info, "info"),
  ];
}
