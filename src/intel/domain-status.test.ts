import { describe, expect, it } from "vitest";
import {
  checkIds,
  type DomainCase,
  domainResults,
  type Statuses,
} from "../../test/harness/domain-results.ts";
import { domainStatus } from "./domain-status.ts";
import { outcomesOf } from "./score/outcomes.ts";
import { severityOf } from "./severity.ts";

const HOUR_MS = 3_600_000;
const everyCheck = (status: "error" | "not_tested"): Statuses =>
  Object.fromEntries(checkIds.map((id) => [id, status]));

function statusOf(domain: DomainCase, isPaused = false) {
  return domainStatus({ isPaused, outcomes: outcomesOf(domainResults(domain)) });
}

function severitiesOf(domain: DomainCase) {
  const outcomes = outcomesOf(domainResults(domain));
  return Object.fromEntries(outcomes.flatMap((one) => (severityOf(one) ? [[one.id, severityOf(one)]] : [])));
}

describe("the severity of a finding", () => {
  it("follows from the weight of its check by default", () => {
    const but = {
      "auth.spf.exists": "fail",
      "auth.dmarc.policy": "warn",
      "auth.dmarc.rua": "fail",
      "reputation.ehlo": "fail",
      "infra.ipv6": "warn",
    } as const;
    expect(severitiesOf({ but })).toEqual({
      "auth.spf.exists": "critical",
      "auth.dmarc.policy": "warning",
      "auth.dmarc.rua": "info",
      "reputation.ehlo": "warning",
      "infra.ipv6": "info",
    });
  });

  it("is critical if mail is lost or anyone may send, and at most info if a standard is absent", () => {
    const broken = {
      "auth.spf.all": "fail",
      "transport.cert_expiry": "fail",
      "transport.mta_sts.mx": "fail",
      "transport.dane": "fail",
      "infra.dnssec": "fail",
    } as const;
    expect([...new Set(Object.values(severitiesOf({ but: broken })))]).toEqual(["critical"]);
    const absent = {
      "transport.mta_sts.record": "fail",
      "transport.tlsrpt": "warn",
      "transport.dane": "warn",
      "infra.dnssec": "warn",
    } as const;
    expect([...new Set(Object.values(severitiesOf({ but: absent })))]).toEqual(["info"]);
  });

  it("of a listing follows from the weight of the list", () => {
    const blacklistWeights = { "bl.a": 10, "bl.b": 5, "bl.c": 2, "bl.d": 0 } as const;
    const but = { "bl.a": "fail", "bl.b": "fail", "bl.c": "fail", "bl.d": "fail" } as const;
    const severities = severitiesOf({ blacklistWeights, but });
    expect(severities).toEqual({ "bl.a": "critical", "bl.b": "warning", "bl.c": "info", "bl.d": "info" });
  });
});

describe("the status of a domain", () => {
  it("is pending until a measurement has succeeded or failed", () => {
    expect(statusOf({ but: everyCheck("not_tested") })).toBe("pending");
    expect(statusOf({ but: { ...everyCheck("not_tested"), "auth.spf.exists": "error" } })).toBe("error");
  });

  it("follows from its most severe finding", () => {
    expect(statusOf({})).toBe("healthy");
    expect(statusOf({ but: { "auth.dmarc.rua": "fail" } })).toBe("healthy");
    expect(statusOf({ but: { "auth.dmarc.rua": "fail", "auth.dmarc.policy": "warn" } })).toBe("warning");
    expect(statusOf({ but: { "auth.dmarc.policy": "warn", "auth.spf.single": "fail" } })).toBe("critical");
  });

  it("is paused, regardless of its results", () => {
    expect(statusOf({ but: { "auth.spf.exists": "fail" } }, true)).toBe("paused");
    expect(statusOf({ but: everyCheck("not_tested") }, true)).toBe("paused");
  });

  it("survives errors for 48 hours, and then is error", () => {
    const lastResults = (ageMs: number) =>
      Object.fromEntries(checkIds.map((id) => [id, { status: "pass", ageMs } as const]));
    const but = everyCheck("error");
    expect(statusOf({ but, lastResults: lastResults(47 * HOUR_MS) })).toBe("healthy");
    expect(statusOf({ but, lastResults: lastResults(48 * HOUR_MS) })).toBe("error");
  });

  it("does not become error because of a single check or of untested checks", () => {
    expect(statusOf({ but: { "transport.starttls": "error" } })).toBe("healthy");
    expect(statusOf({ but: { ...everyCheck("not_tested"), "auth.spf.exists": "pass" } })).toBe("healthy");
  });

  it("shows a critical finding despite errors elsewhere", () => {
    const but = { ...everyCheck("error"), "auth.spf.exists": "fail" } as const;
    expect(statusOf({ but })).toBe("critical");
  });
});
