import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { CheckResult, CheckStatus } from "../../src/intel/check-result.ts";
import { resultsBelow } from "../harness/check-results.ts";
import type { DnsZones } from "../harness/dns-server.ts";
import { certificateOf, withTls } from "../harness/mail-server.ts";
import {
  DOMAIN,
  startTransportWorld,
  stsPolicy,
  stsRecord,
  type TransportCase,
  tlsaZone,
} from "../harness/transport-world.ts";

const { find } = resultsBelow("transport");
const MX1 = `mx1.${DOMAIN}`;
const MX2 = `mx2.${DOMAIN}`;
const certificate = certificateOf(MX1);
const servers = { [MX1]: withTls(certificate) };

let world: Awaited<ReturnType<typeof startTransportWorld>>;
beforeAll(async () => {
  world = await startTransportWorld();
});
afterEach(() => world.closeMailServers());
afterAll(() => world.close());

const check = (one: Partial<TransportCase>) => world.check({ servers, ...one });
const stsOf = (results: readonly CheckResult[]) =>
  ["record", "policy", "mx"].map((name) => find(results, `mta_sts.${name}`).status);
const sts = (...TXT: string[]): DnsZones => ({ [`_mta-sts.${DOMAIN}`]: { TXT } });
const tlsRpt = (...TXT: string[]): DnsZones => ({ [`_smtp._tls.${DOMAIN}`]: { TXT } });

