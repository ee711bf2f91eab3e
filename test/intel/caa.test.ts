import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkCaa } from "../../src/intel/caa/check-caa.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { type DnsServer, type DnsZones, PATIENT, startDnsServer } from "../harness/dns-server.ts";
import { IMPATIENT, type ProbeZonesOptions, probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const caa = (value: string, tag = "issue", flags = 0) => ({ CAA: [{ flags, tag, value }] });
const MX = "mx.example.com";

async function check(
  zones: DnsZones,
  hosts: readonly string[] = [MX],
  maxLookups?: number,
  patience: ProbeZonesOptions = IMPATIENT,
) {
  const dns = probeZones(server, zones, { ...patience, maxLookups });
  const [result] = await checkCaa({ domain: "example.com", hosts, dns });
  if (!result) throw new Error("no result");
  return withParts(result);
}

describe("CAA of the hosts that need a certificate", () => {
  it.each<[string, DnsZones, CheckStatus, string]>([
    ["is not there", {}, "pass", "mx.example.com: no CAA record restricts"],
    ["names an authority", { [MX]: caa("ca.test") }, "pass", "mx.example.com: only ca.test may issue."],
    [
      "is that of a name above",
      { "example.com": caa("ca.test") },
      "pass",
      "(CAA of example.com): only ca.test",
    ],
    [
      "is that of the nearest name",
      { [MX]: caa("ca.test"), "example.com": caa(";") },
      "pass",
      "only ca.test",
    ],
    ["is that of the public suffix", { com: caa(";") }, "warn", "(CAA of com)"],
    [
      "is that of the host, and not of what is above its alias's target",
      { [MX]: { CNAME: "mx.other.test" }, "other.test": caa(";"), "example.com": caa("ca.test") },
      "pass",
      "(CAA of example.com)",
    ],
    [
      "is that of its alias's target",
      { [MX]: { CNAME: "mx.other.test" }, "mx.other.test": caa(";") },
      "warn",
      "No authority may issue",
    ],
    ["forbids all", { [MX]: caa(";") }, "warn", "No authority may issue"],
    ["is malformed", { [MX]: caa("ca test") }, "warn", "does not name a valid authority"],
    ["has a critical tag that nobody knows", { [MX]: caa("x", "tbs", 128) }, "warn", '"tbs" is critical'],
    [
      "only asks for reports",
      { [MX]: caa("mailto:a@example.com", "iodef") },
      "pass",
      "any authority may issue",
    ],
  ])("%s", async (_, zones, status, words) => {
    const { status: found, observed, fix } = await check(zones);
    expect([found, observed]).toEqual([status, expect.stringContaining(words)]);
    expect(fix !== undefined).toBe(status === "warn");
  });

  it.each(["servfail", "refused", "drop", "truncate_always", "garbage"] as const)(
    "of which nothing is known (%s) is an error, wherever that is on the way up",
    async (behaviour) => {
      expect((await check({ "example.com": { behaviour, misbehavesFor: ["CAA"] } })).status).toBe("error");
    },
  );

  it("of the MTA-STS policy host count, too, if it exists", async () => {
    const zones: DnsZones = { "mta-sts.example.com": { A: ["192.0.2.1"], ...caa(";") } };
    expect((await check(zones)).status).toBe("warn");
    expect((await check({ "mta-sts.example.com": caa(";") })).status).toBe("pass");
    expect((await check({ "mta-sts.example.com": { behaviour: "servfail" } })).status).toBe("error");
  });

  it("is not tested if no host needs a certificate", async () => {
    expect((await check({}, [])).status).toBe("not_tested");
  });

  it("includes all queried names in the evidence, without duplicates", async () => {
    const { evidence } = await check({ "example.com": caa("ca.test") }, ["a.example.com", "b.example.com"]);
    expect(evidence.map(({ name, data }) => [name, ...data])).toEqual([
      ["a.example.com"],
      ["example.com", '0 issue "ca.test"'],
      ["b.example.com"],
    ]);
  });

  it("of many or deep hosts needs few lookups", async () => {
    const many = Array.from({ length: 50 }, (_, n) => `mx${n}.h${n}.example.com`);
    const before = server.queries.length;
    expect((await check({}, many, undefined, PATIENT)).status).toBe("pass");
    expect(server.queries.length - before).toBeLessThan(20);
    expect((await check({}, [`${"a.".repeat(60)}example.com`])).status).toBe("error");
    expect((await check({}, many, 3)).status).toBe("error");
  });
});
