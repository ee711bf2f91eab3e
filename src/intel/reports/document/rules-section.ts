import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import type { Formats } from "./formats.ts";
import type { Block, Cell, DocumentSection } from "./report-document.ts";
import { tableBlock } from "./table.ts";
import { counted, providerName, ruleTones, ruleWords } from "./words.ts";

type Rule = NonNullable<IntelReport["provider_rules"]>[number];

const MOST_RULES = 200;
const MOST_NAMES = 3;

/** The verdicts of one domain. For several domains, the number that meets each rule. */
export function rulesSection(report: IntelReport, formats: Formats): DocumentSection | null {
  const { provider_rules: rules, left_out: leftOut } = report;
  if (!rules) return null;
  const domains = new Set(rules.map(({ domain_id: id }) => id)).size;
  const table = domains > 1 ? byRule(rules, leftOut.provider_rules, formats) : ofOneDomain(rules, formats);
  return {
    id: "provider-rules",
    title: "Provider rules",
    blocks:
      rules.length === 0
        ? [{ kind: "text", text: "No domain of this report sends mail, so no provider rule applies." }]
        : [
            {
              kind: "text",
              text: "Requirements of large mailbox providers for senders. Providers change their rules, so each rule has its source and the date of the last review.",
            },
            table,
          ],
  };
}

function ofOneDomain(rules: readonly Rule[], formats: Formats): Block {
  const columns = [
    { title: "Provider", width: 14 },
    { title: "Requirement", width: 52 },
    { title: "Verdict", width: 12 },
    { title: "Source", width: 28 },
  ];
  const rows = rules.map((rule): Cell[] => [
    { text: providerName(rule.provider) },
    { text: rule.requirement },
    { text: ruleWords[rule.status], tone: ruleTones[rule.status] },
    sourceCell(rule, formats),
  ]);
  return tableBlock({ caption: "Provider rules", columns, rows, most: MOST_RULES, leftOut: 0, formats });
}

function byRule(rules: readonly Rule[], leftOut: number, formats: Formats): Block {
  const { number } = formats;
  const columns = [
    { title: "Provider", width: 13 },
    { title: "Requirement", width: 44 },
    { title: "Met", width: 8, isNumber: true },
    { title: "Not met", width: 10, isNumber: true },
    { title: "Unknown", width: 11, isNumber: true },
    { title: "Source", width: 25 },
  ];
  const keys = [...new Set(rules.map(({ provider, rule }) => `${provider} ${rule}`))];
  const rows = keys.flatMap((key): Cell[][] => {
    const same = rules.filter(({ provider, rule }) => `${provider} ${rule}` === key);
    const [first] = same;
    if (!first) return [];
    const count = (status: Rule["status"]) => same.filter((rule) => rule.status === status).length;
    const unmet = same.filter(({ status }) => status === "not_met").map(({ domain }) => domain);
    const names = unmet.slice(0, MOST_NAMES).join(", ");
    const rest = unmet.length - MOST_NAMES;
    const more = rest > 0 ? ` and ${counted(rest, "other", number(rest))}` : "";
    return [
      [
        { text: providerName(first.provider) },
        { text: first.requirement, ...(unmet.length > 0 && { note: `Not met by ${names}${more}` }) },
        { text: number(count("met")), tone: count("met") > 0 ? "good" : "muted" },
        { text: number(count("not_met")), tone: count("not_met") > 0 ? "critical" : "muted" },
        { text: number(count("unknown")), tone: "muted" },
        sourceCell(first, formats),
      ],
    ];
  });
  const caption = "Provider rules, and how many domains meet them";
  return tableBlock({ caption, columns, rows, most: MOST_RULES, leftOut, formats });
}

function sourceCell({ source, rule_checked_at: day }: Rule, formats: Formats): Cell {
  return { text: new URL(source).hostname, href: source, note: `checked on ${formats.day(day)}` };
}
