import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { createValidator } from "../../src/dns/validator.ts";
import { BUDGET_REASON, lookupBudgets } from "../../src/intel/probe-dns.ts";
import { createRunChecks } from "../../src/intel/run-checks.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { PolicyError } from "../../src/transport-security/mta-sts/fetch-policy.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";

const DOMAIN = "example.com";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const numbered = <T>(count: number, of: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => of(index));
const SENDING_IPS = numbered(20, (index) => `45.10.1.${index}`);

/** The maximum that the API and the standards allow for a domain. */
const FULL: DnsZones = {
  [DOMAIN]: {
    TXT: [
      [
        `v=spf1 ${numbered(5, (index) => `mx:m${index}.example.com`).join(" ")} `,
        `${numbered(5, (index) => `mx:m${index + 5}.example.com`).join(" ")} -all`,
      ],
    ],
    MX: numbered(20, (index) => `${index} in${index}.example.com`),
  },
  ...Object.fromEntries(
    numbered(10, (index) => [
      `m${index}.example.com`,
      { MX: numbered(10, (host) => `${host} h${host}.m${index}.example.com`) },
    ]),
  ),
  ...Object.fromEntries(
    numbered(100, (index) => [
      `h${index % 10}.m${Math.floor(index / 10)}.example.com`,
      { A: [`45.10.2.${index}`], AAAA: [`2a00:1::${index}`] },
    ]),
  ),
  ...Object.fromEntries(numbered(20, (index) => [`in${index}.example.com`, { A: [`45.10.3.${index}`] }])),
  ...Object.fromEntries(
    numbered(20, (index) => [
      `${index}.1.10.45.in-addr.arpa`,
      { PTR: numbered(5, (name) => `n${name}.out${index}.example.com`) },
    ]),
  ),
  ...Object.fromEntries(numbered(20, (index) => [`n4.out${index}.example.com`, { A: [`45.10.1.${index}`] }])),
  "_domainkey.example.com": { TXT: ["o=-"] },
};

function check(sendingIps: readonly string[]) {
  const servers = [server.address];
  const runChecks = createRunChecks({
    resolver: createResolver({ servers, clock: systemClock }),
    zoneResolver: () => createResolver({ servers, clock: systemClock }),
    validator: createValidator({ servers, clock: systemClock, timeoutMs: 500, retryMs: 20, failureMs: 1 }),
    findProbes: async () => ({ probes: new Map(), vantage: "unknown", reachesIpv6: false }),
    fetchPolicy: async () => {
      throw new PolicyError("there is none", { isKnown: true });
    },
    fetchMark: async () => {
      throw new Error("no record names a mark");
    },
    lookUpRdap: undefined,
    ehloNameOf: (address) => `out.${address}.example.com`,
    clock: systemClock,
  });
  return runChecks({ name: DOMAIN, role: "sending", dkimSelectors: [], sendingIps }, "due");
}

describe("the lookups of a check run", () => {
  it("suffice for 20 sending addresses, ten SPF lookups, 20 mail servers and no selector", async () => {
    server.serve(FULL);
    const results = await check(SENDING_IPS);
    const over = results.filter(({ evidence }) => evidence.some(({ reason }) => reason === BUDGET_REASON));
    expect(over.map(({ id }) => id)).toEqual([]);
    const statusOf = (wanted: string) => results.find(({ id }) => id === wanted)?.status;
    expect(statusOf("auth.spf.senders")).toBe("fail");
    expect(statusOf("reputation.fcrdns")).toBe("pass");
    expect(statusOf("auth.spf.lookups")).toBe("warn");
  });

  it("of a group that exhausts its budget leave the other groups their budgets", async () => {
    const includes = (name: string, count: number) => ({
      TXT: [["v=spf1", ...numbered(count, (index) => ` include:${name}${index}.test`), " -all"]],
    });
    server.serve({
      ...FULL,
      [DOMAIN]: { ...FULL[DOMAIN], ...includes("x", lookupBudgets.spf + 40) },
      ...Object.fromEntries(
        numbered(lookupBudgets.spf + 40, (index) => [
          `x${index}.test`,
          { TXT: ["v=spf1 ip4:45.10.9.9 -all"] },
        ]),
      ),
    });
    const results = await check(SENDING_IPS);
    const over = results.filter(({ evidence }) => evidence.some(({ reason }) => reason === BUDGET_REASON));
    expect(over.every(({ id }) => id.startsWith("auth.spf."))).toBe(true);
    expect(results.find(({ id }) => id === "auth.spf.lookups")?.status).toBe("fail");
    expect(results.find(({ id }) => id === "reputation.fcrdns")?.status).toBe("pass");
  });
});
