import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDmarcWithOffer } from "../../src/intel/dmarc/offer-reports.ts";
import { resultsBelow } from "../harness/check-results.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { IMPATIENT, probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

const ADDRESS = "dmarc+abc-def@bounce.hermod.test";
const MISSING = '*._report._dmarc.bounce.hermod.test TXT "v=DMARC1"';
/** A wildcard record that answers for every name. */
const AGREES: DnsZones = { "example.com._report._dmarc.bounce.hermod.test": { TXT: ["v=DMARC1"] } };
const record = (value: string): DnsZones => ({ "_dmarc.example.com": { TXT: [value] } });

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

async function check(zones: DnsZones, domain = "example.com") {
  const dns = probeZones(server, zones, IMPATIENT);
  const results = await checkDmarcWithOffer({ domain, role: "sending", dns, reportAddress: ADDRESS });
  return results.map(withParts);
}
const { find } = resultsBelow("auth.dmarc");

describe("Hermod's own address for reports", () => {
  it("is proposed if its domain agrees", async () => {
    expect(find(await check(AGREES), "exists").fix?.record?.value).toBe(
      `v=DMARC1; p=none; rua=mailto:${ADDRESS}`,
    );
    const results = await check({ ...AGREES, ...record("v=DMARC1; p=reject") });
    expect(find(results, "rua").fix?.record?.value).toBe(`v=DMARC1; p=reject; rua=mailto:${ADDRESS}`);
    const asked = await check({ ...AGREES, ...record(`v=DMARC1; p=reject; rua=mailto:${ADDRESS}`) });
    expect([find(asked, "rua").status, find(asked, "rua_authorised").status]).toEqual(["pass", "pass"]);
  });

  it("needs no permission within one organization", async () => {
    const results = await check({ "_dmarc.hermod.test": { TXT: ["v=DMARC1; p=none"] } }, "hermod.test");
    expect(find(results, "rua").fix?.record?.value).toContain(ADDRESS);
  });

  it("is not proposed if its domain does not agree, and the result names the missing record", async () => {
    for (const [zones, name] of [
      [{ "example.com": { TXT: ["x"] } }, "exists"],
      [record("v=DMARC1; p=reject"), "rua"],
    ] as const) {
      const { observed, fix } = find(await check(zones), name);
      expect(observed).toContain(MISSING);
      expect(fix?.record?.value ?? "").not.toContain(ADDRESS);
    }
    const fine = await check(record("v=DMARC1; p=reject; rua=mailto:dmarc@example.com"));
    expect(fine.some(({ observed }) => observed.includes("_report"))).toBe(false);
  });

  it("is repaired by the operator of Hermod if the domain already uses it", async () => {
    const results = await check(record(`v=DMARC1; p=reject; rua=mailto:${ADDRESS}`));
    const { status, fix } = find(results, "rua_authorised");
    expect(status).toBe("fail");
    expect(fix?.record).toEqual({
      name: "*._report._dmarc.bounce.hermod.test",
      type: "TXT",
      value: "v=DMARC1",
    });
    expect(fix?.text).toContain("The operator of Hermod");
  });

  it("is not proposed, without a remark, if the lookup fails", async () => {
    const name = "example.com._report._dmarc.bounce.hermod.test";
    const zones = {
      ...record("v=DMARC1; p=reject"),
      [name]: { behaviour: "servfail" },
    } as unknown as DnsZones;
    const { observed, fix } = find(await check(zones), "rua");
    expect(observed).not.toContain("_report");
    expect(fix?.record).toBeUndefined();
  });
});
