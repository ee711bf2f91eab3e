import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkBimi } from "../../src/intel/bimi/check-bimi.ts";
import type { DomainRole } from "../../src/intel/catalogue.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { IMPATIENT, probeZones } from "../harness/probe-zones.ts";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

async function check(zones: DnsZones, role: DomainRole = "sending", domain = "example.com") {
  return checkBimi({ domain, role, dns: probeZones(server, zones, IMPATIENT) });
}

const GOOD = "v=BIMI1; l=https://example.com/a.svg; a=https://example.com/a.pem; avp=brand; lps=x";
const bimi = (...TXT: string[]): DnsZones => ({ "default._bimi.example.com": { TXT } });
const dmarc = (text: string): DnsZones => ({ "_dmarc.example.com": { TXT: [text] } });
const REJECT = dmarc("v=DMARC1; p=reject");
const enforced = (...texts: string[]): DnsZones => ({ ...bimi(...texts), ...REJECT });

type Row = [what: string, zones: DnsZones, status: CheckStatus, role?: DomainRole, domain?: string];
const ROWS: readonly Row[] = [
  ["a record", enforced(GOOD), "pass"],
  ["a record with a certificate missing", enforced("v=BIMI1; l=https://example.com/a.svg"), "pass"],
  ["a record that has something else beside it", enforced("x", "v=bimi1; l=", GOOD), "pass"],
  ["a record of the organisational domain", enforced(GOOD), "pass", "sending", "mail.example.com"],
  ["quarantine", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=quarantine; pct=100") }, "pass"],
  ["a domain that declines", bimi("v=BIMI1; l=; a="), "pass"],
  ["none", REJECT, "not_tested"],
  ["another version", enforced("v=BIMI2; l=https://example.com/a.svg"), "not_tested"],
  ["a parked domain", enforced(GOOD), "not_tested", "parked"],
  ["two records", enforced(GOOD, GOOD), "fail"],
  ["no l", enforced("v=BIMI1; a=https://example.com/a.pem"), "fail"],
  ["a tag twice", enforced("v=BIMI1; l=https://a.test/a.svg; l=https://b.test/a.svg"), "fail"],
  ["an image without TLS", enforced("v=BIMI1; l=http://example.com/a.svg"), "fail"],
  ["a certificate that is no address", enforced("v=BIMI1; l=https://example.com/a.svg; a=self"), "fail"],
  ["no DMARC", bimi(GOOD), "warn"],
  ["DMARC that asks for nothing", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=none") }, "warn"],
  ["DMARC in test mode", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=reject; t=y") }, "warn"],
  [
    "DMARC that asks for nothing of subdomains",
    { ...bimi(GOOD), ...dmarc("v=DMARC1; p=reject; sp=none") },
    "warn",
  ],
  ["DMARC for a part of the mail", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=quarantine; pct=50") }, "warn"],
  ["DMARC that receivers do not use", { ...bimi(GOOD), ...dmarc("v=DMARC1; p=x") }, "warn"],
  ["SERVFAIL", { "default._bimi.example.com": { behaviour: "servfail" } }, "error"],
  ["no answer", { "default._bimi.example.com": { behaviour: "drop" } }, "error"],
  ["REFUSED", { "default._bimi.example.com": { behaviour: "refused" } }, "error"],
  ["no more than a piece", { "default._bimi.example.com": { behaviour: "truncate_always" } }, "error"],
  ["no answer about DMARC", { ...bimi(GOOD), "_dmarc.example.com": { behaviour: "servfail" } }, "error"],
  [
    "no answer about who the organisation is",
    { "_dmarc.example.com": { behaviour: "refused" } },
    "error",
    "sending",
    "mail.example.com",
  ],
];

describe("the BIMI record", () => {
  it.each<Row>(ROWS)("%s", async (_, zones, status, role, domain) => {
    const [found, ...others] = await check(zones, role, domain);
    expect(others).toEqual([]);
    expect(found, JSON.stringify(found)).toMatchObject({ id: "reputation.bimi", status });
    expect(found?.observed).toMatch(/\.$/);
    if (status === "fail" || status === "warn") expect(found?.fix?.text).toBeTruthy();
    else expect(found?.fix).toBeUndefined();
  });

  it("is shown with the DMARC record that it needs", async () => {
    const [found] = await check(enforced(GOOD));
    expect(found?.evidence).toMatchObject([
      { name: "default._bimi.example.com", ttlSeconds: 300 },
      { name: "_dmarc.example.com", data: ['"v=DMARC1; p=reject"'] },
      { name: "_dmarc.com" },
    ]);
  });
});
