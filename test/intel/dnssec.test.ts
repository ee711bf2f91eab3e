import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { createValidator, type ValidatorOptions } from "../../src/dns/validator.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { checkDnssec } from "../../src/intel/dnssec/check-dnssec.ts";
import { createProbeDns } from "../../src/intel/probe-dns.ts";
import { systemClock, type Timers } from "../../src/shared/clock.ts";
import {
  type DnsBehaviour,
  type DnsServer,
  type DnsZones,
  PATIENT,
  startDnsServer,
} from "../harness/dns-server.ts";
import { IMPATIENT, probeServer } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";
import { tool } from "../harness/tools.ts";
import { startUnbound, type Unbound } from "../harness/unbound.ts";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const SIGNED = { SOA: { primary: "ns.test", minimum: 60 }, authenticated: true };
const UNSIGNED = { ...SIGNED, authenticated: false };
const root = { ".": SIGNED };

function validatorOf(
  servers: readonly Pick<DnsServer, "address">[],
  options: Partial<ValidatorOptions> = {},
) {
  const addresses = servers.map(({ address }) => address);
  return createValidator({
    servers: addresses,
    clock: systemClock,
    retryMs: 20,
    timeoutMs: 500,
    failureMs: 0,
    ...options,
  });
}

async function check(
  domain: string,
  at: Pick<DnsServer, "address">,
  validator = validatorOf([at]),
  patience = IMPATIENT as Parameters<typeof probeServer>[1],
) {
  const dns = probeServer(at, patience);
  const [result] = await checkDnssec({ domain, dns, validator, clock: systemClock });
  if (!result) throw new Error("no result");
  return withParts(result);
}

async function checkZones(zones: DnsZones) {
  server.serve({ ...root, ...zones });
  return check("a.test", server);
}

describe("DNSSEC of a zone", () => {
  it.each<[string, DnsZones, CheckStatus]>([
    ["is valid", { "a.test": SIGNED }, "pass"],
    ["is valid, of a name that is no zone of its own", { "a.test": { authenticated: true } }, "pass"],
    ["is not there", { "a.test": UNSIGNED }, "warn"],
    ["is not valid", { "a.test": { ...UNSIGNED, behaviour: { bogus: [{ code: 6 }] } } }, "fail"],
    [
      "is not valid, and the server does not say so",
      { "a.test": { ...UNSIGNED, behaviour: { bogus: [] } } },
      "fail",
    ],
    [
      "is not valid at the MX record alone",
      { "a.test": { ...SIGNED, behaviour: { bogus: [{ code: 6 }] }, misbehavesFor: ["MX"] } },
      "fail",
    ],
    [
      "fails by the network",
      { "a.test": { ...UNSIGNED, behaviour: { bogus: [{ code: 22 }, { code: 23 }] } } },
      "error",
    ],
    ["is one of a domain that does not exist", {}, "not_tested"],
  ])("%s", async (_, zones, status) => {
    expect((await checkZones(zones)).status).toBe(status);
  });

  it.each<DnsBehaviour>([
    "servfail",
    "refused",
    "drop",
    "truncate_always",
    "hang_up",
    "garbage",
    "wrong_id",
    "referral",
  ])("with a failed lookup (%s) is an error, and not bogus", async (behaviour) => {
    const { status, evidence } = await checkZones({ "a.test": { behaviour } });
    expect(status).toBe("error");
    expect(evidence[0]).toMatchObject({ name: "a.test", type: "SOA", rcode: "ERROR" });
  });

  it("is not bogus after a temporary failure: the server is queried again when its cache has expired", async () => {
    const waits: number[] = [];
    const after: Timers["after"] = (ms, call) => {
      waits.push(ms);
      call();
      return () => undefined;
    };
    // As many failures as attempts for one question.
    const behaviour = Array.from({ length: 3 }, () => "servfail" as const);
    server.serve({ ...root, "a.test": { ...SIGNED, behaviour, misbehavesFor: ["SOA"] } });
    const validator = validatorOf([server], { timers: { after }, failureMs: 6_000 });
    expect((await check("a.test", server, validator)).status).toBe("pass");
    expect(waits).toEqual([6_000]);
  });

  it("is queried without validation only in that case", async () => {
    const before = server.queries.length;
    await checkZones({ "a.test": SIGNED });
    await checkZones({ "a.test": UNSIGNED });
    expect(server.queries.slice(before).filter(({ checkingDisabled }) => checkingDisabled)).toEqual([]);
  });

  it("that is bogus has its reason and the unvalidated answer in the evidence", async () => {
    const behaviour = { bogus: [{ code: 7, text: "since 2020\u0000\u202e" }, { code: 9 }] };
    const { observed, fix, evidence } = await checkZones({ "a.test": { ...UNSIGNED, behaviour } });
    expect(observed).toContain('extended error 7, a signature has expired, "since 2020"; extended error 9');
    expect(fix?.text).toMatch(/^Have the zone signed again\. A signature has expired\./);
    expect(evidence).toMatchObject([
      { type: "SOA", rcode: "ERROR" },
      { type: "SOA", rcode: "NOERROR", checkingDisabled: true, data: ["ns.test. (serial 1)"] },
      { type: "MX", rcode: "ERROR" },
      { type: "MX", rcode: "NOERROR", checkingDisabled: true },
    ]);
  });

  it("that is bogus stays bogus for other users of the resolver: no unvalidated answer is cached", async () => {
    server.serve({ ...root, "a.test": { MX: ["10 mx.a.test"], ...UNSIGNED, behaviour: { bogus: [] } } });
    const resolver = createResolver({ servers: [server.address], clock: systemClock, ...IMPATIENT });
    const dns = createProbeDns({ resolver, clock: systemClock });
    const validator = validatorOf([server]);
    const [result] = await checkDnssec({ domain: "a.test", dns, validator, clock: systemClock });
    expect(result?.status).toBe("fail");
    expect(await resolver.resolve("a.test", "MX")).toMatchObject({ kind: "failed", code: "servfail" });
  });

  it("that is signed without a DS record differs from an unsigned zone", async () => {
    const DNSKEY = [{ flags: 257, algorithm: 13, key: Buffer.alloc(64) }];
    const DS = [{ keyTag: 1, algorithm: 200, digestType: 2, digest: Buffer.alloc(32) }];
    expect((await checkZones({ "a.test": { ...UNSIGNED, DNSKEY } })).observed).toContain("has no DS record");
    expect((await checkZones({ "a.test": { ...UNSIGNED, DNSKEY, DS } })).observed).toContain(
      "ignores it because",
    );
    expect((await checkZones({ "a.test": UNSIGNED })).observed).toContain("no DNSSEC signatures");
  });
});

