import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readReports } from "../../src/intel/aggregate-reports/read-reports.ts";
import { rollUp } from "../../src/intel/aggregate-reports/roll-up.ts";
import { askPython } from "../harness/ask-python.ts";
import { bare, dmarcReport, dmarcRow, gzip, providers, writeDmarc, zip } from "../harness/dmarc-reports.ts";
import { tool } from "../harness/tools.ts";
import { zipOf } from "../harness/zip-archive.ts";

const parsedmarc = tool("parsedmarc");
const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 200);

/** Prints the counts of parsedmarc for each file: by source, disposition and alignment. */
const PROGRAM = `
import json, logging, sys
logging.disable(logging.CRITICAL)
import parsedmarc

def count(file):
    content = open(file, "rb").read()
    try:
        # Not parse_report_file: of what is packed, it reads ASCII only (11.1.0).
        report = parsedmarc.parse_aggregate_report_file(content, offline=True, always_use_local_files=True)
    except parsedmarc.InvalidAggregateReport:
        try:
            report = parsedmarc.parse_smtp_tls_report_json(parsedmarc.extract_report(content))
        except parsedmarc.ParserError:
            return "unreadable"
        return [[policy["policy_domain"], policy["policy_type"], policy["successful_session_count"],
                 policy["failed_session_count"],
                 sum(one["failed_session_count"] for one in policy.get("failure_details", []))]
                for policy in report["policies"]]
    sources = {}
    for record in report["records"]:
        aligned = record["alignment"]
        part = "both" if aligned["dkim"] and aligned["spf"] else "dkim" if aligned["dkim"] else "spf" if aligned["spf"] else "none"
        done = record["policy_evaluated"]["disposition"]
        counts = sources.setdefault(record["source"]["ip_address"], {})
        for key in ("messages", "done " + ("none" if done == "pass" else str(done)), "aligned " + part):
            counts[key] = counts.get(key, 0) + record["count"]
    return sources

print(json.dumps([count(file) for file in json.load(sys.stdin)]))
`;

type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;
type Summary = Counts | readonly unknown[] | "unreadable";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hermod-reports-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function theirs(inputs: readonly Buffer[]): Promise<Summary[]> {
  const files = inputs.map((_, index) => path.join(folder, `${index}.bin`));
  await Promise.all(inputs.map((bytes, index) => writeFile(files[index] ?? "", bytes)));
  const counted = await askPython<Summary[]>("/opt/parsedmarc/bin/python", PROGRAM, files);
  return counted.map(withoutNothing);
}

function ours(bytes: Buffer): Summary {
  const [reading] = readReports(bytes);
  if (reading?.kind === "tls") {
    return reading.report.policies.map(({ domain, type, success, failure, failures }) => [
      domain,
      type,
      success,
      failure,
      failures.reduce((sum, { count }) => sum + count, 0),
    ]);
  }
  if (reading?.kind !== "dmarc") return "unreadable";
  const sources: Record<string, Record<string, number>> = {};
  for (const { sourceIp, messages, dispositions, alignment } of rollUp([reading.report])) {
    sources[sourceIp] ??= {};
    const counts = sources[sourceIp];
    const all = [
      ["messages", messages] as const,
      ...Object.entries(dispositions).map(([name, count]) => [`done ${name}`, count] as const),
      ...Object.entries(alignment).map(([name, count]) => [`aligned ${name}`, count] as const),
    ];
    for (const [name, count] of all) counts[name] = (counts[name] ?? 0) + count;
  }
  return withoutNothing(sources);
}

/** Counts of zero are omitted. */
function withoutNothing(summary: Summary): Summary {
  if (summary === "unreadable" || Array.isArray(summary)) return summary;
  const sources = Object.entries(summary as Counts).map(([source, counts]) => [
    source,
    Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
  ]);
  return Object.fromEntries(sources.filter(([, counts]) => Object.keys(counts ?? {}).length > 0));
}

async function expectSame(inputs: readonly Buffer[]): Promise<void> {
  expect(inputs.map(ours)).toEqual(await theirs(inputs));
}

