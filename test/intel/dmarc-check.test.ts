import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogue, type DomainRole } from "../../src/intel/catalogue.ts";
import type { CheckResult, CheckStatus } from "../../src/intel/check-result.ts";
import { checkDmarc } from "../../src/intel/dmarc/check-dmarc.ts";
import { parseDmarc } from "../../src/intel/dmarc/parse-dmarc.ts";
import { outcomesOf } from "../../src/intel/score/outcomes.ts";
import { totalOf } from "../../src/intel/score/score.ts";
import { resultsBelow } from "../harness/check-results.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

const DOMAIN = "example.com";
const SUB = "mail.example.com";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

interface Options {
  readonly domain?: string;
  readonly role?: DomainRole;
  readonly reportAddress?: string;
}

async function check(zones: DnsZones, { domain = DOMAIN, role = "sending", reportAddress }: Options = {}) {
  const dns = probeZones(server, zones, { retryMs: 50, tries: 2 });
  const results = await checkDmarc({
    domain,
    role,
    dns,
    ...(reportAddress !== undefined && { reportAddress }),
  });
  return results.map(withParts);
}

const { find, statusesOf } = resultsBelow("auth.dmarc");
const score = (results: readonly CheckResult[], { role = "sending" }: Options = {}) =>
  totalOf(outcomesOf({ role, results, lastResults: {}, blacklistWeights: {} })) ?? -1;
const at = (domain: string, ...TXT: string[]): DnsZones => ({ [`_dmarc.${domain}`]: { TXT } });
const own = (...TXT: string[]) => at(DOMAIN, ...TXT);
const agrees = (domain: string, destination: string): DnsZones => ({
  [`${domain}._report._dmarc.${destination}`]: { TXT: ["v=DMARC1"] },
});
const RUA = "rua=mailto:dmarc@example.com";
const NOBODY = "v=DMARC1; p=reject";
const START = "v=DMARC1; p=none";

type Row = [
  id: string,
  what: string,
  zones: DnsZones,
  status: CheckStatus,
  /** Value of the record to publish. If its name is not `_dmarc` of the domain, prefixed with the name and a space. */
  fix?: string | undefined,
  options?: Options,
];

