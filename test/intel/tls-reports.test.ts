import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readReports } from "../../src/intel/aggregate-reports/read-reports.ts";
import type { TlsPolicy, TlsReport } from "../../src/intel/aggregate-reports/tls-report.ts";
import { withoutUndefined } from "../../src/shared/without-undefined.ts";
import { zipOf } from "../harness/zip-archive.ts";

const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 200);
const NOTHING = { count: 0, examples: [] };

/** The format of RFC 8460 section 4.4. */
const json = (report: TlsReport) => ({
  "organization-name": report.organizationName,
  "date-range": {
    "start-datetime": report.begin.toISOString(),
    "end-datetime": report.end.toISOString(),
  },
  "contact-info": report.contactInfo,
  "report-id": report.reportId,
  policies: report.policies.map((policy) => ({
    policy: {
      "policy-type": policy.type,
      "policy-string": policy.policy,
      "policy-domain": policy.domain,
      "mx-host": policy.mxHost,
    },
    summary: {
      "total-successful-session-count": policy.success,
      "total-failure-session-count": policy.failure,
    },
    "failure-details": policy.failures.map((failure) => ({
      "result-type": failure.resultType,
      "sending-mta-ip": failure.sendingMtaIp,
      "receiving-mx-hostname": failure.receivingMxHostname,
      "receiving-mx-helo": failure.receivingMxHelo,
      "receiving-ip": failure.receivingIp,
      "failed-session-count": failure.count,
      "additional-information": failure.additionalInformation,
      "failure-reason-code": failure.failureReasonCode,
    })),
  })),
});

function tlsReport(policies: readonly Partial<TlsPolicy>[] = [{}]): TlsReport {
  return {
    organizationName: "Google Inc.",
    contactInfo: "smtp-tls-reporting@google.com",
    reportId: "2026-03-01T00:00:00Z_example.com",
    begin: new Date("2026-03-01T00:00:00Z"),
    end: new Date("2026-03-01T23:59:59Z"),
    policies: policies.map((policy) => ({
      type: "sts",
      domain: "example.com",
      policy: ["version: STSv1", "mode: enforce", "mx: *.example.com", "max_age: 604800"],
      mxHost: ["*.example.com"],
      success: 5_326,
      failure: 303,
      failures: [
        {
          resultType: "certificate-expired",
          count: 100,
          sendingMtaIp: "2001:db8::1",
          receivingMxHostname: "mx1.example.com",
        },
        {
          resultType: "starttls-not-supported",
          count: 203,
          sendingMtaIp: "192.0.2.9",
          receivingMxHostname: "mx2.example.com",
          receivingIp: "203.0.113.5",
          additionalInformation: "https://receiver.example/report?id=1",
        },
      ],
      leftOut: NOTHING,
      ...policy,
    })),
    leftOut: NOTHING,
  };
}

const readings = (text: string | Buffer) => [...readReports(Buffer.from(text))];

function reportIn(value: unknown): TlsReport {
  const [reading] = readings(JSON.stringify(value));
  if (reading?.kind !== "tls") throw new Error(JSON.stringify(reading));
  return reading.report;
}

