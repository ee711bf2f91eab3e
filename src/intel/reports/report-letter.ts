import type { IntelReport } from "../../../contracts/common/intel-report-schemas.ts";
import { escapeHtml } from "../../shared/escape-html.ts";
import { createFormats, type Formats } from "./document/formats.ts";
import { plainText } from "./document/plain-text.ts";
import { counted } from "./document/words.ts";
import { createDayOf } from "./report-days.ts";

/** Contents of a mail with a report. */
export interface ReportLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** File name of the attached document. */
  readonly fileName: string;
}

interface LetterOptions {
  /** Name of the schedule. */
  readonly name: string;
  readonly format: "pdf" | "html";
}

/** A heading with its lines. */
interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

const MOST_CHANGES = 5;
const MOST_FILE_NAME = 60;

/** Summarizes a report in the words of its documents. */
export function reportLetter(report: IntelReport, { name, format }: LetterOptions): ReportLetter {
  const formats = createFormats(report.locale, report.timezone);
  const { period, scope, timezone } = report;
  // The end is exclusive.
  const last = new Date(Date.parse(period.to) - 1).toISOString();
  const days = `${formats.date(period.from)} – ${formats.date(last)}`;
  const about = `${plainText(scope.name)}, ${days} (${timezone})`;
  const fileName = fileNameOf(report, format);
  const sections = [standing(report, formats), repairs(report, formats), changes(report, formats)].filter(
    ({ lines }) => lines.length > 0,
  );
  const closing = `The complete report is attached: ${fileName}`;
  return {
    subject: `${plainText(name)}: ${days}`,
    text: textOf(about, sections, closing),
    html: htmlOf(about, sections, closing),
    fileName,
  };
}

function standing({ summary, period }: IntelReport, { number, signed, date }: Formats): Section {
  const { score, grade, score_delta: delta, domains, domains_scored: scored, findings } = summary;
  const since = delta === null ? "" : `, ${signed(delta)} since ${date(period.from)}`;
  const of = domains > 1 ? `, the mean of ${number(scored)} of ${number(domains)} domains` : "";
  const graded = grade === null ? "" : `, grade ${grade}`;
  const counts = [
    `${number(findings.critical)} critical`,
    counted(findings.warning, "warning", number(findings.warning)),
    counted(findings.info, "note", number(findings.info)),
  ];
  return {
    heading: "Summary",
    lines: [
      score === null
        ? "Score: no check has a result yet"
        : `Score: ${number(score)} of 100${graded}${of}${since}`,
      `Findings: ${counts.join(", ")}`,
      `Blacklist entries: ${number(summary.listings_open)}`,
    ],
  };
}

function repairs({ top_fixes: fixes }: IntelReport, { signed }: Formats): Section {
  return {
    heading: "Top fixes",
    lines: fixes.map(({ title, domain, gain }) => {
      const worth = gain > 0 ? ` (${signed(gain)} ${gain === 1 ? "point" : "points"})` : "";
      // A title describes the expected state.
      return `${plainText(domain)}, goal: ${plainText(title)}${worth}`;
    }),
  };
}

function changes({ changes: all, left_out: leftOut }: IntelReport, { date, number }: Formats): Section {
  const shown = (all ?? []).slice(0, MOST_CHANGES);
  const more = (all?.length ?? 0) - shown.length + leftOut.changes;
  return {
    heading: "Changes",
    lines: [
      ...shown.map(({ at, domain, text }) => {
        const of = domain === null ? "" : `${plainText(domain)}: `;
        return `${date(at)}: ${of}${plainText(text)}`;
      }),
      ...(more > 0 ? [`and ${counted(more, "other change", number(more))}`] : []),
    ],
  };
}

function textOf(about: string, sections: readonly Section[], closing: string): string {
  const blocks = sections.map(({ heading, lines }) =>
    [heading, ...lines.map((line) => `- ${line}`)].join("\n"),
  );
  return `${[about, ...blocks, closing].join("\n\n")}\n`;
}

function htmlOf(about: string, sections: readonly Section[], closing: string): string {
  const blocks = sections.map(({ heading, lines }) => {
    const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("\n");
    return `<h2 style="font-size:16px;margin:1.5em 0 0">${heading}</h2>\n<ul>\n${items}\n</ul>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(about)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1f2933;max-width:40em;margin:2em auto">
<p>${escapeHtml(about)}</p>
${blocks.join("\n")}
<p>${escapeHtml(closing)}</p>
</body></html>
`;
}

/** Such as `deliverability-nordwind-ag-2026-11-16-2026-11-22.pdf`, with letters that every system supports. */
function fileNameOf({ scope, period, timezone }: IntelReport, format: LetterOptions["format"]): string {
  const day = createDayOf(timezone);
  const days = [Date.parse(period.from), Date.parse(period.to) - 1].map((at) => day(new Date(at)));
  const name = scope.name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9.]+/g, "-")
    .slice(0, MOST_FILE_NAME)
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${["deliverability", name || scope.type, ...days].join("-")}.${format}`;
}