const ROWS: readonly Row[] = [
  ["exists", "a record", own("v=DMARC1; p=none"), "pass"],
  [
    "exists",
    "a record in two strings",
    { "_dmarc.example.com": { TXT: [["v=DMARC1; p=", "none"]] } },
    "pass",
  ],
  ["exists", "junk beside a good record", own("v=dmarc1; p=reject", "x", "v=DMARC1; p=none"), "pass"],
  [
    "exists",
    "an alias",
    { "_dmarc.example.com": { CNAME: "_dmarc.a.test" }, ...at("a.test", START) },
    "pass",
  ],
  ["exists", "no name", {}, "fail", START],
  [
    "exists",
    "no record, and an address for reports",
    {},
    "fail",
    "v=DMARC1; p=none; rua=mailto:dmarc+a@reports.test",
    { reportAddress: "dmarc+a@reports.test" },
  ],
  ["exists", "other texts", own("v=spf1 -all"), "fail", START],
  ["exists", "no record of a parked domain", {}, "fail", NOBODY, { role: "parked" }],
  ["exists", "no record of a domain that sends nothing", {}, "fail", NOBODY, { role: "receiving" }],
  ["exists", "small letters", own("v=dmarc1; p=reject; sp=none"), "fail", "v=DMARC1; p=reject; sp=none"],
  ["exists", "no semicolon", own(`v=DMARC1 p=quarantine; ${RUA}`), "fail", `v=DMARC1; p=quarantine; ${RUA}`],
  ["exists", "quotation marks", own('"v=DMARC1; p=reject"'), "fail", "v=DMARC1; p=reject"],
  [
    "exists",
    "several records",
    own(`v=DMARC1; p=reject; ${RUA}`, "v=DMARC1; p=quarantine; sp=none; rua=mailto:a@example.com"),
    "fail",
    `v=DMARC1; p=quarantine; ${RUA},mailto:a@example.com; sp=none`,
  ],
  ["exists", "a record above", own(START), "pass", undefined, { domain: SUB }],
  [
    "exists",
    "several records, and one above",
    { ...at(SUB, START, "v=DMARC1; p=reject"), ...own(`v=DMARC1; p=reject; sp=quarantine; ${RUA}`) },
    "warn",
    `v=DMARC1; p=quarantine; ${RUA}`,
    { domain: SUB },
  ],
  ["exists", "a record of the public suffix", at("com", "v=DMARC1; p=reject; psd=y"), "warn", NOBODY],

  [
    "valid",
    "all tags",
    own(`v=DMARC1; p=none; sp=none; np=none; adkim=r; aspf=s; fo=1; ${RUA}; psd=n; t=n`),
    "pass",
  ],
  ["valid", "spaces", own("v = DMARC1 ; p = reject ;"), "pass"],
  ["valid", "unknown tags", own("v=DMARC1; p=none; x=1"), "pass"],
  ["valid", "no p", own(`v=DMARC1; ${RUA}`), "warn", `v=DMARC1; p=none; ${RUA}`],
  ["valid", "a wrong p with an address", own(`v=DMARC1; p=foo; ${RUA}`), "warn", `v=DMARC1; p=none; ${RUA}`],
  ["valid", "a wrong p", own("v=DMARC1; p=foo"), "fail", START],
  ["valid", "a wrong sp", own("v=DMARC1; p=reject; sp=no"), "fail", "v=DMARC1; p=reject; sp=none"],
  ["valid", "a wrong p of a parked domain", own("v=DMARC1; p=rejekt"), "fail", NOBODY, { role: "parked" }],
  ["valid", "a tag twice", own("v=DMARC1; p=none; p=reject; adkim=s"), "fail", "v=DMARC1; p=none; adkim=s"],
  ["valid", "a part that is no tag", own("v=DMARC1; reject; p=none"), "warn", START],
  [
    "valid",
    "a wrong value",
    own("v=DMARC1; p=none; adkim=strict; aspf=s"),
    "warn",
    "v=DMARC1; p=none; aspf=s",
  ],
  ["valid", "capitals", own("V=DMARC1; P=NONE"), "warn", "v=DMARC1; p=NONE"],
  ["valid", "a fault above", own("v=DMARC1; p=foo"), "fail", START, { domain: SUB }],

  ["policy", "quarantine", own("v=DMARC1; p=quarantine"), "pass"],
  ["policy", "reject", own("v=DMARC1; p=Reject"), "pass"],
  ["policy", "reject in test mode", own("v=DMARC1; p=reject; t=y"), "pass"],
  [
    "policy",
    "none",
    own(`v=DMARC1; adkim=s; p=none; ${RUA}; x=1`),
    "warn",
    `v=DMARC1; p=quarantine; adkim=s; ${RUA}; x=1`,
  ],
  ["policy", "no p", own(`v=DMARC1; ${RUA}`), "warn", `v=DMARC1; p=quarantine; ${RUA}`],
  ["policy", "quarantine in test mode", own("v=DMARC1; p=quarantine; t=y"), "warn", "v=DMARC1; p=quarantine"],
  [
    "policy",
    "a wrong p with an address",
    own(`v=DMARC1; p=x; ${RUA}`),
    "warn",
    `v=DMARC1; p=quarantine; ${RUA}`,
  ],
  [
    "policy",
    "a wrong sp with an address",
    own(`v=DMARC1; p=reject; sp=x; ${RUA}`),
    "warn",
    `v=DMARC1; p=reject; sp=none; ${RUA}`,
  ],
  ["policy", "none of a domain that sends nothing", own(START), "warn", NOBODY, { role: "receiving" }],
  ["policy", "reject of a parked domain", own(NOBODY), "pass", undefined, { role: "parked" }],
  ["policy", "none of a parked domain", own(START), "fail", NOBODY, { role: "parked" }],
  [
    "policy",
    "quarantine of a parked domain",
    own("v=DMARC1; p=quarantine"),
    "warn",
    NOBODY,
    { role: "parked" },
  ],
  [
    "policy",
    "a parked domain in test mode",
    own("v=DMARC1; p=reject; t=y"),
    "warn",
    NOBODY,
    { role: "parked" },
  ],
  ["policy", "sp of a record above", own("v=DMARC1; p=none; sp=reject"), "pass", undefined, { domain: SUB }],
  [
    "policy",
    "a weak sp of a record above",
    own(`v=DMARC1; p=reject; sp=none; adkim=s; ${RUA},mailto:x@other.test; psd=n`),
    "warn",
    `_dmarc.mail.example.com v=DMARC1; p=quarantine; adkim=s; ${RUA}`,
    { domain: SUB },
  ],
  [
    "policy",
    "np of a record above, for a name that does not exist",
    own("v=DMARC1; p=none; np=reject"),
    "pass",
    undefined,
    { domain: SUB },
  ],
  [
    "policy",
    "np of a record above, which is for other names",
    { ...own("v=DMARC1; p=none; np=reject"), [SUB]: { A: ["192.0.2.1"] } },
    "warn",
    "_dmarc.mail.example.com v=DMARC1; p=quarantine",
    { domain: SUB },
  ],
  ["policy", "no record", {}, "not_tested"],

  ["subdomains", "no sp", own("v=DMARC1; p=reject"), "pass"],
  ["subdomains", "stricter ones", own("v=DMARC1; p=none; sp=reject; np=reject"), "pass"],
  ["subdomains", "none beside none", own("v=DMARC1; p=none; sp=none"), "pass"],
  ["subdomains", "a weaker sp", own("v=DMARC1; p=reject; sp=none; x=1"), "warn", "v=DMARC1; p=reject; x=1"],
  ["subdomains", "a weaker np", own("v=DMARC1; p=reject; np=quarantine"), "warn", NOBODY],
  [
    "subdomains",
    "a weaker sp in test mode",
    own("v=DMARC1; p=quarantine; sp=none; t=y"),
    "warn",
    "v=DMARC1; p=quarantine; t=y",
  ],
  [
    "subdomains",
    "a weaker sp of a record above, which is for names below",
    { ...at(SUB, NOBODY), ...own("v=DMARC1; p=reject; sp=none") },
    "warn",
    undefined,
    { domain: SUB },
  ],
  [
    "subdomains",
    "an own weaker sp, which nobody heeds below the organisational domain",
    { ...at(SUB, "v=DMARC1; p=reject; sp=none"), ...own("v=DMARC1; p=reject") },
    "pass",
    undefined,
    { domain: SUB },
  ],

  ["rua", "an address", own(`v=DMARC1; p=none; ${RUA}`), "pass"],
  ["rua", "an address and another URI", own(`v=DMARC1; p=none; ${RUA}!10m,https://example.com/`), "pass"],
  ["rua", "none", own("v=DMARC1; p=none"), "fail"],
  [
    "rua",
    "none, and an address is known",
    own("v=DMARC1; p=none; x=1"),
    "fail",
    "v=DMARC1; p=none; x=1; rua=mailto:a@reports.test",
    { reportAddress: "a@reports.test" },
  ],
  [
    "rua",
    "one that only a registry asks for",
    at("com", "v=DMARC1; p=reject; psd=y; rua=mailto:a@registry.test"),
    "fail",
    "v=DMARC1; p=reject; rua=mailto:a@reports.test",
    { reportAddress: "a@reports.test" },
  ],
  ["rua", "none of a parked domain", own(NOBODY), "warn", undefined, { role: "parked" }],
  ["rua", "no mailto", own("v=DMARC1; rua=a@example.com"), "fail", "v=DMARC1; rua=mailto:a@example.com"],
  ["rua", "no address", own("v=DMARC1; p=none; rua=https://example.com/"), "fail"],
  [
    "rua",
    "one that is none",
    own(`v=DMARC1; p=none; ${RUA},b@example.com, nobody`),
    "warn",
    `v=DMARC1; p=none; ${RUA},mailto:b@example.com`,
  ],

  ["rua_authorised", "the domain's own", own(`v=DMARC1; p=none; ${RUA}`), "pass"],
  ["rua_authorised", "a name below", own("v=DMARC1; p=none; rua=mailto:a@mail.example.com"), "pass"],
  [
    "rua_authorised",
    "the organisational domain's",
    { ...at(SUB, `v=DMARC1; ${RUA}`), ...own(START) },
    "pass",
    undefined,
    { domain: SUB },
  ],
  [
    "rua_authorised",
    "another one that agrees",
    { ...own("v=DMARC1; p=none; rua=mailto:a@other.test"), ...agrees(DOMAIN, "other.test") },
    "pass",
  ],
  [
    "rua_authorised",
    "another one that does not agree",
    own("v=DMARC1; p=none; rua=mailto:a@Other.test"),
    "fail",
    "example.com._report._dmarc.other.test v=DMARC1",
  ],
  [
    "rua_authorised",
    "another one that has something else there",
    {
      ...own("v=DMARC1; p=none; rua=mailto:a@other.test"),
      "example.com._report._dmarc.other.test": { TXT: ["v=spf1 -all"] },
    },
    "fail",
    "example.com._report._dmarc.other.test v=DMARC1",
  ],
  [
    "rua_authorised",
    "some that do not agree",
    own(`v=DMARC1; p=none; ${RUA},mailto:a@other.test,mailto:b@other.test`),
    "warn",
    "example.com._report._dmarc.other.test v=DMARC1",
  ],
  [
    "rua_authorised",
    "a name below that is an organisation of its own",
    { ...own(`v=DMARC1; p=none; rua=mailto:a@${SUB}`), ...at(SUB, "v=DMARC1; psd=n") },
    "fail",
    "example.com._report._dmarc.mail.example.com v=DMARC1",
  ],
  [
    "rua_authorised",
    "one that agrees to the organisational domain, whose record it is",
    { ...own("v=DMARC1; p=none; rua=mailto:a@other.test"), ...agrees(DOMAIN, "other.test") },
    "pass",
    undefined,
    { domain: SUB },
  ],
  [
    "rua_authorised",
    "an address of a registry",
    at("com", "v=DMARC1; p=reject; psd=y; rua=mailto:a@registry.test"),
    "not_tested",
  ],
  ["rua_authorised", "no address", own("v=DMARC1; p=none"), "not_tested"],

  ["removed_tags", "none", own("v=DMARC1; p=none"), "pass"],
  [
    "removed_tags",
    "all",
    own(`v=DMARC1; p=reject; pct=50; rf=afrf; ri=86400; ${RUA}`),
    "warn",
    `v=DMARC1; p=reject; ${RUA}`,
  ],

  ["alignment", "a record", own("v=DMARC1; p=none"), "not_tested"],
];