describe("a TLS report is read unchanged", () => {
  const microsoft = {
    ...tlsReport([
      { type: "tlsa", policy: ["3 1 1 0123"], mxHost: [], failures: [], failure: 0 },
      { failure: 0 },
    ]),
    organizationName: "Microsoft Corporation",
    contactInfo: "tlsrpt-noreply@microsoft.com",
  };
  it.each([
    ["by Google", tlsReport()],
    ["by Microsoft", microsoft],
    ["without a policy", tlsReport([{ type: "no-policy-found", policy: [], mxHost: [], failures: [] }])],
    ["with nothing in it", tlsReport([])],
  ])("%s", (_, report) => {
    const text = JSON.stringify(json(report));
    const reading = { kind: "tls", report };
    expect(readings(text)).toEqual([reading]);
    expect(readings(gzipSync(text))).toEqual([reading]);
    expect(readings(zipOf([{ name: "a.json", contents: Buffer.from(text) }]))).toEqual([reading]);
    expect(readings(`\ufeff\r\n${JSON.stringify(json(report), null, 2)}\r\n\0`)).toEqual([reading]);
    expect(readings(Buffer.from(text, "utf16le"))).toEqual([reading]);
  });

  it("with any contents", () => {
    const text = fc
      .string({ minLength: 1, unit: "grapheme" })
      .map((value) => value.trim())
      .filter((value) => value !== "" && value.isWellFormed());
    const lower = text.map((value) => value.toLowerCase());
    const maybe = fc.option(text, { nil: undefined });
    const failure = fc
      .record({
        resultType: lower,
        count: fc.nat(),
        sendingMtaIp: maybe,
        receivingMxHostname: maybe,
        receivingMxHelo: maybe,
        receivingIp: maybe,
        additionalInformation: maybe,
        failureReasonCode: maybe,
      })
      .map(withoutUndefined);
    const policy = fc.record({
      type: lower,
      domain: fc.domain(),
      policy: fc.array(text),
      mxHost: fc.array(text),
      success: fc.nat(),
      failure: fc.nat(),
      failures: fc.array(failure, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 3 }), (policies) => {
        const report = tlsReport(policies);
        expect(readings(JSON.stringify(json(report)))).toEqual([{ kind: "tls", report }]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("accepted deviations from RFC 8460", () => {
  const written = json(tlsReport());
  const [policy] = written.policies;
  it("names, numbers and lists of another type", () => {
    const report = reportIn({
      ...written,
      "report-id": 12_345,
      "date-range": { "start-datetime": "2026-03-01T00:00:00", "end-datetime": "2026-03-02T00:59:59+01:00" },
      policies: {
        policy: {
          "policy-type": "STS",
          "policy-domain": "Example.com.",
          "policy-string": "version: STSv1",
          "mx-host-pattern": "mx.example.com",
        },
        summary: { "total-successful-session-count": "7", "total-failure-session-count": 0 },
        "failure-details": null,
      },
    });
    expect(report).toEqual({
      ...tlsReport([
        { policy: ["version: STSv1"], mxHost: ["mx.example.com"], success: 7, failure: 0, failures: [] },
      ]),
      reportId: "12345",
    });
  });

  it("empty or missing texts", () => {
    const { "date-range": range } = written;
    expect(reportIn({ "date-range": range, policies: null, "contact-info": "" })).toMatchObject({
      organizationName: "",
      contactInfo: "",
      reportId: "",
      policies: [],
    });
  });

  it("unreadable policies and failures are left out with a reason, and the others are read", () => {
    const bad = [
      { "result-type": "x", "failed-session-count": -1 },
      "no object",
      { "failed-session-count": 4 },
    ];
    const report = reportIn({
      ...written,
      policies: [
        "no object",
        { ...policy, policy: {} },
        { ...policy, summary: {} },
        {
          ...policy,
          "failure-details": [...bad, { "result-type": "dane-required", "failed-session-count": 4 }],
        },
      ],
    });
    expect(report.policies).toEqual([
      expect.objectContaining({
        failures: [{ resultType: "dane-required", count: 4 }],
        leftOut: {
          count: 3,
          examples: bad.map((_, index) => ({ number: index + 1, reason: expect.any(String) })),
        },
      }),
    ]);
    expect(report.leftOut.examples.map(({ number, reason }) => [number, reason])).toEqual([
      [1, "the value is not a JSON object"],
      [2, "the policy does not name its domain"],
      [3, expect.stringMatching(/^total-successful-session-count is not a valid number of sessions/)],
    ]);
  });
});

describe("a document that is no TLS report is unreadable, with a reason", () => {
  const text = JSON.stringify(json(tlsReport()));
  const many = (count: number) =>
    JSON.stringify({
      "date-range": {},
      policies: [{ "failure-details": Array.from({ length: count }, () => 1) }],
    });
  it.each<[string, string, RegExp]>([
    ["another JSON", '{"a":1}', /JSON is not a TLS report/],
    ["no time", '{"policies":[]}', /its period/],
    ["a report that is cut off", text.slice(0, -1), /JSON is invalid/],
    ["two reports", text + text, /JSON is invalid/],
    ["20,001 rows", many(20_000), /more than 20000/],
    ["more than 10 MB", `{"policies":[${"0,".repeat(5_000_000)}0]}`, /JSON has more than 10 MB/],
    ["depth", `{"policies":${"[".repeat(1_000_000)}`, /JSON is invalid/],
  ])("%s", (_, bytes, reason) => {
    expect(readings(bytes)).toEqual([{ kind: "unreadable", reason: expect.stringMatching(reason) }]);
  });
});
