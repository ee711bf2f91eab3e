import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DomainRole } from "../../src/intel/catalogue.ts";
import { catalogue } from "../../src/intel/catalogue.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { checkSpf } from "../../src/intel/spf/check-spf.ts";
import { parseSpf } from "../../src/intel/spf/parse-spf.ts";
import { resultsBelow } from "../harness/check-results.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

const DOMAIN = "example.com";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

async function check(zones: DnsZones, role: DomainRole = "sending", senders: readonly string[] = []) {
  const dns = probeZones(server, zones, { retryMs: 50, tries: 2 });
  return (await checkSpf({ domain: DOMAIN, role, dns, senders })).map(withParts);
}

const { find, statusesOf } = resultsBelow("auth.spf");
const txt = (...TXT: string[]) => ({ [DOMAIN]: { TXT } });
const spf = (text: string) => ({ TXT: [text] });
const A = { A: ["192.0.2.1"] };
const numbered = (count: number, from: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => from(index + 1));
const zonesOf = (count: number, entry: (index: number) => [string, DnsZones[string]]): DnsZones =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => entry(index + 1)));
/** Lookups with a result each. */
const lookups = (count: number): DnsZones => ({
  [DOMAIN]: spf(`v=spf1 ${numbered(count, (index) => `a:a${index}.example.com`).join(" ")} -all`),
  ...zonesOf(count, (index) => [`a${index}.example.com`, A]),
});
const mxOf = (count: number): DnsZones => ({
  [DOMAIN]: { ...spf("v=spf1 mx -all"), MX: numbered(count, (index) => `${index} mx${index}.example.com`) },
});

type Row = [
  id: string,
  what: string,
  zones: DnsZones,
  status: CheckStatus,
  fix?: string | undefined,
  role?: DomainRole,
];

