import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reportKey, rollUp } from "../../src/intel/aggregate-reports/roll-up.ts";
import { mainSender } from "../../src/rollups/daily-rollup.ts";
import { dmarcReport, dmarcRow } from "../harness/dmarc-reports.ts";

const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 200);
const day = (from: string, to: string) => ({ begin: new Date(from), end: new Date(to) });

describe("reports are aggregated by policy domain, day and source", () => {
  it("with dispositions, alignment and senders", () => {
    const reports = [
      dmarcReport({
        orgName: "a.example",
        rows: [
          dmarcRow({ count: 5 }),
          dmarcRow({ count: 2, dkimAligned: false, disposition: "pass" }),
          dmarcRow({
            count: 1,
            spfAligned: false,
            disposition: "quarantine",
            overrides: [{ type: "mailing_list" }],
          }),
          dmarcRow({
            sourceIp: "198.51.100.9",
            count: 9,
            dkimAligned: false,
            spfAligned: false,
            disposition: "reject",
          }),
        ],
      }),
      dmarcReport({
        orgName: "b.example",
        rows: [
          dmarcRow({
            count: 3,
            disposition: "hold",
            spf: [{ domain: "EU-west-1.amazonses.com".toLowerCase(), result: "pass", scope: "mfrom" }],
          }),
        ],
      }),
      dmarcReport({ policy: { ...dmarcReport().policy, domain: "example.net" } }),
      dmarcReport({ ...day("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z") }),
    ];
    const rest = { policyDomain: "example.com", day: "2026-03-01", senders: {}, overridden: 0 };
    const one = {
      ...rest,
      sourceIp: "192.0.2.1",
      messages: 1,
      dispositions: { none: 1, quarantine: 0, reject: 0, other: 0 },
      alignment: { both: 1, dkim: 0, spf: 0, none: 0 },
    };
    expect(rollUp(reports)).toEqual([
      {
        ...rest,
        sourceIp: "192.0.2.1",
        senders: { "Amazon SES": 3 },
        messages: 11,
        dispositions: { none: 7, quarantine: 1, reject: 0, other: 3 },
        alignment: { both: 8, dkim: 1, spf: 2, none: 0 },
        overridden: 1,
      },
      {
        ...rest,
        sourceIp: "198.51.100.9",
        messages: 9,
        dispositions: { none: 0, quarantine: 0, reject: 9, other: 0 },
        alignment: { both: 0, dkim: 0, spf: 0, none: 9 },
      },
      { ...one, day: "2026-03-02" },
      { ...one, policyDomain: "example.net" },
    ]);
  });

  it("once for a report that is sent again, and twice for different reports with the same id", () => {
    const report = dmarcReport();
    const others = [
      { orgName: "other.example" },
      { reportId: "2" },
      { policy: { ...report.policy, domain: "example.org" } },
      { end: new Date("2026-03-01T12:00:00Z") },
    ];
    expect(reportKey(dmarcReport({ orgName: "Receiver.Example", rows: [] }))).toBe(reportKey(report));
    for (const other of others) expect(reportKey(dmarcReport(other))).not.toBe(reportKey(report));
    const reports = [report, dmarcReport(), ...others.map((other) => dmarcReport(other))];
    expect(rollUp(reports).reduce((sum, { messages }) => sum + messages, 0)).toBe(5);
  });

  it("on the day with most of its period, for any day boundary of the receiver", () => {
    const days = [
      day("2026-03-01T00:00:00Z", "2026-03-01T23:59:59Z"),
      day("2026-02-28T16:00:00Z", "2026-03-01T15:59:59Z"),
      day("2026-03-01T08:00:00Z", "2026-03-02T08:00:00Z"),
      day("2026-03-01T17:00:00Z", "2026-03-01T17:00:00Z"),
    ];
    for (const range of days) expect(rollUp([dmarcReport(range)])[0]?.day).toBe("2026-03-01");
  });

  it("spread over its days for a longer period", () => {
    const report = dmarcReport({
      ...day("2026-03-01T12:00:00Z", "2026-03-03T12:00:00Z"),
      rows: [dmarcRow({ count: 9 })],
    });
    expect(rollUp([report]).map((one) => [one.day, one.messages])).toEqual([
      ["2026-03-01", 2],
      ["2026-03-02", 5],
      ["2026-03-03", 2],
    ]);
  });

  it("on one day for a period of years", () => {
    const report = dmarcReport(day("1970-01-01T00:00:00Z", "5000-01-01T00:00:00Z"));
    expect(rollUp([report])).toHaveLength(1);
  });

  it("with the same number of messages, however they are spread", () => {
    const second = fc.nat({ max: 40 * 24 * 3_600 });
    const rows = fc.array(
      fc.tuple(fc.nat({ max: 1e9 }), fc.boolean(), fc.boolean(), fc.constantFrom("none", "reject")),
    );
    fc.assert(
      fc.property(second, second, rows, (from, span, list) => {
        const report = dmarcReport({
          begin: new Date(from * 1_000),
          end: new Date((from + span) * 1_000),
          rows: list.map(([count, dkimAligned, spfAligned, disposition]) =>
            dmarcRow({ count, dkimAligned, spfAligned, disposition }),
          ),
        });
        const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
        const rollups = rollUp([report]);
        for (const { messages, dispositions, alignment } of rollups) {
          expect([sum(Object.values(dispositions)), sum(Object.values(alignment))]).toEqual([
            messages,
            messages,
          ]);
        }
        const total = sum(list.map(([count]) => count));
        expect(sum(rollups.map(({ messages }) => messages))).toBe(total);
        expect(sum(rollups.map(({ dispositions }) => dispositions.reject))).toBe(
          sum(list.map(([count, , , disposition]) => (disposition === "reject" ? count : 0))),
        );
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a service is recognized by an authenticated domain", () => {
  const spf = (domain: string, result = "pass") => ({ domain, result, scope: "mfrom" });
  const dkim = (domain: string, result = "pass") => ({ domain, result, selector: "s" });
  const senders = (changes: Parameters<typeof dmarcRow>[0]) =>
    Object.keys(rollUp([dmarcReport({ rows: [dmarcRow(changes)] })])[0]?.senders ?? {});

  it.each([
    ["google.com", "Google"],
    ["example-com.20230601.gappssmtp.com", "Google"],
    ["eu-west-1.amazonses.com", "Amazon SES"],
    ["u1.wl.sendgrid.net", "SendGrid"],
    ["mg.mailgun.org", "Mailgun"],
    ["mail1.suw.mcsv.net.", "Mailchimp"],
    ["example.onmicrosoft.com", "Microsoft 365"],
    ["eur01.prod.outlook.com", "Microsoft 365"],
    ["bounce.s7.exacttarget.com", "Salesforce"],
    ["zoho.eu", "Zoho"],
    ["pm.mtasv.net", "Postmark"],
    ["sparkpostmail.com", "SparkPost"],
  ])("%s", (domain, name) => {
    expect(senders({ dkim: [dkim("example.com"), dkim(domain)], spf: [] })).toEqual([name]);
    expect(senders({ dkim: [], spf: [spf(domain)] })).toEqual([name]);
    expect(
      senders({ dkim: [dkim(domain, "fail")], spf: [spf(domain, "softfail")], envelopeFrom: domain }),
    ).toEqual([]);
  });

  it("and not by a similar one", () => {
    for (const domain of ["notgoogle.com", "google.com.example", "com", "", "sendgrid.net.evil.example"])
      expect(senders({ dkim: [dkim(domain)], spf: [spf(domain)] })).toEqual([]);
  });

  it("by the connecting server rather than the first signer", () => {
    expect(senders({ dkim: [dkim("amazonses.com")], spf: [spf("google.com")] })).toEqual(["Google"]);
  });

  it("with that of most messages as the main one", () => {
    const rows = [
      dmarcRow({ count: 1, spf: [spf("google.com")] }),
      dmarcRow({ count: 5, spf: [spf("amazonses.com")] }),
      dmarcRow({ count: 1, spf: [spf("sendgrid.net")] }),
    ];
    const [rollup = { senders: {} }] = rollUp([dmarcReport({ rows })]);
    expect(rollup.senders).toEqual({ "Amazon SES": 5, Google: 1, SendGrid: 1 });
    expect(mainSender(rollup)).toBe("Amazon SES");
    expect(mainSender({ senders: { Google: 1, "Amazon SES": 1 } })).toBe("Amazon SES");
    expect(mainSender({ senders: {} })).toBeUndefined();
  });
});
