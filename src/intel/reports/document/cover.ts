import type { IntelReport } from "../../../../contracts/common/intel-report-schemas.ts";
import { fixCard } from "./fix-cards.ts";
import type { Formats } from "./formats.ts";
import { plainText } from "./plain-text.ts";
import type { Cover, Fact, Figure, Plot } from "./report-document.ts";
import { counted, scoreTone } from "./words.ts";

/** The first page. */
export function coverOf(report: IntelReport, formats: Formats): Cover {
  const { summary, top_fixes: topFixes, findings } = report;
  const trend = trendOf(report, formats);
  return {
    facts: factsOf(report, formats),
    score: {
      value: summary.score === null ? "–" : formats.number(summary.score),
      of: "of 100",
      grade: summary.grade,
      tone: scoreTone(summary.score),
      notes: scoreNotes(report, formats),
    },
    figures: figuresOf(summary, formats),
    trend,
    trendNote: trend ? null : "The period has too few scores for a trend.",
    fixes: topFixes.map((fix) => fixCard(fix, formats)),
    noFixes:
      (findings?.length ?? 0) > 0 ? "No fix is known for any of the findings." : "There is nothing to fix.",
  };
}

const scopeWords = { workspace: "Workspace", client: "Client", domain: "Domain" } as const;

function factsOf(report: IntelReport, formats: Formats): Fact[] {
  const { scope, period, generated_at: at, timezone, branding, summary } = report;
  const many = counted(summary.domains, "domain", formats.number(summary.domains));
  // The end is exclusive.
  const last = new Date(Date.parse(period.to) - 1).toISOString();
  return [
    {
      name: "Scope",
      value: scope.type === "domain" ? scopeWords.domain : `${scopeWords[scope.type]}, ${many}`,
    },
    { name: "Period", value: `${formats.date(period.from)} – ${formats.date(last)} (${timezone})` },
    { name: "Generated", value: formats.time(at) },
    ...(branding.name === null ? [] : [{ name: "Prepared by", value: plainText(branding.name) }]),
  ];
}

function scoreNotes({ summary, period }: IntelReport, formats: Formats): string[] {
  const { score, grade, domains, domains_scored: scored, score_delta: delta, coverage } = summary;
  const notes: string[] = [];
  if (score === null) notes.push("No check has a result yet.");
  else if (domains > 1)
    notes.push(`Mean of ${formats.number(scored)} of ${counted(domains, "domain", formats.number(domains))}`);
  else if (grade === null) notes.push("Provisional: too few checks have a result for a grade");
  if (delta !== null) notes.push(`${formats.signed(delta)} since ${formats.date(period.from)}`);
  if (coverage !== null) notes.push(`${formats.percent(coverage)} of the relevant weight is measured`);
  return notes;
}

function figuresOf(summary: IntelReport["summary"], { number }: Formats): Figure[] {
  const { domains, domains_by_status: by, findings, listings_open: listings } = summary;
  const figure = (name: string, count: number, tone: Figure["tone"]): Figure => ({
    name,
    value: number(count),
    tone: count > 0 ? tone : "muted",
  });
  return [
    figure(domains === 1 ? "Domain" : "Domains", domains, "plain"),
    ...(domains > 1
      ? [
          figure("Domains healthy", by.healthy, "good"),
          figure("Domains with warnings", by.warning, "warning"),
          figure("Domains critical", by.critical, "critical"),
        ]
      : []),
    ...(domains > 1 && by.error > 0 ? [figure("Domains not measurable", by.error, "warning")] : []),
    figure("Critical findings", findings.critical, "critical"),
    figure("Warnings", findings.warning, "warning"),
    figure("Notes", findings.info, "info"),
    figure("Blacklist entries", listings, "critical"),
  ];
}

/** Null: fewer than two scores. */
function trendOf({ history, summary }: IntelReport, formats: Formats): Plot | null {
  const points = history?.[0]?.points ?? [];
  const known = points.filter(({ score }) => score !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (known.length < 2 || !first || !last) return null;
  const models = [...new Set(points.map(({ score_model: model }) => model))];
  const what = summary.domains === 1 ? "Score" : "Mean score";
  const change = models.length > 1 ? ` The score model changes: ${models.join(", then ")}.` : "";
  return {
    kind: "score",
    id: "trend",
    alt: `${what} from ${formats.number(first.score ?? 0)} on ${formats.day(first.date)} to ${formats.number(last.score ?? 0)} on ${formats.day(last.date)}.${change}`,
    points: points.map(({ date, score, score_model: model }) => ({
      label: formats.day(date),
      value: score,
      model,
    })),
  };
}
