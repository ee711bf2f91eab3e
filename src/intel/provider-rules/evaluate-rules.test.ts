import { describe, expect, it } from "vitest";
import { checkIds, domainResults, type Statuses } from "../../../test/harness/domain-results.ts";
import { outcomesOf } from "../score/outcomes.ts";
import { evaluateRules, type SendingFacts } from "./evaluate-rules.ts";
import { type Provider, providerRules, providers } from "./rules.ts";
import { providerSources } from "./sources.ts";

const perfect: SendingFacts = {
  peakPerDay: { gmail: 20_000, yahoo: 20_000, outlook: 20_000 },
  complaintRate: { gmail: 0.0005, yahoo: 0.0005 },
  hasMarketing: true,
  hasOneClick: true,
  unsubscribeHours: 1,
  usesTls: true,
};

function verdicts(but: Statuses = {}, facts: SendingFacts = perfect) {
  return evaluateRules(outcomesOf(domainResults({ but })), facts);
}

function statusOf(provider: Provider, rule: string, all: ReturnType<typeof verdicts>) {
  return all.find((one) => one.provider === provider && one.rule === rule)?.status;
}

const rulesOf = (provider: Provider, all: ReturnType<typeof verdicts>) =>
  all.filter((one) => one.provider === provider).map(({ rule }) => rule);

describe("the rules of providers", () => {
  it("name their source and review date, are unique, and reference existing checks", () => {
    expect(new Set(providerRules.map(({ provider, rule }) => `${provider} ${rule}`)).size).toBe(
      providerRules.length,
    );
    expect(new Set(providerRules.map(({ provider }) => provider))).toEqual(new Set(providers));
    for (const { source, ruleCheckedAt, need } of providerRules) {
      expect(source).toMatch(/^https:\/\//);
      expect(ruleCheckedAt).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      const ids = need.kind === "checks" ? need.anyOf.flat() : [];
      expect(ids.filter((id) => !checkIds.some((known) => known === id))).toEqual([]);
    }
  });

  it("cite only the provider's own pages", () => {
    const hosts: Readonly<Record<Provider, string>> = {
      gmail: "support.google.com",
      yahoo: "senders.yahooinc.com",
      outlook: "techcommunity.microsoft.com",
    };
    for (const { provider, rule, source } of providerRules)
      expect([rule, new URL(source).host]).toEqual([rule, hosts[provider]]);
    const cited = new Set(providerRules.map(({ source }) => source));
    expect(cited).toEqual(new Set(Object.values(providerSources).map(({ url }) => url)));
  });

  it("are all met by a fully compliant sender", () => {
    expect(verdicts()).toHaveLength(providerRules.length);
    expect([...new Set(verdicts().map(({ status }) => status))]).toEqual(["met"]);
  });

  it("are unknown without any facts", () => {
    const nothing = Object.fromEntries(checkIds.map((id) => [id, "not_tested" as const]));
    expect([...new Set(verdicts(nothing, {}).map(({ status }) => status))]).toEqual(["unknown"]);
    expect(verdicts(nothing, {})).toHaveLength(providerRules.length);
  });

  it("require SPF or DKIM of all senders, and both of bulk senders", () => {
    const all = verdicts({ "auth.spf.exists": "fail" });
    expect(statusOf("gmail", "spf_or_dkim", all)).toBe("met");
    for (const provider of providers) expect(statusOf(provider, "spf_and_dkim", all)).toBe("not_met");
    const none = verdicts({ "auth.spf.exists": "fail", "auth.dkim.key": "fail" });
    expect(statusOf("gmail", "spf_or_dkim", none)).toBe("not_met");
  });

  it("stay open while another check may decide", () => {
    const unknownDkim = { "auth.dkim.key": "not_tested", "auth.dkim.strength": "not_tested" } as const;
    expect(statusOf("gmail", "spf_or_dkim", verdicts(unknownDkim))).toBe("met");
    expect(statusOf("gmail", "spf_and_dkim", verdicts(unknownDkim))).toBe("unknown");
    const noSpf = verdicts({ ...unknownDkim, "auth.spf.exists": "fail" });
    expect(statusOf("gmail", "spf_or_dkim", noSpf)).toBe("unknown");
    expect(statusOf("gmail", "spf_and_dkim", noSpf)).toBe("not_met");
  });

  it("accept the DMARC policy none, but no unreadable record", () => {
    expect(statusOf("outlook", "dmarc", verdicts({ "auth.dmarc.policy": "warn" }))).toBe("met");
    expect(statusOf("outlook", "dmarc", verdicts({ "auth.dmarc.valid": "fail" }))).toBe("not_met");
  });

  it("for bulk senders are left out below the volume, separately for each provider", () => {
    const less = verdicts({}, { ...perfect, peakPerDay: { gmail: 4_999, outlook: 5_000 } });
    expect(rulesOf("gmail", less)).toEqual(["spf_or_dkim", "reverse_dns", "tls", "complaints_limit"]);
    expect(rulesOf("outlook", less)).toEqual([]);
    expect(rulesOf("yahoo", less)).toContain("dmarc");
    const more = verdicts({}, { ...perfect, peakPerDay: { gmail: 5_000, outlook: 5_001 } });
    expect(rulesOf("gmail", more)).toContain("dmarc");
    expect(rulesOf("outlook", more)).toContain("dmarc");
  });

  it("compare complaints with each provider's own rate", () => {
    const all = verdicts({}, { ...perfect, complaintRate: { gmail: 0.002, yahoo: 0.003 } });
    expect(statusOf("gmail", "complaints_limit", all)).toBe("met");
    expect(statusOf("gmail", "complaints_target", all)).toBe("not_met");
    expect(statusOf("yahoo", "complaints_limit", all)).toBe("not_met");
  });

  it("require one-click unsubscription only for marketing mail", () => {
    const statusFor = (facts: SendingFacts) =>
      statusOf("yahoo", "one_click", verdicts({}, { ...perfect, ...facts }));
    expect(statusFor({ hasMarketing: true, hasOneClick: false })).toBe("not_met");
    expect(statusFor({ hasMarketing: false, hasOneClick: false })).toBeUndefined();
    const { hasMarketing: _, ...unknownKind } = perfect;
    const unseen = verdicts({}, { ...unknownKind, hasOneClick: false });
    expect(statusOf("yahoo", "one_click", unseen)).toBe("unknown");
  });

  it("name the checks on which a verdict is based", () => {
    const verdict = verdicts().find(({ rule }) => rule === "reverse_dns");
    expect(verdict?.evidence).toEqual(["reputation.ptr", "reputation.fcrdns"]);
    expect(Object.keys(verdict ?? {}).sort()).toEqual([
      "evidence",
      "provider",
      "requirement",
      "rule",
      "ruleCheckedAt",
      "source",
      "status",
    ]);
  });
});