const ROWS: readonly Row[] = [
  ["exists", "a record", txt("v=spf1 -all"), "pass"],
  ["exists", "a record in capitals", txt("V=SPF1 -ALL"), "pass"],
  ["exists", "a record in two strings", { [DOMAIN]: { TXT: [["v=spf1 ip4:192.0.", "2.1 -all"]] } }, "pass"],
  ["exists", "no name", {}, "fail"],
  ["exists", "other texts only", txt("verification=1"), "fail"],
  ["exists", "another version", txt("v=spf10 -all"), "fail"],
  ["exists", "a comma that names no sender", txt("v=spf1, -all"), "fail"],
  ["exists", "a comma", txt("v=spf1, ip4:192.0.2.1 -all"), "fail", "v=spf1 ip4:192.0.2.1 -all"],
  ["exists", "quotation marks", txt('"v=spf1 ip4:192.0.2.1 -all"'), "fail", "v=spf1 ip4:192.0.2.1 -all"],
  [
    "exists",
    "no space between its strings",
    { [DOMAIN]: { TXT: [["v=spf1", "ip4:192.0.2.1 -all"]] } },
    "fail",
    "v=spf1 ip4:192.0.2.1 -all",
  ],
  ["exists", "no record of a parked domain", {}, "fail", "v=spf1 -all", "parked"],
  ["exists", "no record of a domain that sends nothing", {}, "fail", "v=spf1 -all", "receiving"],

  ["single", "one record and other texts", txt("v=spf1 -all", "x"), "pass"],
  [
    "single",
    "two records",
    txt("v=spf1 mx -all", "v=spf1 ip4:192.0.2.1 ~all"),
    "fail",
    "v=spf1 mx ip4:192.0.2.1 -all",
  ],
  [
    "single",
    "two that are the same",
    txt("v=spf1 a:x.test ip4:192.0.2.1 -all", "V=spf1 A:x.test ip4:192.0.2.1 -all"),
    "fail",
    "v=spf1 a:x.test ip4:192.0.2.1 -all",
  ],
  [
    "single",
    "two of which one is wrong",
    txt("v=spf1 ipv4:192.0.2.1 +all", "v=spf1 mx exp=a.example exp=b.example"),
    "fail",
    "v=spf1 ip4:192.0.2.1 mx ~all exp=a.example",
  ],
  ["single", "no record", {}, "not_tested"],

  ["syntax", "an unknown modifier", txt("v=spf1 moo=x -all"), "pass"],
  [
    "syntax",
    "a slip",
    {
      ...txt("v=spf1 ipv4:192.0.2.1 ip6:192.0.2.2 mx:192.0.2.3/24 include:a.test-all"),
      "a.test": spf("v=spf1 -all"),
    },
    "fail",
    "v=spf1 ip4:192.0.2.1 ip4:192.0.2.2 ip4:192.0.2.3/24 include:a.test -all",
  ],
  [
    "syntax",
    "prefix lengths that are too long",
    txt("v=spf1 a/33 ip4:192.0.2.1, ip4:192.0.2.2/33 ip6:2001:db8::1/129 -all"),
    "fail",
    "v=spf1 a/32 ip4:192.0.2.1 ip4:192.0.2.2/32 ip6:2001:db8::1/128 -all",
  ],
  ["syntax", "a term that nobody can read", txt("v=spf1 foo ip4:192.0.2.1 -all"), "fail"],
  [
    "syntax",
    "a modifier with a mechanism's name",
    txt("v=spf1 ip4=192.0.2.1 -all"),
    "warn",
    "v=spf1 ip4:192.0.2.1 -all",
  ],
  [
    "syntax",
    "a fault in a record below",
    { ...txt("v=spf1 include:a.test -all"), "a.test": spf("v=spf1 foo -all") },
    "fail",
  ],
  [
    "syntax",
    "include of a name without record",
    { ...txt("v=spf1 mx include:a.test -all"), "a.test": { TXT: ["x"] } },
    "fail",
  ],
  ["syntax", "include of no name", txt("v=spf1 ip4:192.0.2.1 include:a.test -all"), "fail"],
  ["syntax", "redirect to no name", txt("v=spf1 ip4:192.0.2.1 redirect=a.test"), "fail"],
  [
    "syntax",
    "include of a name with two",
    { ...txt("v=spf1 include:a.test -all"), "a.test": { TXT: ["v=spf1 -all", "v=spf1 ~all"] } },
    "fail",
  ],
  [
    "syntax",
    "redirect twice",
    {
      ...txt("v=spf1 redirect=a.test redirect=b.test"),
      "a.test": spf("v=spf1 ip4:192.0.2.1 -all"),
      "b.test": spf("v=spf1 ip4:192.0.2.2 -all"),
    },
    "fail",
    "v=spf1 include:a.test include:b.test ~all",
  ],

  ["lookups", "nothing to look up", txt("v=spf1 ip4:192.0.2.1 -all"), "pass"],
  ["lookups", "8", lookups(8), "pass"],
  ["lookups", "9", lookups(9), "warn"],
  ["lookups", "10", lookups(10), "warn"],
  ["lookups", "11", lookups(11), "fail"],
  ["lookups", "an mx of ten hosts, which is one", mxOf(10), "pass"],
  ["lookups", "an mx of eleven hosts", mxOf(11), "fail"],
  [
    "lookups",
    "names that depend on the mail",
    txt(`v=spf1 ${numbered(11, (index) => `exists:%{i}.a${index}.test`).join(" ")} -all`),
    "fail",
  ],
  [
    "lookups",
    "a loop",
    { ...txt("v=spf1 ip4:192.0.2.1 include:a.test -all"), "a.test": spf("v=spf1 include:EXAMPLE.com. -all") },
    "fail",
  ],
  [
    "lookups",
    "itself",
    txt("v=spf1 ip4:192.0.2.1 include:example.com -all"),
    "fail",
    "v=spf1 ip4:192.0.2.1 -all",
  ],
  [
    "lookups",
    "redirect beside all, and an explanation, which are none",
    txt("v=spf1 -all redirect=a.test exp=b.test"),
    "pass",
  ],
  [
    "lookups",
    "what follows all, which is none",
    txt(`v=spf1 -all ${numbered(12, (index) => `a:a${index}.test`).join(" ")}`),
    "pass",
  ],
  [
    "lookups",
    "twelve, two of which lead nowhere",
    {
      ...lookups(10),
      [DOMAIN]: spf(
        `v=spf1 a:x.test mx:x.test ${numbered(10, (index) => `a:a${index}.example.com`).join(" ")} -all`,
      ),
    },
    "fail",
    `v=spf1 ${numbered(10, (index) => `a:a${index}.example.com`).join(" ")} -all`,
  ],

  ["voids", "two", txt("v=spf1 a:a.test mx:b.test -all"), "pass"],
  [
    "voids",
    "three",
    txt("v=spf1 ip4:192.0.2.1 a:a.test mx:b.test exists:c.test -all"),
    "fail",
    "v=spf1 ip4:192.0.2.1 -all",
  ],
  [
    "voids",
    "names with one kind of address",
    {
      ...txt("v=spf1 a:a.test a:b.test a:c.test -all"),
      "a.test": A,
      "b.test": A,
      "c.test": { AAAA: ["2001:db8::1"] },
    },
    "pass",
  ],
  [
    "voids",
    "three below an include",
    { ...txt("v=spf1 include:a.test -all"), "a.test": spf("v=spf1 a:b.test a:c.test a:d.test -all") },
    "fail",
  ],
  [
    "voids",
    "the null MX, which is an answer",
    {
      ...txt("v=spf1 mx a:x.test a:y.test -all"),
      [DOMAIN]: { ...spf("v=spf1 mx a:x.test a:y.test -all"), MX: ["0 ."] },
    },
    "pass",
  ],

  ["all", "-all", txt("v=spf1 mx -all"), "pass"],
  ["all", "~all", txt("v=spf1 mx ~all"), "pass"],
  ["all", "?all", txt("v=spf1 ip4:192.0.2.1 ?all"), "warn", "v=spf1 ip4:192.0.2.1 ~all"],
  ["all", "no all", txt("v=spf1 ip4:192.0.2.1"), "warn", "v=spf1 ip4:192.0.2.1 ~all"],
  ["all", "+all", txt("v=spf1 ip4:192.0.2.1 +all"), "fail", "v=spf1 ip4:192.0.2.1 ~all"],
  ["all", "all", txt("v=spf1 all"), "fail"],
  ["all", "every address by its number", txt("v=spf1 ip4:192.0.2.1 ip4:0.0.0.0/0 -all"), "fail"],
  ["all", "every address in two halves", txt("v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all"), "fail"],
  ["all", "every address of IPv6", txt("v=spf1 ip6:2000::/4 ip6:3000::/4 -all"), "fail"],
  [
    "all",
    "half of all addresses below an include",
    { ...txt("v=spf1 include:a.test -all"), "a.test": spf("v=spf1 ip4:0.0.0.0/1") },
    "fail",
  ],
  [
    "all",
    "all addresses in small networks",
    {
      [DOMAIN]: {
        TXT: [["v=spf1", ...numbered(20, (index) => ` ip4:${index}.0.0.0/8`), " -all"]],
      },
    },
    "fail",
  ],
  [
    "all",
    "a large network that an earlier term forbids",
    txt("v=spf1 -ip4:0.0.0.0/0 ip4:0.0.0.0/8 -all"),
    "pass",
  ],
  ["all", "the neighbourhood of a host", txt("v=spf1 a/1 -all"), "fail"],
  [
    "all",
    "+all below an include",
    { ...txt("v=spf1 ip4:192.0.2.1 include:a.test -all"), "a.test": spf("v=spf1 +all") },
    "fail",
  ],
  [
    "all",
    "+all below ?include",
    { ...txt("v=spf1 ?include:a.test -all"), "a.test": spf("v=spf1 +all") },
    "pass",
  ],
  [
    "all",
    "-all behind a redirect",
    { ...txt("v=spf1 redirect=a.test"), "a.test": spf("v=spf1 mx -all") },
    "pass",
  ],
  ["all", "none behind a redirect", { ...txt("v=spf1 redirect=a.test"), "a.test": spf("v=spf1 mx") }, "warn"],
  ["all", "a redirect that depends on the mail", txt("v=spf1 redirect=%{d}.a.test"), "not_tested"],
  ["all", "a parked domain with v=spf1 -all", txt("v=spf1 -all"), "pass", undefined, "parked"],
  ["all", "a parked domain with ~all", txt("v=spf1 ~all"), "warn", "v=spf1 -all", "parked"],
  ["all", "a parked domain that lets somebody send", txt("v=spf1 mx -all"), "warn", "v=spf1 -all", "parked"],
  [
    "all",
    "a parked domain with a redirect to v=spf1 -all",
    { ...txt("v=spf1 redirect=a.test"), "a.test": spf("v=spf1 -all") },
    "pass",
    undefined,
    "parked",
  ],
  [
    "all",
    "a parked domain with a redirect to senders",
    { ...txt("v=spf1 redirect=a.test"), "a.test": spf("v=spf1 mx -all") },
    "warn",
    "v=spf1 -all",
    "parked",
  ],
  ["all", "a domain that sends nothing, with ~all", txt("v=spf1 ~all"), "pass", undefined, "receiving"],

  ["after_all", "an explanation after all", txt("v=spf1 -all exp=a.test moo=x"), "pass"],
  [
    "after_all",
    "a sender after all",
    txt("v=spf1 mx -all ip4:192.0.2.1"),
    "warn",
    "v=spf1 mx ip4:192.0.2.1 -all",
  ],
  ["after_all", "all twice", txt("v=spf1 ip4:192.0.2.1 -all ~all"), "warn", "v=spf1 ip4:192.0.2.1 -all"],

  ["ptr", "no ptr", txt("v=spf1 mx -all"), "pass"],
  ["ptr", "ptr, which may be all that lets a sender pass", txt("v=spf1 ip4:192.0.2.1 ptr -all"), "warn"],
  ["ptr", "ptr below", { ...txt("v=spf1 include:a.test -all"), "a.test": spf("v=spf1 ptr -all") }, "warn"],

  [
    "redirect_ignored",
    "a redirect alone",
    { ...txt("v=spf1 redirect=a.test"), "a.test": spf("v=spf1 -all") },
    "pass",
  ],
  ["redirect_ignored", "all alone", txt("v=spf1 -all"), "pass"],
  ["redirect_ignored", "a redirect to nothing beside all", txt("v=spf1 redirect=a.test ~all"), "warn"],
  [
    "redirect_ignored",
    "a redirect beside all",
    { ...txt("v=spf1 redirect=a.test ~all"), "a.test": spf("v=spf1 ip4:192.0.2.1 -all") },
    "warn",
    "v=spf1 include:a.test ~all",
  ],

  ["size", "a short record", txt("v=spf1 -all", "x"), "pass"],
  [
    "size",
    "one octet less than too many",
    txt("v=spf1 -all", "x".repeat(255), "x".repeat(449 - 255 - 22)),
    "pass",
  ],
  [
    "size",
    "as many as are too many",
    txt("v=spf1 -all", "x".repeat(255), "x".repeat(450 - 255 - 22)),
    "warn",
  ],

  ["type99", "a record", txt("v=spf1 -all"), "not_tested"],
];

