import { escapeHtml } from "../shared/escape-html.ts";
import { htmlPage } from "./html-page.ts";

/** A report as it is stored, with a link to its PDF above it. */
export function reportPage(report: string, pdfPath: string): string {
  // With classes of the report alone: its own policy refuses other styles.
  const link = `<a href="${escapeHtml(pdfPath)}" rel="noreferrer">Download PDF</a>`;
  return report.replace("<body>", () => `<body><header><p class="note">${link}</p></header>`);
}

export function invalidReportLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>The link has expired or was revoked, or it was not copied completely. Ask the sender of the link for another one.</p>",
  );
}

export function pendingReportPage(): string {
  return htmlPage(
    "The report is being prepared",
    "<p>This can take a minute. Reload the page to see the report.</p>",
  );
}

export function busyReportPage(): string {
  return htmlPage(
    "Please try again later",
    "<p>The report was opened too often within a minute, or it cannot be shown at the moment. Open the link again in a few minutes.</p>",
  );
}
