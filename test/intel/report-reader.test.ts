import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { digestReports } from "../../src/intel/aggregate-reports/digest-reports.ts";
import { readReports } from "../../src/intel/aggregate-reports/read-reports.ts";
import { createReportReader } from "../../src/intel/aggregate-reports/report-reader.ts";
import { dmarcReport, dmarcRow, providers, writeDmarc } from "../harness/dmarc-reports.ts";
import { zipOf } from "../harness/zip-archive.ts";

const large = (rows: number) =>
  dmarcReport({
    rows: Array.from({ length: rows }, (_, at) =>
      dmarcRow({ sourceIp: `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`, count: at }),
    ),
  });

/** Returns the text to read, except for some special texts. */
const moodyThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    let left = [];
    parentPort.on("message", ({ kind, bytes }) => {
      if (kind === "read") left = Buffer.from(bytes).toString().split(" ");
      const text = left.shift();
      if (text === "hang") for (;;);
      if (text === "exit") process.exit(0);
      if (text === "grow") for (let all; ; ) all = { all };
      if (text === "throw") throw new Error("no mood");
      parentPort.postMessage(text === undefined ? { kind: "end" } : { kind: "reading", reading: { kind: "unreadable", reason: text } });
    });
  `)}`,
);
const textOf = (reasons: string) => Buffer.from(reasons);
const reasons = (...list: readonly string[]) => list.map((reason) => ({ kind: "unreadable", reason }));

describe("a reader of reports", () => {
  it("returns the same as reading in place", async () => {
    const reader = createReportReader();
    const inputs = [
      ...Object.values(providers).map(({ report, style, pack }) => pack(writeDmarc(report, style))),
      zipOf([
        { name: "a", contents: Buffer.from(writeDmarc(dmarcReport())) },
        { name: "b", contents: Buffer.from("no report") },
        {
          name: "c",
          contents: Buffer.from(
            `{"policies":[],"date-range":{"start-datetime":"2026-03-01","end-datetime":"2026-03-01"}}`,
          ),
        },
      ]),
      Buffer.alloc(0),
    ];
    const found = await Promise.all(inputs.map((bytes) => reader.read(bytes, "file")));
    expect(found).toEqual(inputs.map((bytes) => [...digestReports(readReports(bytes))]));
  });

  it("does not transfer the caller's bytes", async () => {
    const bytes = Buffer.from(writeDmarc(dmarcReport()));
    const copy = Buffer.from(bytes);
    await createReportReader().read(bytes, "file");
    expect(bytes.equals(copy)).toBe(true);
  });

  it("also runs compiled", async () => {
    const compiled = new URL("../../dist/src/intel/aggregate-reports/report-reader.js", import.meta.url);
    const { createReportReader: create } = (await import(compiled.href)) as {
      createReportReader: typeof createReportReader;
    };
    const bytes = Buffer.from(writeDmarc(dmarcReport()));
    expect(await create().read(bytes, "file")).toEqual([...digestReports(readReports(bytes))]);
  });

  it("does not block the process while it reads 50,000 rows, and counts all of them", async () => {
    const report = large(50_000);
    const bytes = gzipSync(writeDmarc(report));
    const before = performance.eventLoopUtilization();
    const [digest] = await createReportReader().read(bytes, "file");
    const { utilization } = performance.eventLoopUtilization(before);
    const count = (50_000 * 49_999) / 2;
    if (digest?.kind !== "dmarc") throw new Error("it is no report of DMARC");
    expect(digest.head).toMatchObject({ orgName: "receiver.example", count, leftOut: 0 });
    expect(digest.rollups.length).toBe(2_001);
    expect(digest.rollups.reduce((sum, { messages }) => sum + messages, 0)).toBe(count);
    expect(digest.rollups.at(-1)).toMatchObject({ sourceIp: "other", day: "2026-03-01" });
    // Reading in place would use the whole time.
    expect(utilization).toBeLessThan(0.5);
  });

  it("accepts at most the maximum of waiting bytes, and continues when they are read", async () => {
    const reader = createReportReader();
    const large = Buffer.alloc(25 * 1024 * 1024);
    const reads = Array.from({ length: 5 }, () => reader.read(large, "file"));
    await expect(reader.read(large, "file")).rejects.toMatchObject({ code: "service.busy" });
    expect((await Promise.all(reads)).flat().map(({ kind }) => kind)).toEqual(Array(5).fill("unreadable"));
    expect(await reader.read(Buffer.from(writeDmarc(dmarcReport())), "file")).toHaveLength(1);
  });

  it("ends a reading that takes too long", async () => {
    const reader = createReportReader({ timeoutMs: 50 });
    const found = await reader.read(gzipSync(writeDmarc(large(50_000))), "file");
    expect(found).toEqual(reasons("reading it takes longer than 0.05 seconds"));
  });
});

describe.concurrent("a reader with a faulty thread", () => {
  it("replaces one that dies, throws, hangs or grows, keeps earlier readings, and reads all others", async () => {
    const reader = createReportReader({ threadEntry: moodyThread, timeoutMs: 5_000, memoryMb: 32 });
    const inputs = ["a", "exit", "b b", "c throw", "d", "e hang f", "g", "grow", "h"];
    expect(await Promise.all(inputs.map((text) => reader.read(textOf(text), "file")))).toEqual([
      reasons("a"),
      reasons("reading it ended without a result"),
      reasons("b", "b"),
      reasons("c", "reading it failed: no mood"),
      reasons("d"),
      reasons("e", "reading it takes longer than 5 seconds"),
      reasons("g"),
      reasons("reading it takes more than 32 MB"),
      reasons("h"),
    ]);
  });

  it("continues in another thread while one hangs", async () => {
    const reader = createReportReader({ threadEntry: moodyThread, threads: 2, timeoutMs: 5_000 });
    const order: string[] = [];
    const read = async (text: string) => {
      await reader.read(textOf(text), "file");
      order.push(text);
    };
    await Promise.all(["hang", "a", "b", "c"].map(read));
    expect(order).toEqual(["a", "b", "c", "hang"]);
  });
});