const row = fc
  .record({
    sourceIp: fc.oneof(
      fc.integer({ min: 1, max: 9 }).map((part) => `192.0.2.${part}`),
      fc.integer({ min: 1, max: 9 }).map((part) => `2001:db8::${part}`),
    ),
    count: fc.nat({ max: 1_000_000 }),
    disposition: fc.constantFrom("none", "quarantine", "reject", "pass"),
    dkimAligned: fc.boolean(),
    spfAligned: fc.boolean(),
  })
  .map(dmarcRow);
const report = fc
  .record({
    from: fc.nat({ max: 2_000_000_000 }),
    span: fc.nat({ max: 9 * 86_400 }),
    rows: fc.array(row, { minLength: 1, maxLength: 12 }),
    pack: fc.constantFrom(bare, gzip, zip),
  })
  .map(({ from, span, rows, pack }) =>
    pack(
      writeDmarc(dmarcReport({ begin: new Date(from * 1_000), end: new Date((from + span) * 1_000), rows })),
    ),
  );

describe.skipIf(parsedmarc.missing)(`parsedmarc counts the same${parsedmarc.note}`, () => {
  it("for reports of the large receivers", async () => {
    const reports = Object.values(providers).filter(({ style }) => style.prefix === "");
    await expectSame([
      ...reports.map(({ report: one, style, pack }) => pack(writeDmarc(one, style))),
      ...reports.map(({ report: one, style }) => zip(writeDmarc(one, style))),
    ]);
  });

  it("for any contents", async () => {
    await expectSame(fc.sample(report, { numRuns: RUNS, seed: 7 }));
  });

  it("for deviations from the RFCs", async () => {
    const xml = writeDmarc(
      dmarcReport({ rows: [dmarcRow({ count: 3 }), dmarcRow({ count: 4, sourceIp: "192.0.2.2" })] }),
    );
    const changes: readonly (readonly [string | RegExp, string])[] = [
      [/<identifiers>/, "<!-- x --><identifiers>"],
      [/identifiers>/g, "identities>"],
      [/<auth_results>[\s\S]*?<\/auth_results>/, "<auth_results/>"],
      ["<disposition>none", "<disposition>Reject"],
      ["<disposition>none</disposition>", ""],
      ["<count>3", "<count> 3 "],
      ["<count>3", "<count>three"],
      ["<source_ip>192.0.2.1", "<source_ip>"],
      ["<spf>pass", "<spf>neutral"],
      [/<policy_evaluated>[\s\S]*?<\/policy_evaluated>/, ""],
      ["receiver.example<", "AT&amp;T<"],
      ["receiver.example<", "AT&T<"],
      ["<begin>1772323200", "<begin>1772323200.25"],
      ["<domain>example.com</domain>", ""],
      [/<policy_published>[\s\S]*?<\/policy_published>/, ""],
      [/<date_range>[\s\S]*?<\/date_range>/, ""],
      ["<feedback>", "<feedback xmlns='urn:x'>"],
      ["<feedback>", "<!DOCTYPE feedback><feedback>"],
      ["feedback>", "feed>"],
    ];
    await expectSame([
      ...changes.map(([from, to]) => Buffer.from(xml.replace(from, to))),
      Buffer.concat([gzipSync(xml), Buffer.alloc(40)]),
      gzipSync(xml).subarray(0, -9),
      Buffer.from("no report"),
      Buffer.alloc(0),
    ]);
  });

  it("for TLS reports", async () => {
    const policy = (type: string, failures: readonly number[]) => ({
      policy: { "policy-type": type, "policy-domain": "example.com", "policy-string": ["version: STSv1"] },
      summary: { "total-successful-session-count": 7, "total-failure-session-count": 5 },
      "failure-details": failures.map((count) => ({
        "result-type": "validation-failure",
        "failed-session-count": count,
      })),
    });
    const tls = (policies: readonly object[]) =>
      Buffer.from(
        JSON.stringify({
          "organization-name": "receiver.example",
          "date-range": { "start-datetime": "2026-03-01T00:00:00Z", "end-datetime": "2026-03-01T23:59:59Z" },
          "contact-info": "tls@receiver.example",
          "report-id": "1",
          policies,
        }),
      );
    const inputs = [
      tls([]),
      tls([policy("sts", [1, 4]), policy("tlsa", [])]),
      tls([policy("no-policy-found", [])]),
    ];
    await expectSame([...inputs, ...inputs.map((bytes) => gzipSync(bytes))]);
  });

  /** Hermod's counts are on the left. */
  it("except for reports that it does not read, reads partly, or guesses", async () => {
    const one = dmarcReport({
      rows: [dmarcRow({ count: 3 }), dmarcRow({ count: 4, sourceIp: "192.0.2.2" })],
    });
    const xml = writeDmarc(one);
    const other = writeDmarc(dmarcReport({ rows: [dmarcRow({ count: 9 })] }));
    const messages = (summary: Summary | undefined) =>
      typeof summary === "object" && !Array.isArray(summary)
        ? Object.entries(summary as Counts).map(([source, counts]) => `${source} ${counts.messages}`)
        : summary;
    const cases: readonly (readonly [
      Buffer,
      readonly string[] | "unreadable",
      readonly string[] | "unreadable",
    ])[] = [
      // A namespace prefix.
      [
        Buffer.from(
          writeDmarc(one, { prefix: "d:", attributes: ' xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0"' }),
        ),
        ["192.0.2.1 3", "192.0.2.2 4"],
        "unreadable",
      ],
      // UTF-16.
      [Buffer.from(`\ufeff${xml}`, "utf16le"), ["192.0.2.1 3", "192.0.2.2 4"], "unreadable"],
      // Leading white space.
      [Buffer.from(`\r\n${xml}`), ["192.0.2.1 3", "192.0.2.2 4"], "unreadable"],
      // A second member of gzip.
      [
        Buffer.concat([gzipSync(xml.slice(0, 500)), gzipSync(xml.slice(500))]),
        ["192.0.2.1 3", "192.0.2.2 4"],
        "unreadable",
      ],
      // A row without the SPF alignment, and one without its domain.
      [Buffer.from(xml.replace("<spf>pass</spf>", "")), ["192.0.2.1 3", "192.0.2.2 4"], ["192.0.2.2 4"]],
      [
        Buffer.from(xml.replace(/<identifiers>[\s\S]*?<\/identifiers>/, "")),
        ["192.0.2.1 3", "192.0.2.2 4"],
        ["192.0.2.2 4"],
      ],
      // Two forms of one address.
      [
        Buffer.from(xml.replace(">192.0.2.2<", ">::ffff:192.0.2.1<")),
        ["192.0.2.1 7"],
        ["192.0.2.1 3", "::ffff:192.0.2.1 4"],
      ],
      // The only row is unreadable; there is no row.
      [Buffer.from(other.replace("<count>9", "<count>x")), [], "unreadable"],
      [Buffer.from(writeDmarc(dmarcReport({ rows: [] }))), [], "unreadable"],
      // A report that is cut off: its first rows would appear complete.
      [Buffer.from(xml.slice(0, -100)), "unreadable", ["192.0.2.1 3", "192.0.2.2 4"]],
      // A negative count.
      [Buffer.from(xml.replace("<count>3", "<count>-3")), ["192.0.2.2 4"], ["192.0.2.1 -3", "192.0.2.2 4"]],
    ];
    const inputs = cases.map(([bytes]) => bytes);
    expect(inputs.map((bytes) => messages(ours(bytes)))).toEqual(cases.map(([, here]) => here));
    const found = await theirs(inputs);
    expect(found.map(messages)).toEqual(cases.map(([, , there]) => there));
    // For an archive of several reports, it reads only the first one.
    const both = zipOf([xml, other].map((text, at) => ({ name: `${at}.xml`, contents: Buffer.from(text) })));
    expect([...readReports(both)].map(({ kind }) => kind)).toEqual(["dmarc", "dmarc"]);
    expect((await theirs([both])).map(messages)).toEqual([["192.0.2.1 3", "192.0.2.2 4"]]);
  });
});
