import { createHash } from "node:crypto";
import { escapeHtml } from "../../../shared/escape-html.ts";
import { brandColors } from "../brand-colors.ts";
import type { Block, Cover, FixCard, Plot, ReportDocument, Table } from "../document/report-document.ts";
import { drawPlot } from "../plots/draw-plot.ts";
import type { PlotTheme } from "../plots/plot-theme.ts";
import { htmlCss } from "./html-css.ts";

const PLOT_WIDTH = 900;
const TREND_WIDTH = 600;

/** The page's own colors, so that plots follow its theme. */
const theme: PlotTheme = {
  fontFamily: "system-ui, sans-serif",
  ink: "var(--ink)",
  muted: "var(--muted)",
  grid: "var(--line)",
  accent: "var(--accent)",
  good: "var(--good)",
  critical: "var(--critical)",
  paper: "var(--paper)",
};

/**
 * Writes a report as one HTML document. It loads nothing and runs nothing, which its content security policy
 * enforces: it contains third-party texts, and a reader may be signed in elsewhere.
 */
export function writeHtml(document: ReportDocument): string {
  const css = htmlCss(brandColors(document.brandColor));
  const hash = createHash("sha256").update(css).digest("base64");
  // The only image of the page is part of it.
  const images = document.logo ? "img-src data:; " : "";
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; ${images}base-uri 'none'; form-action 'none'`;
  const title = `${document.title}: ${document.subject}`;
  const sections = document.sections.map(
    ({ id, title: heading, blocks }) =>
      `<section id="${escapeHtml(id)}"><h2>${escapeHtml(heading)}</h2>${blocks.map(blockHtml).join("")}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
${bandHtml(document)}
<header>${logoHtml(document)}<h1>${escapeHtml(document.title)}</h1><p class="subject" dir="auto">${escapeHtml(document.subject)}</p>${factsHtml(document.cover)}</header>
<main>
${coverHtml(document.cover)}
${sections.join("\n")}
</main>
<footer>${escapeHtml(document.mark)}</footer>
</body>
</html>
`;
}

function bandHtml({ brandName }: ReportDocument): string {
  const name = brandName === null ? "" : `<span dir="auto">${escapeHtml(brandName)}</span>`;
  return `<div class="band"><p>${name === "" ? "<span>Deliverability</span>" : name}</p></div>`;
}

function logoHtml({ logo, brandName }: ReportDocument): string {
  if (!logo) return "";
  const data = Buffer.from(logo.png).toString("base64");
  return `<img class="logo" src="data:image/png;base64,${data}" width="${logo.width}" height="${logo.height}" alt="${escapeHtml(brandName ?? "Logo")}">`;
}

function factsHtml({ facts }: Cover): string {
  const rows = facts.map(
    ({ name, value }) => `<dt>${escapeHtml(name)}</dt><dd dir="auto">${escapeHtml(value)}</dd>`,
  );
  return `<dl class="facts">${rows.join("")}</dl>`;
}

function coverHtml({ score, figures, trend, trendNote, fixes, noFixes }: Cover): string {
  const grade =
    score.grade === null ? "" : `<span class="grade ${score.tone}">${escapeHtml(score.grade)}</span>`;
  const notes = score.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join("");
  const cells = figures.map(
    ({ name, value, tone }) =>
      `<div><dt>${escapeHtml(name)}</dt><dd class="${tone}">${escapeHtml(value)}</dd></div>`,
  );
  const plot = trend ? plotHtml(trend, TREND_WIDTH) : `<p class="note">${escapeHtml(trendNote ?? "")}</p>`;
  return `<div class="overview"><section class="score"><h2>Score</h2><p class="value"><span class="${score.tone}">${escapeHtml(score.value)}</span> <span class="of">${escapeHtml(score.of)}</span>${grade}</p><ul>${notes}</ul></section>
<section class="trend"><h2>Trend</h2>${plot}</section></div>
<dl class="figures">${cells.join("")}</dl>
<section id="top-fixes"><h2>Top fixes</h2>${fixes.length === 0 ? `<p>${escapeHtml(noFixes)}</p>` : fixesHtml(fixes)}</section>`;
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case "text":
      return `<p>${escapeHtml(block.text)}</p>`;
    case "heading":
      return `<h3>${escapeHtml(block.text)}</h3>`;
    case "table":
      return tableHtml(block.table);
    case "plot":
      return plotHtml(block.plot, PLOT_WIDTH);
    case "fixes":
      return fixesHtml(block.fixes);
  }
}

/** The image has an alternative text. Its contents are hidden from screen readers. */
function plotHtml(plot: Plot, width: number): string {
  const label = escapeHtml(plot.alt);
  return `<figure>${drawPlot(plot, theme, width).replace("<svg ", `<svg role="img" aria-label="${label}" `)}</figure>`;
}

function fixesHtml(fixes: readonly FixCard[]): string {
  return `<ol class="fixes">${fixes.map(fixHtml).join("")}</ol>`;
}

function fixHtml({ title, domain, severity, tone, gain, responsible, text, record }: FixCard): string {
  const rows = record
    ? `<dl class="record"><dt>Name</dt><dd>${escapeHtml(record.name)}</dd><dt>Type</dt><dd>${escapeHtml(record.type)}</dd><dt>Value</dt><dd>${escapeHtml(record.value)}</dd></dl>`
    : "";
  return `<li class="${tone}"><div class="body"><h3>${escapeHtml(title)}</h3><p class="meta"><b>${escapeHtml(domain)}</b><span class="${tone}">${escapeHtml(severity)}</span><span>${escapeHtml(gain)}</span><span>${escapeHtml(responsible)}</span></p><p>${escapeHtml(text)}</p>${rows}</div></li>`;
}

/** Explicit roles: small screens display rows as blocks, and browsers then ignore the table semantics. */
function tableHtml({ caption, columns, rows, note }: Table): string {
  const total = columns.reduce((sum, { width }) => sum + width, 0);
  const sizes = columns.map(({ width }) => `<col width="${Math.round((1_000 * width) / total) / 10}%">`);
  const heads = columns.map(
    ({ title, isNumber }) =>
      `<th scope="col" role="columnheader"${isNumber ? ' class="number"' : ""}>${escapeHtml(title)}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map(({ text, note: small, tone, isCode, href }, index) => {
      const { title = "", isNumber } = columns[index] ?? {};
      const classes = [
        ...(isNumber ? ["number"] : []),
        ...(tone && tone !== "plain" && tone !== "muted" ? ["toned"] : []),
      ].join(" ");
      const inner = isCode ? `<code>${escapeHtml(text)}</code>` : escapeHtml(text);
      const link = href !== undefined && /^https?:\/\//.test(href);
      const shown = link ? `<a href="${escapeHtml(href)}" rel="noreferrer noopener">${inner}</a>` : inner;
      const span = `<span${tone ? ` class="${tone}"` : ""}>${shown}</span>`;
      return `<td role="cell"${classes === "" ? "" : ` class="${classes}"`} data-title="${escapeHtml(title)}">${span}${small === undefined ? "" : `<small>${escapeHtml(small)}</small>`}</td>`;
    });
    return `<tr role="row">${cells.join("")}</tr>`;
  });
  return `<table role="table"><caption>${escapeHtml(caption)}</caption><colgroup>${sizes.join("")}</colgroup><thead role="rowgroup"><tr role="row">${heads.join("")}</tr></thead><tbody role="rowgroup">${body.join("")}</tbody></table>${note === null ? "" : `<p class="note">${escapeHtml(note)}</p>`}`;
}
