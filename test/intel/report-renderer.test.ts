import { execFileSync } from "node:child_process";
import { serialize } from "node:v8";
import { describe, expect, it } from "vitest";
import { buildReport } from "../../src/intel/reports/build-report.ts";
import { writeDocument } from "../../src/intel/reports/document/write-document.ts";
import { writeHtml } from "../../src/intel/reports/html/write-html.ts";
import { writePdf } from "../../src/intel/reports/pdf/write-pdf.ts";
import { createReportRenderer, type Rendering } from "../../src/intel/reports/render-report.ts";
import { reportInputs } from "../harness/report-inputs.ts";

const bytesOf = (rendering: Rendering): Buffer => {
  if (rendering.kind !== "bytes") throw new Error(JSON.stringify(rendering));
  return Buffer.from(rendering.bytes);
};

/** Returns the JSON to write, except for some special texts. */
const moodyThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ json: bytes }) => {
      const json = Buffer.from(bytes).toString();
      if (json === "hang") for (;;);
      if (json === "exit") process.exit(0);
      if (json === "grow") for (let all; ; ) all = { all };
      if (json === "throw") throw new Error("no mood");
      parentPort.postMessage(
        json === "fail" ? { kind: "failure", reason: "not this one" } : { kind: "bytes", bytes: Buffer.from(json) },
      );
    });
  `)}`,
);
const html = (json: string) => ({ kind: "html", json: Buffer.from(json) }) as const;
const failed = (reason: string) => ({ kind: "failed", reason });
const exceeded = (reason: string) => ({ kind: "over_limit", reason });
const told = (rendering: Rendering) =>
  rendering.kind === "bytes" ? Buffer.from(rendering.bytes).toString() : rendering;

describe("a renderer of reports", () => {
  it("writes the same as writing in place", async () => {
    const renderer = createReportRenderer();
    const inputs = reportInputs({ domains: 3 });
    const json = bytesOf(await renderer.render({ kind: "build", inputs }));
    const report = buildReport(inputs);
    expect(json.toString()).toBe(JSON.stringify(report));
    const document = writeDocument(report);
    expect(bytesOf(await renderer.render({ kind: "html", json })).toString()).toBe(writeHtml(document));
    const pdf = bytesOf(await renderer.render({ kind: "pdf", json, paper: "letter" }));
    expect(pdf.equals(await writePdf(document, "letter"))).toBe(true);
    await renderer.close();
  });

  it("reports a reason for a failure, and continues", async () => {
    const renderer = createReportRenderer();
    const nowhere = JSON.stringify({
      ...buildReport(reportInputs({ domains: 1 })),
      timezone: "Nowhere/City",
    });
    expect(await renderer.render(html(nowhere))).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("Nowhere/City"),
    });
    expect((await renderer.render({ kind: "build", inputs: reportInputs({ domains: 1 }) })).kind).toBe(
      "bytes",
    );
    await renderer.close();
  });

  it("does not block the process while it writes", async () => {
    const renderer = createReportRenderer();
    const json = Buffer.from(JSON.stringify(buildReport(reportInputs({ domains: 40 }))));
    const before = performance.eventLoopUtilization();
    await renderer.render({ kind: "pdf", json, paper: "a4" });
    const { utilization } = performance.eventLoopUtilization(before);
    // Writing in place would use the whole time.
    expect(utilization).toBeLessThan(0.5);
    await renderer.close();
  });

  it("builds and writes 500 domains within 30 seconds of CPU time, and 300 MB beyond its inputs", () => {
    const input = serialize(reportInputs({ domains: 500 }));
    const output = execFileSync(process.execPath, ["test/intel/render-child.js"], {
      input,
      encoding: "utf8",
    });
    const { kinds, seconds, megabytes } = JSON.parse(output);
    expect(kinds).toEqual(["bytes", "bytes"]);
    expect(seconds).toBeLessThan(30);
    expect(megabytes).toBeLessThan(300);
  }, 120_000);
});

describe.concurrent("a renderer with a faulty thread", () => {
  it("replaces one that dies, throws, hangs or grows, and writes all others", async () => {
    const renderer = createReportRenderer({ threadEntry: moodyThread, timeoutMs: 5_000, memoryMb: 32 });
    const texts = ["a", "exit", "b", "throw", "fail", "c", "hang", "d", "grow", "e"];
    expect((await Promise.all(texts.map((json) => renderer.render(html(json))))).map(told)).toEqual([
      "a",
      failed("the thread ended without a result"),
      "b",
      failed("no mood"),
      failed("not this one"),
      "c",
      exceeded("rendering takes longer than 5 seconds"),
      "d",
      exceeded("rendering takes more than 32 MB"),
      "e",
    ]);
    await renderer.close();
  });

  it("limits the number of waiting requests", async () => {
    const renderer = createReportRenderer({ threadEntry: moodyThread, mostWaiting: 2 });
    const renderings = ["a", "b", "c", "d"].map((json) => renderer.render(html(json)));
    expect((await Promise.all(renderings)).map(told)).toEqual(["a", "b", "c", { kind: "busy" }]);
    await renderer.close();
  });

  it("ends running and waiting requests, and accepts no new ones", async () => {
    const renderer = createReportRenderer({ threadEntry: moodyThread });
    const renderings = ["hang", "a"].map((json) => renderer.render(html(json)));
    await renderer.close();
    expect(await Promise.all(renderings)).toEqual([
      failed("the thread ended without a result"),
      failed("the renderer is closed"),
    ]);
    expect(await renderer.render(html("b"))).toEqual(failed("the renderer is closed"));
  });
});