describe("each check of a zone with an explicit result", () => {
  it.each<Row>(ROWS)("%s: %s", async (id, _, zones, status, value, role) => {
    const results = await check(zones, role);
    const found = find(results, id);
    expect(found, JSON.stringify(found)).toMatchObject({ status });
    expect(found.fix?.record?.value).toBe(value);
    expect(found.observed).toMatch(/^[^…]+\.$/);
    if (status === "fail" || status === "warn") expect(found.fix?.text).toBeTruthy();
    else expect(found.fix).toBeUndefined();
  });

  it("has one result for each check of the catalogue, with evidence", async () => {
    const results = await check(txt("v=spf1 -all"));
    const ids = Object.keys(catalogue).filter((id) => id.startsWith("auth.spf."));
    expect(results.map(({ id }) => id).sort()).toEqual(ids.sort());
    for (const { id, evidence } of results)
      expect([id, evidence.length]).toEqual([id, id.endsWith("type99") ? 0 : 1]);
  });
});

describe("a record to publish", () => {
  it("makes its check pass after its publication, without a new failure", async () => {
    for (const [id, what, zones, , value, role] of ROWS) {
      if (value === undefined) continue;
      const reading = parseSpf(value);
      expect([reading.faults, reading.doubts], value).toEqual([[], []]);
      const others = zones[DOMAIN]?.TXT?.filter((one) => !/^v=spf1( |$)/i.test([one].flat().join(""))) ?? [];
      const given: DnsZones = { "a.test": spf("v=spf1 -all"), ...zones };
      const repaired = { ...given, [DOMAIN]: { ...given[DOMAIN], TXT: [...others, value] } };
      const before = statusesOf(await check(zones, role));
      const after = statusesOf(await check(repaired, role));
      expect([what, after[id] === "pass" || (id === "lookups" && after[id] === "warn")]).toEqual([
        what,
        true,
      ]);
      const worse = Object.entries(after).filter(
        ([one, status]) => status === "fail" && before[one] === "pass",
      );
      expect([what, worse]).toEqual([what, []]);
    }
  });

  it("names the senders if there is no record", async () => {
    const zones = { "_spf.hermod.test": spf("v=spf1 ip4:192.0.2.1 -all") };
    const results = await check(zones, "sending", ["include:_spf.hermod.test"]);
    expect(find(results, "exists").fix?.record).toEqual({
      name: DOMAIN,
      type: "TXT",
      value: "v=spf1 include:_spf.hermod.test ~all",
    });
  });
});