describe("the MTA-STS of a domain", () => {
  it.each<[string, Partial<TransportCase>, CheckStatus[]]>([
    ["is enforced", { zones: stsRecord, policy: stsPolicy("enforce", MX1) }, ["pass", "pass", "pass"]],
    ["is in testing", { zones: stsRecord, policy: stsPolicy("testing", MX1) }, ["pass", "pass", "pass"]],
    ["asks for nothing", { zones: stsRecord, policy: stsPolicy("none") }, ["pass", "warn", "not_tested"]],
    ["is not there", {}, ["fail", "not_tested", "not_tested"]],
    [
      "has a policy, and no record",
      { policy: stsPolicy("enforce", MX1) },
      ["fail", "not_tested", "not_tested"],
    ],
    [
      "has two records",
      { zones: sts("v=STSv1; id=1;", "v=STSv1; id=2;"), policy: stsPolicy("enforce", MX1) },
      ["fail", "not_tested", "not_tested"],
    ],
    [
      "has one record beside others",
      { zones: sts("v=STSv1; id=1;", "v=spf1 -all", "v=STSv2; id=1"), policy: stsPolicy("enforce", MX1) },
      ["pass", "pass", "pass"],
    ],
    ["has an id with a hyphen", { zones: sts("v=STSv1; id=2026-01;") }, ["fail", "not_tested", "not_tested"]],
    ["has no id", { zones: sts("v=STSv1;") }, ["fail", "not_tested", "not_tested"]],
    ["has a record in small letters", { zones: sts("v=stsv1; id=1;") }, ["fail", "not_tested", "not_tested"]],
    ["has a record, and no policy", { zones: stsRecord }, ["pass", "fail", "not_tested"]],
    [
      "has a policy that cannot be read",
      { zones: stsRecord, policy: stsPolicy("Enforce", MX1) },
      ["pass", "fail", "not_tested"],
    ],
    [
      "holds for longer than there is",
      { zones: stsRecord, policy: `${stsPolicy("testing", MX1).replace("604800", "31557601")}` },
      ["pass", "fail", "not_tested"],
    ],
    [
      "is forgotten at once",
      { zones: stsRecord, policy: `${stsPolicy("enforce", MX1).replace("604800", "3600")}` },
      ["pass", "warn", "pass"],
    ],
    [
      "names no server that there is",
      { zones: stsRecord, policy: stsPolicy("enforce", "old.example.com") },
      ["pass", "pass", "fail"],
    ],
    [
      "names no server that there is, and is in testing",
      { zones: stsRecord, policy: stsPolicy("testing", "old.example.com") },
      ["pass", "pass", "warn"],
    ],
    [
      "has a wildcard for one label",
      { zones: stsRecord, policy: stsPolicy("enforce", "*.example.com") },
      ["pass", "pass", "pass"],
    ],
    [
      "has a wildcard for two labels",
      { zones: stsRecord, policy: stsPolicy("enforce", "*.com") },
      ["pass", "pass", "fail"],
    ],
    [
      "has a record of which nothing is known",
      { zones: { [`_mta-sts.${DOMAIN}`]: { behaviour: "servfail" } }, policy: stsPolicy("enforce", MX1) },
      ["error", "error", "error"],
    ],
    [
      "has a policy of which nothing is known",
      { zones: { ...stsRecord, [`mta-sts.${DOMAIN}`]: { behaviour: "servfail" } } },
      ["pass", "error", "error"],
    ],
  ])("%s", async (_, one, expected) => {
    expect(stsOf(await check(one))).toEqual(expected);
  });

  it("loses no mail while it names one of the servers", async () => {
    const two = { ...servers, [MX2]: withTls(certificateOf(MX2)) };
    const results = await check({ servers: two, zones: stsRecord, policy: stsPolicy("enforce", MX1) });
    const { status, observed, fix } = find(results, "mta_sts.mx");
    expect([status, observed]).toEqual(["warn", expect.stringContaining(`not ${MX2}`)]);
    expect(fix?.text).toContain(`mx: ${MX2}`);
  });

  it("has no effect without a record, and the result names the missing record", async () => {
    const { observed, fix } = find(await check({ policy: stsPolicy("testing", MX1) }), "mta_sts.record");
    expect(observed).toContain("without the record senders do not fetch it");
    expect(fix?.record).toMatchObject({
      name: `_mta-sts.${DOMAIN}`,
      type: "TXT",
      value: expect.stringMatching(/^v=STSv1; id=\d{14};$/),
    });
  });

  it("never puts an untested policy into force", async () => {
    const { fix } = find(await check({ policy: stsPolicy("enforce", "other.test") }), "mta_sts.record");
    expect(fix?.record).toBeUndefined();
    expect(fix?.text).toMatch(/^First set the mode .+ to testing/);
  });

  it("has the policy in the evidence", async () => {
    const results = await check({ zones: stsRecord, policy: stsPolicy("enforce", MX1) });
    expect(find(results, "mta_sts.policy").evidence).toMatchObject([
      {
        name: `https://mta-sts.${DOMAIN}/.well-known/mta-sts.txt`,
        type: "HTTPS",
        data: ["mode: enforce", `mx: ${MX1}`, "max_age: 604800"],
      },
    ]);
  });

  it.each<[string, number, Record<string, string>, CheckStatus]>([
    ["of another media type", 200, { "content-type": "text/html" }, "fail"],
    ["behind a redirect", 301, { location: "https://example.com/" }, "fail"],
    ["that is not there", 404, {}, "fail"],
    ["of a server with a fault of its own", 503, {}, "error"],
    ["of a server that is asked too often", 429, {}, "error"],
  ])("has a policy %s", async (_, status, headers, expected) => {
    world.policies.answer((response) => response.writeHead(status, headers).end(stsPolicy("enforce", MX1)));
    const zones = { ...stsRecord, [`mta-sts.${DOMAIN}`]: { A: ["127.0.0.1"] } };
    expect(find(await check({ zones }), "mta_sts.policy").status).toBe(expected);
  });

  it("has an unknown policy if its server hangs up, is silent or down", async () => {
    const zones = { ...stsRecord, [`mta-sts.${DOMAIN}`]: { A: ["127.0.0.1"] } };
    world.policies.answer((response) => response.destroy());
    expect(find(await check({ zones }), "mta_sts.policy").status).toBe("error");
    world.policies.answer(() => undefined);
    expect(find(await check({ zones, policyMs: 1_000 }), "mta_sts.policy").status).toBe("error");
    const down = { ...stsRecord, [`mta-sts.${DOMAIN}`]: { A: ["127.0.0.99"] } };
    expect(find(await check({ zones: down }), "mta_sts.policy").status).toBe("error");
  });

  it("has no policy on a server with a certificate of another name", async () => {
    const zones = {
      [`_mta-sts.sub.${DOMAIN}`]: { TXT: ["v=STSv1; id=1;"] },
      [`mta-sts.sub.${DOMAIN}`]: { A: ["127.0.0.1"] },
    };
    world.policies.answer(stsPolicy("enforce", MX1));
    const results = await check({ domain: `sub.${DOMAIN}`, zones });
    const { status, observed } = find(results, "mta_sts.policy");
    expect([status, observed]).toEqual(["fail", expect.stringContaining("altnames")]);
  });
});