describe("a resolver", () => {
  it("that does not validate gives not_tested, not insecure", async () => {
    server.serve({ ".": UNSIGNED, "a.test": UNSIGNED });
    const { status, observed } = await check("a.test", server);
    expect(status).toBe("not_tested");
    expect(observed).toContain(`none of the queried DNS servers (${server.address}) validates`);
  });

  it("that validates is found among others, with one probe for many domains", async () => {
    const validating = await startDnsServer({ ...root, "a.test": SIGNED, "b.test": UNSIGNED });
    server.serve({ ".": UNSIGNED, "a.test": UNSIGNED, "b.test": UNSIGNED });
    const validator = validatorOf([server, validating], { ...PATIENT, timeoutMs: 12_000 });
    const all = await Promise.all(
      ["a.test", "b.test"].map((name) => check(name, server, validator, PATIENT)),
    );
    expect(all.map(({ status }) => status)).toEqual(["pass", "warn"]);
    expect(all[0]?.evidence[0]?.server).toBe(validating.address);
    expect(validating.count(".")).toBe(1);
    await validating.close();
  });

  it("with unknown validation is an error", async () => {
    server.serve({ ".": { behaviour: "servfail" }, "a.test": UNSIGNED });
    expect((await check("a.test", server)).status).toBe("error");
  });

  it("that stops answering is replaced by another one", async () => {
    const [first, second] = [
      await startDnsServer({ ...root }),
      await startDnsServer({ ...root, "a.test": SIGNED }),
    ];
    const validator = validatorOf([first, second]);
    first.serve({ ...root, "a.test": { behaviour: "drop" } });
    expect((await check("a.test", second, validator)).status).toBe("error");
    first.serve({ ".": { behaviour: "drop" } });
    expect((await check("a.test", second, validator)).status).toBe("pass");
    await Promise.all([first.close(), second.close()]);
  });
});

const unbound = tool("unbound");
describe.skipIf(unbound.missing)(`behind an Unbound that validates${unbound.note}`, () => {
  let resolver: Unbound;
  beforeAll(async () => {
    server.serve({
      "failing.test": { ...SIGNED, behaviour: "servfail" },
      "refusing.test": { ...SIGNED, behaviour: "refused" },
    });
    resolver = await startUnbound({
      zones: {
        "valid.test": "valid",
        "expired.test": "expired",
        "altered.test": "altered",
        "unsigned.test": "unsigned",
        "island.test": "island",
        "keyless.test": "without_keys",
        "failing.test": "elsewhere",
        "refusing.test": "elsewhere",
      },
      elsewhere: server.address,
    });
  });
  afterAll(() => resolver.close());

  it.each<[string, CheckStatus, string]>([
    ["valid.test", "pass", "signed with valid signatures"],
    ["mx.valid.test", "pass", "signed with valid signatures"],
    ["unsigned.test", "warn", "no DNSSEC signatures"],
    ["island.test", "warn", "the parent zone has no DS record"],
    ["expired.test", "fail", "extended error"],
    ["altered.test", "fail", "extended error"],
    ["keyless.test", "fail", "extended error"],
    ["nobody.test", "not_tested", "does not exist"],
    ["failing.test", "error", "SERVFAIL"],
    ["refusing.test", "error", "SERVFAIL"],
  ])("%s: %s", async (domain, status, words) => {
    const validator = validatorOf([resolver], { retryMs: 500, timeoutMs: 8_000 });
    const result = await check(domain, resolver, validator, {});
    expect(result).toMatchObject({ status, observed: expect.stringContaining(words) });
  });
});