describe("the contents of the result", () => {
  it("include the cost of each branch, and the place at which the limit is exceeded", async () => {
    const results = await check({
      [DOMAIN]: spf("v=spf1 mx include:a.test include:b.test -all"),
      "a.test": spf("v=spf1 include:c.test a:x1.test -all"),
      "c.test": spf("v=spf1 a:x1.test a:x2.test a:x3.test -all"),
      "b.test": spf("v=spf1 a:x1.test a:x2.test a:x3.test include:c.test -all"),
      ...zonesOf(3, (index) => [`x${index}.test`, A]),
    });
    expect(find(results, "lookups").observed).toBe(
      "15 DNS lookups (include:b.test 8 (include:c.test 4, a:x1.test 1, a:x2.test 1, a:x3.test 1), include:a.test 6 (include:c.test 4 (a:x1.test 1, a:x2.test 1, a:x3.test 1), a:x1.test 1), mx 1). The eleventh lookup is include:b.test › a:x3.test.".replace(
        "include:a.test 6 (include:c.test 4 (a:x1.test 1, a:x2.test 1, a:x3.test 1), a:x1.test 1)",
        "include:a.test 6",
      ),
    );
  });

  it("include the number of entries that a list leaves out, also within another list", async () => {
    const wide = (prefix: string) => numbered(7, (index) => `a:${prefix}${index}.test`).join(" ");
    const results = await check({
      [DOMAIN]: spf(`v=spf1 include:a.test ${wide("x")} -all`),
      "a.test": spf(`v=spf1 ${wide("y")} -all`),
    });
    expect(find(results, "lookups").observed).toBe(
      "15 DNS lookups (include:a.test 8 (a:y1.test 1, a:y2.test 1, a:y3.test 1, a:y4.test 1, a:y5.test 1, and 2 more), a:x1.test 1, a:x2.test 1, a:x3.test 1, a:x4.test 1, and 3 more). The eleventh lookup is a:x3.test.",
    );
    expect(find(results, "voids").observed).toMatch(/: (?:include:a\.test › a:y\d\.test, ){5}and 9 more\.$/);
  });

  it("include the first of many faults", async () => {
    const results = await check(txt("v=spf1 foo:1 foo:2 foo:3 foo:4 foo:5 foo:6 ip4:192.0.2.1 -all"));
    expect(find(results, "syntax").observed).toMatch(
      /^Receivers ignore .+ foo:5: .+section 4\.6\.1\)\. And 1 more\.$/,
    );
  });

  it("include evidence with records, and only SPF records of foreign names", async () => {
    const results = await check({
      [DOMAIN]: { TXT: ["v=spf1 include:a.test a:b.test -all", "x"], ttl: 120 },
      "a.test": { TXT: ["secret=1", ["v=spf1 ip4:192.0.2.1", " -all"]], authenticated: true },
      "b.test": { A: ["192.0.2.7"] },
    });
    expect(find(results, "exists").evidence).toMatchObject([
      {
        name: DOMAIN,
        type: "TXT",
        rcode: "NOERROR",
        ttlSeconds: 120,
        data: ['"v=spf1 include:a.test a:b.test -all"', '"x"'],
      },
    ]);
    expect(find(results, "voids").evidence).toMatchObject([
      { name: DOMAIN },
      {
        name: "a.test",
        type: "TXT",
        ttlSeconds: 300,
        authenticated: true,
        data: ['"v=spf1 ip4:192.0.2.1" " -all"'],
      },
      { name: "b.test", type: "A", data: ["192.0.2.7"] },
    ]);
    expect(find(results, "syntax").evidence).toHaveLength(2);
  });

  it("include the place of each fault", async () => {
    const results = await check({
      ...txt("v=spf1 include:a.test -all"),
      "a.test": spf("v=spf1 mx ip4:192.0.2.0/33 -all"),
    });
    expect(find(results, "syntax").observed).toBe(
      'Receivers ignore the whole record. include:a.test › ip4:192.0.2.0/33: "33" is not a prefix length from 0 to 32 (character 24, RFC 7208 section 5.6).',
    );
  });

  it("include a record that is none because of its beginning", async () => {
    const results = await check(txt("v=spf1; mx -all"));
    expect(find(results, "exists").observed).toContain("v=spf1; mx -all");
  });
});
