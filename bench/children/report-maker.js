/** Makes one report, and writes it as a document, in a process that has done nothing else: `{ domains }` is answered with what it took. */
import { createReportRenderer } from "../../dist/src/intel/reports/render-report.js";
import { residentBytes } from "../lib/process-usage.js";
import { reportInputs } from "../lib/report-inputs.js";
import { serveParent } from "../lib/serve-parent.js";

const TIMEOUT_MS = 300_000;
/** As users run it: the fonts lie there alone. */
const threadEntry = new URL("../../dist/program/render-thread.js", import.meta.url);

serveParent(async ({ domains }) => {
  const renderer = createReportRenderer({ timeoutMs: TIMEOUT_MS, threadEntry });
  const inputs = reportInputs(domains);
  const idleBytes = residentBytes(process.pid)?.now;
  const build = await render(renderer, { kind: "build", inputs });
  const json = build.bytes;
  const html = await render(renderer, { kind: "html", json });
  const pdf = await render(renderer, { kind: "pdf", json, paper: "a4" });
  const peakBytes = residentBytes(process.pid)?.peak;
  // The second document shows the one-time cost of fonts and of the first document.
  const again = await render(renderer, { kind: "pdf", json, paper: "a4" });
  await renderer.close();
  return {
    buildSeconds: build.seconds,
    htmlSeconds: html.seconds,
    pdfSeconds: pdf.seconds,
    pdfAgainSeconds: again.seconds,
    htmlBytes: html.bytes.length,
    pdfBytes: pdf.bytes.length,
    idleBytes,
    peakBytes,
  };
});

/**
 * @param {import("../../dist/src/intel/reports/render-report.js").ReportRenderer} renderer
 * @param {import("../../dist/src/intel/reports/render-thread.js").RenderRequest} request
 */
async function render(renderer, request) {
  const startedMs = performance.now();
  const rendering = await renderer.render(request);
  if (rendering.kind !== "bytes")
    throw new Error(`${request.kind}: ${rendering.kind === "failed" ? rendering.reason : rendering.kind}`);
  return { bytes: rendering.bytes, seconds: (performance.now() - startedMs) / 1_000 };
}
