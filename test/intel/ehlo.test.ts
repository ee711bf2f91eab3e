import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { checkEhlo } from "../../src/intel/reverse/check-ehlo.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { IMPATIENT, probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const V4 = "203.0.113.5";
const V6 = "2001:db8:1::5";
const PTR4 = "5.113.0.203.in-addr.arpa";
const PTR6 = `${"5.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.0.8.b.d.0.1.0.0.2"}.ip6.arpa`;
const NAME = "mx.example.com";

async function check(
  zones: DnsZones,
  names: Readonly<Record<string, string>>,
  addresses: readonly string[] = [V4],
) {
  const dns = probeZones(server, zones, IMPATIENT);
  const [result] = await checkEhlo({ addresses, ehloNameOf: (address) => names[address], dns });
  if (!result) throw new Error("no result");
  return withParts(result);
}

const good: DnsZones = { [NAME]: { A: [V4] }, [PTR4]: { PTR: ["other.example.com", "MX.example.com."] } };

describe("the EHLO name of a sending address", () => {
  it.each<[string, DnsZones, string, CheckStatus]>([
    ["is its name", good, "Mx.Example.com", "pass"],
    ["leads to it, and is not its name", { ...good, [PTR4]: { PTR: ["a.example.com"] } }, NAME, "warn"],
    ["leads to it, and it has no name", { [NAME]: { A: [V4] } }, NAME, "warn"],
    ["leads elsewhere", { ...good, [NAME]: { A: ["192.0.2.1"] } }, NAME, "fail"],
    ["does not exist", { [PTR4]: { PTR: [NAME] } }, NAME, "fail"],
    ["is no name of a host", good, "[203.0.113.5]", "fail"],
    ["cannot be looked up", { ...good, [NAME]: { behaviour: "servfail" } }, NAME, "error"],
    ["is refused", { ...good, [NAME]: { behaviour: "refused" } }, NAME, "error"],
    ["is not answered", { ...good, [NAME]: { behaviour: "drop" } }, NAME, "error"],
    ["is cut short", { ...good, [NAME]: { behaviour: "truncate_always" } }, NAME, "error"],
    [
      "leads to it, and its name cannot be looked up",
      { ...good, [PTR4]: { behaviour: "servfail" } },
      NAME,
      "error",
    ],
  ])("%s", async (_, zones, name, status) => {
    const result = await check(zones, { [V4]: name });
    expect(result.status).toBe(status);
    expect(result.fix !== undefined).toBe(status === "fail" || status === "warn");
  });

  it("may belong to an IPv6 address in any spelling", async () => {
    const zones: DnsZones = { [NAME]: { AAAA: ["2001:db8:1:0::5"] }, [PTR6]: { PTR: [NAME] } };
    expect((await check(zones, { [V6]: NAME }, [V6])).status).toBe("pass");
  });

  it("is not tested if it is unknown, and the worst address counts", async () => {
    expect((await check(good, {})).status).toBe("not_tested");
    expect((await check(good, {}, [])).status).toBe("not_tested");
    const { status, observed } = await check(good, { [V4]: NAME, [V6]: NAME }, [V4, V6]);
    expect([status, observed]).toEqual(["fail", expect.stringMatching(/^2001:db8:1::5: /)]);
  });
});