describe("each check of a zone with an explicit result", () => {
  it.each<Row>(ROWS)("%s: %s", async (id, _, zones, status, fix, options) => {
    const found = find(await check(zones, options), id);
    expect(found, JSON.stringify(found)).toMatchObject({ status });
    const { record } = found.fix ?? {};
    const isAtHome = record?.name === "_dmarc.example.com" || record?.name === `_dmarc.${options?.domain}`;
    const shown =
      fix?.startsWith("v=") && isAtHome ? record?.value : record && `${record.name} ${record.value}`;
    expect(shown).toBe(fix);
    expect(found.observed).toMatch(/^[^…]+\.$/);
    if (status === "fail" || status === "warn") expect(found.fix?.text).toBeTruthy();
    else expect(found.fix).toBeUndefined();
  });

  it("has one result for each check of the catalogue, with evidence", async () => {
    const results = await check(own(`v=DMARC1; p=none; ${RUA}`));
    const ids = Object.keys(catalogue).filter((id) => id.startsWith("auth.dmarc."));
    expect(results.map(({ id }) => id).sort()).toEqual(ids.sort());
    for (const { id, evidence } of results)
      expect([id, evidence.length > 0]).toEqual([id, !id.endsWith("alignment")]);
  });
});

describe("a record to publish", () => {
  it("makes its check pass after its publication, without a new failure", async () => {
    let published = 0;
    for (const [id, what, zones, , , options] of ROWS) {
      const results = await check(zones, options);
      const { record } = find(results, id).fix ?? {};
      if (!record) continue;
      published++;
      expect(parseDmarc(record.value)?.problems, record.value).toEqual(
        id === "policy" || id === "rua" || id === "removed_tags" ? expect.anything() : [],
      );
      const before = statusesOf(results);
      const again = await check({ ...zones, [record.name]: { TXT: [record.value] } }, options);
      const after = statusesOf(again);
      expect([what, after[id]]).toEqual([what, "pass"]);
      const worse = Object.entries(after).filter(
        ([one, status]) => status === "fail" && before[one] === "pass",
      );
      expect([what, worse]).toEqual([what, []]);
      expect([what, score(again, options) >= score(results, options)]).toEqual([what, true]);
    }
    expect(published).toBeGreaterThan(30);
  });
});

