import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DomainRole, domainRoles } from "../../src/intel/catalogue.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import { checkDmarc } from "../../src/intel/dmarc/check-dmarc.ts";
import { outcomesOf } from "../../src/intel/score/outcomes.ts";
import { cappedTotal } from "../../src/intel/score/score.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

const DOMAIN = "mail.example.com";
const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 150);

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

async function check(zones: DnsZones, role: DomainRole) {
  const dns = probeZones(server, zones);
  const results = await checkDmarc({ domain: DOMAIN, role, dns, reportAddress: "dmarc@agrees.test" });
  return results.map(withParts);
}

const scoreOf = (results: readonly CheckResult[], role: DomainRole) =>
  cappedTotal(outcomesOf({ role, results, lastResults: {}, blacklistWeights: {} })) ?? -1;

const part = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("p", "p", "sp", "np", "P"),
      fc.constantFrom("none", "quarantine", "Reject", "foo", ""),
    )
    .map(([name, value]) => `${name}=${value}`),
  fc.constantFrom(
    ...["t=y", "t=x", "adkim=s", "aspf=x", "fo=0:1", "pct=50", "ri=1", "x=y", "junk", "constructor=1"],
    ...[
      "rua=mailto:a@example.com",
      "rua=a@example.com",
      "rua=mailto:a@agrees.test,b",
      "rua=https://example.com/",
    ],
    ...["psd=n", "psd=y", "psd=u", "ruf=x"],
  ),
);
const version = fc.constantFrom("v=DMARC1", "v=DMARC1", "v=DMARC1", "V = DMARC1", "v=dmarc1");
const text = fc
  .tuple(version, fc.array(part, { maxLength: 6 }))
  .map(([beginning, parts]) => [beginning, ...parts].join("; "));
const texts = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(text) },
  { weight: 2, arbitrary: fc.constant([]) },
  fc.uniqueArray(text, { minLength: 2, maxLength: 3 }),
);
const zones = fc.tuple(texts, texts).map(
  ([own, above]): DnsZones => ({
    [`_dmarc.${DOMAIN}`]: { TXT: own },
    "_dmarc.example.com": { TXT: above },
    [`${DOMAIN}._report._dmarc.agrees.test`]: { TXT: ["v=DMARC1"] },
    "example.com._report._dmarc.agrees.test": { TXT: ["v=DMARC1"] },
  }),
);

describe("the proposed record of any result", () => {
  it("makes the check pass, causes no new failure and does not lower the score", async () => {
    await fc.assert(
      fc.asyncProperty(zones, fc.constantFrom(...domainRoles), async (given, role) => {
        const before = await check(given, role);
        for (const { id, fix, status } of before) {
          if (!fix?.record) continue;
          expect(["warn", "fail"]).toContain(status);
          const { name, value } = fix.record;
          const after = await check({ ...given, [name]: { TXT: [value] } }, role);
          const statuses = new Map(after.map((one) => [one.id, one.status]));
          expect([id, value, statuses.get(id)]).toEqual([id, value, "pass"]);
          const worse = before.filter((one) => one.status === "pass" && statuses.get(one.id) === "fail");
          expect([id, value, worse.map((one) => one.id)]).toEqual([id, value, []]);
          // A parked domain needs no reports. If it requests them, their authorization is checked, too.
          if (role === "parked" && id === "auth.dmarc.rua") continue;
          expect([id, value, scoreOf(after, role) >= scoreOf(before, role)]).toEqual([id, value, true]);
        }
      }),
      {
        numRuns: RUNS,
        examples: [
          [
            {
              [`_dmarc.${DOMAIN}`]: { TXT: ["v=dmarc1; psd=n"] },
              "_dmarc.example.com": { TXT: ["v=DMARC1; rua=mailto:a@example.com"] },
            },
            "sending",
          ],
        ],
      },
    );
  }, 60_000);
});