describe("the TLS reports of a domain", () => {
  const good = "v=TLSRPTv1; rua=mailto:tls@example.com";

  it.each<[string, DnsZones, CheckStatus]>([
    ["are asked for", tlsRpt(good), "pass"],
    ["are asked for by https", tlsRpt("v=TLSRPTv1;rua=https://reports.test/tls;"), "pass"],
    ["are asked for beside other texts", tlsRpt(good, "v=spf1 -all"), "pass"],
    ["are not asked for", {}, "not_tested"],
    ["are not asked for, beside MTA-STS", stsRecord, "warn"],
    ["are asked for where drafts had it", { [`_smtp-tlsrpt.${DOMAIN}`]: { TXT: [good] } }, "warn"],
    ["are asked for twice", tlsRpt(good, good), "fail"],
    ["go nowhere", tlsRpt("v=TLSRPTv1;"), "fail"],
    ["go to another scheme", tlsRpt("v=TLSRPTv1; rua=ftp://reports.test/"), "fail"],
    ["go to an address without scheme", tlsRpt("v=TLSRPTv1; rua=tls@example.com"), "fail"],
    ["go to one good and one bad place", tlsRpt(`${good},tls@example.com`), "warn"],
    ["are asked for in small letters", tlsRpt("v=tlsrptv1; rua=mailto:tls@example.com"), "warn"],
    ["are unknown", { [`_smtp._tls.${DOMAIN}`]: { behaviour: "servfail" } }, "error"],
  ])("%s", async (_, zones, expected) => {
    expect(find(await check({ zones }), "tlsrpt").status).toBe(expected);
  });

  it("are requested by a record that can be published", async () => {
    const { fix } = find(await check({ reportAddress: "tls+abc@reports.test" }), "tlsrpt");
    expect(fix?.record).toEqual({
      name: `_smtp._tls.${DOMAIN}`,
      type: "TXT",
      value: "v=TLSRPTv1; rua=mailto:tls+abc@reports.test",
    });
  });

  it.each([
    "v=TLSRPTv1; rua=tls@example.com",
    "v=TLSRPTv1 rua=mailto:tls@example.com",
    "v=tlsrptv1; rua=mailto:tls@example.com",
    "v=TLSRPTv1; rua: tls@example.com;",
  ])("keep the address of the owner: %s", async (text) => {
    const { fix } = find(
      await check({ zones: tlsRpt(text), reportAddress: "tls+abc@reports.test" }),
      "tlsrpt",
    );
    expect(fix?.record?.value).toBe(good);
  });

  it("are recommended with DANE", async () => {
    const zones = tlsaZone(MX1, [{ usage: 3, of: certificate[0] }]);
    const { status, observed } = find(await check({ isSigned: true, zones }), "tlsrpt");
    expect([status, observed]).toEqual(["warn", expect.stringContaining("DANE")]);
  });
});

describe("a domain with very many mail servers", () => {
  it("costs at most its lookup budget, and the rest is unknown", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`mx${n}.${DOMAIN}`, "down" as const]),
    );
    const results = await world.check({
      servers: many,
      isSigned: true,
      zones: tlsRpt("v=TLSRPTv1; rua=mailto:a@b.test"),
    });
    const { evidence } = find(results, "dane");
    const asked = evidence.filter(({ type, reason }) => type === "TLSA" && reason !== "budget");
    expect(asked).toHaveLength(60 - 1 - 2 * 20 - 2);
    expect(find(results, "tlsrpt").status).toBe("pass");
  });
});