describe("the contents of the result", () => {
  it("include evidence with records and their time to live", async () => {
    const results = await check({
      "_dmarc.example.com": {
        TXT: [["v=DMARC1; p=reject; ", "rua=mailto:a@other.test"]],
        ttl: 120,
        authenticated: true,
      },
      ...agrees(DOMAIN, "other.test"),
    });
    const record = {
      name: "_dmarc.example.com",
      type: "TXT",
      rcode: "NOERROR",
      ttlSeconds: 120,
      authenticated: true,
      data: ['"v=DMARC1; p=reject; " "rua=mailto:a@other.test"'],
    };
    expect(find(results, "policy").evidence).toMatchObject([record]);
    expect(find(results, "rua_authorised").evidence).toMatchObject([
      record,
      { name: "_dmarc.com", rcode: "NXDOMAIN", data: [] },
      { name: "example.com._report._dmarc.other.test", data: ['"v=DMARC1"'], ttlSeconds: 300 },
    ]);
  });

  it("name the applied record and its policy", async () => {
    const results = await check(own("v=DMARC1; p=none; sp=quarantine; t=y"), { domain: SUB });
    expect(find(results, "exists").observed).toBe("The DMARC record of example.com applies.");
    expect(find(results, "policy").observed).toBe(
      "The policy is sp=quarantine of _dmarc.example.com, and t=y makes receivers apply one level less: mail that is not aligned with the domain is delivered like any other.",
    );
  });

  it("shorten a long record", async () => {
    const results = await check(own(`v=DMARC1; p=${"x".repeat(20_000)}; ${"y".repeat(20_000)}`));
    for (const { observed, fix } of results) {
      expect(observed.length).toBeLessThan(1_000);
      expect(fix?.text.length ?? 0).toBeLessThan(1_000);
    }
  });
});
