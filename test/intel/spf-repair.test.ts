import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckResult } from "../../src/intel/check-result.ts";
import { checkSpf } from "../../src/intel/spf/check-spf.ts";
import { walkText } from "../../src/intel/spf/walk-spf.ts";
import { resultsBelow } from "../harness/check-results.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

const DOMAIN = "example.com";
const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 300);

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const probe = (zones: DnsZones) => probeZones(server, zones, { maxLookups: 1_000 });
const check = async (zones: DnsZones, sendingIps: readonly string[] = []) =>
  (await checkSpf({ domain: DOMAIN, role: "sending", dns: probe(zones), sendingIps })).map(withParts);
const { find } = resultsBelow("auth.spf");

const OTHERS: DnsZones = {
  "_spf.a.test": { TXT: ["v=spf1 ip4:45.10.20.0/24 -all"] },
  "_spf.b.test": { TXT: ["v=spf1 ip4:45.10.30.0/24 ~all"] },
  "open.test": { TXT: ["v=spf1 +all"] },
  "wide.test": { TXT: ["v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all"] },
  "broken.test": { TXT: ["v=spf1 foo -all"] },
  "mail.example.com": { A: ["45.10.40.1"], AAAA: ["2a00:1::1"] },
  "mx1.example.com": { A: ["45.10.50.1"] },
};
const zonesOf = (...strings: (string | string[])[]): DnsZones => ({
  ...OTHERS,
  [DOMAIN]: { TXT: strings, A: ["45.10.60.1"], MX: ["10 mx1.example.com"] },
});

const proposals = (results: readonly CheckResult[]) =>
  new Set(results.flatMap(({ fix }) => (fix?.record?.type === "TXT" ? [fix.record.value] : [])));

describe("a repair of SPF", () => {
  it.each<[what: string, published: string | string[], repaired: string]>([
    ["a prefix length beyond the family", "v=spf1 ip4:45.10.10.7/33 -all", "v=spf1 ip4:45.10.10.7/32 -all"],
    ["a missing prefix length", "v=spf1 ip4:45.10.10.7/ -all", "v=spf1 ip4:45.10.10.7/32 -all"],
    ["a prefix length with a zero", "v=spf1 ip4:45.10.10.0/024 -all", "v=spf1 ip4:45.10.10.0/24 -all"],
    ["a network in short", "v=spf1 ip4:45.10.10/24 -all", "v=spf1 ip4:45.10.10.0/24 -all"],
    ["a network with a star", "v=spf1 ip4:45.10.10.* -all", "v=spf1 ip4:45.10.10.0/24 -all"],
    ["an address alone", "v=spf1 45.10.10.7 -all", "v=spf1 ip4:45.10.10.7 -all"],
    ["swapped letters", "v=spf1 inlcude:_spf.a.test -all", "v=spf1 include:_spf.a.test -all"],
    ["a plural", "v=spf1 includes:_spf.a.test -all", "v=spf1 include:_spf.a.test -all"],
    ["a slip in a modifier", "v=spf1 inlcude=_spf.a.test -all", "v=spf1 include:_spf.a.test -all"],
    ["a wrong family", "v=spf1 ip4:2a00:1::1 -all", "v=spf1 ip6:2a00:1::1 -all"],
    ["a space behind the colon", "v=spf1 ip4: 45.10.10.7 -all", "v=spf1 ip4:45.10.10.7 -all"],
    ["a space in place of the colon", "v=spf1 include _spf.a.test -all", "v=spf1 include:_spf.a.test -all"],
    ["a space behind the sign", "v=spf1 mx - all", "v=spf1 mx -all"],
    ["a long dash", "v=spf1 mx –all", "v=spf1 mx -all"],
    ["a doubled letter", "v=spf1 mx -alll", "v=spf1 mx -all"],
    ["commas", "v=spf1 mx,include:_spf.a.test,-all", "v=spf1 mx include:_spf.a.test -all"],
    ["two dots", "v=spf1 include:_spf..a.test -all", "v=spf1 include:_spf.a.test -all"],
    [
      "strings without a space between them",
      ["v=spf1 include:_spf.a.test", "ip4:45.10.10.7 -all"],
      "v=spf1 include:_spf.a.test ip4:45.10.10.7 -all",
    ],
    [
      "strings that make another name together",
      ["v=spf1 include:_spf.a.test", "mx -all"],
      "v=spf1 include:_spf.a.test mx -all",
    ],
    [
      "no space before include",
      "v=spf1 include:_spf.a.testinclude:_spf.b.test -all",
      "v=spf1 include:_spf.a.test include:_spf.b.test -all",
    ],
    ["no space before all", "v=spf1 include:_spf.a.test~all", "v=spf1 include:_spf.a.test ~all"],
    [
      "no space before ip4",
      "v=spf1 ip4:45.10.10.7ip4:45.10.10.8 -all",
      "v=spf1 ip4:45.10.10.7 ip4:45.10.10.8 -all",
    ],
    ["a term twice, forbidden first", "v=spf1 -mx mx, -mx -all", "v=spf1 -mx mx -all"],
  ])("corrects %s, and removes nothing", async (_, published, repaired) => {
    const results = await check(zonesOf(published));
    expect([...proposals(results)]).toEqual([repaired]);
  });

  it.each([
    ["an include that lets everybody send", "v=spf1 include:open.test -all"],
    ["a redirect that lets everybody send", "v=spf1 redirect=open.test"],
    ["an include of nearly all addresses", "v=spf1 include:wide.test -all"],
    ["networks of all addresses", "v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all"],
    ["an include of a name without a record", "v=spf1 include:none.test -all"],
    ["an include of a name without a record beside a sender", "v=spf1 mx include:none.test -all"],
    ["an include of a broken record", "v=spf1 include:broken.test foo -all"],
    ["a term that nobody can read", "v=spf1 mx foo -all"],
    ["+all alone", "v=spf1 +all"],
    ["ptr alone", "v=spf1 ptr -all"],
    ["names that have nothing", "v=spf1 a:x.test a:y.test a:z.test -all"],
    ["a forbidden sender that nobody can read", "v=spf1 -ip4:foo mx -all"],
  ])("is not proposed for %s without known senders, and the fix says why", async (_, published) => {
    const results = await check(zonesOf(published));
    expect([...proposals(results)]).toEqual([]);
    const wrong = results.filter(({ status, fix }) => (status === "fail" || status === "warn") && fix);
    expect(wrong.length).toBeGreaterThan(0);
    for (const { fix } of wrong) expect(fix?.text).toMatch(/Hermod proposes no record\. .+\.$|Remove .+\.$/);
  });

  it.each([
    ["v=spf1 include:open.test -all", "v=spf1 ip4:45.10.10.7 ip6:2a00:1::7 -all"],
    ["v=spf1 mx include:none.test -all", "v=spf1 ip4:45.10.10.7 ip6:2a00:1::7 mx -all"],
    ["v=spf1 ip4:0.0.0.0/1 ip4:128.0.0.0/1 -all", "v=spf1 ip4:45.10.10.7 ip6:2a00:1::7 -all"],
    ["v=spf1 ip4:45.10.10.0/24 ip6:2a00::/31 foo -all", "v=spf1 ip4:45.10.10.0/24 ip6:2a00::/31 -all"],
    ["v=spf1 -ip4:45.10.10.7 ip6:2a00::/31 -all", "v=spf1 ip4:45.10.10.7 -ip4:45.10.10.7 ip6:2a00::/31 -all"],
    ["verification=1", "v=spf1 ip4:45.10.10.7 ip6:2a00:1::7 ~all"],
  ])("of %s lists the known senders that would not pass", async (published, repaired) => {
    const results = await check(zonesOf(published), ["45.10.10.7", "2a00:1::7"]);
    expect([...proposals(results)]).toEqual([repaired]);
  });

  it("says what it changes", async () => {
    const published = zonesOf("v=spf1 inlcude:_spf.a.test include:none.test foo -all");
    const results = await check(published, ["45.10.10.7", "2a00:1::7"]);
    expect(find(results, "syntax").fix?.text).toBe(
      "Replace the record with this one, if it has the intended meaning. inlcude:_spf.a.test becomes include:_spf.a.test; include:none.test is removed because it references no SPF record; foo is removed because its meaning is unknown; the sending addresses 45.10.10.7, 2a00:1::7 are listed.",
    );
  });

  it("of several records keeps the senders of a redirect", async () => {
    const results = await check(zonesOf("v=spf1 mx ~all", "v=spf1 redirect=_spf.a.test"));
    expect(find(results, "single").fix?.record?.value).toBe("v=spf1 mx include:_spf.a.test ~all");
  });

  it("is not proposed for a parked domain with sending addresses", async () => {
    const dns = probe(zonesOf("v=spf1 mx -all"));
    const results = await checkSpf({ domain: DOMAIN, role: "parked", dns, sendingIps: ["45.10.50.1"] });
    expect([...proposals(results)]).toEqual([]);
    expect(withParts(find(results, "all")).fix?.text).toContain("sending_ips");
  });
});

/** SPF according to RFC 7208 section 4, for the terms below. Any fault is an `error`. */
function evaluate(zones: DnsZones, name: string, address: string, path: readonly string[] = []): string {
  const records = (zones[name]?.TXT ?? [])
    .map((one) => [one].flat().join(""))
    .filter((one) => /^v=spf1( |$)/.test(one));
  if (records.length !== 1 || path.includes(name)) return "error";
  const words = (records[0] ?? "").split(" ").slice(1).filter(Boolean);
  const faulty = words.some((one) => !KNOWN.test(one) || /\/(?:3[3-9]|[4-9]\d|\d{3})$/.test(one));
  const redirects = words.filter((one) => one.startsWith("redirect="));
  if (faulty || redirects.length > 1) return "error";
  for (const text of words.filter((one) => !one.includes("="))) {
    const [, sign = "", term = ""] = /^([-+~?]?)(.*)$/.exec(text) ?? [];
    const result = { "-": "fail", "~": "softfail", "?": "neutral" }[sign] ?? "pass";
    const [kind, value = DOMAIN] = term.split(/:(.*)/);
    if (kind === "all") return result;
    if (kind === "include") {
      const inner = evaluate(zones, value, address, [...path, name]);
      if (inner === "error") return "error";
      if (inner === "pass") return result;
    }
    const hosts =
      kind === "a"
        ? [value]
        : kind === "mx"
          ? (zones[value]?.MX ?? []).map((one) => String(one).split(" ")[1] ?? "")
          : [];
    const networks = kind === "ip4" ? [value] : hosts.flatMap((host) => (zones[host]?.A ?? []) as string[]);
    if (networks.some((one) => isWithin(address, one))) return result;
  }
  const [redirect] = redirects;
  return redirect ? evaluate(zones, redirect.slice("redirect=".length), address, [...path, name]) : "neutral";
}

const KNOWN =
  /^(?:[-+~?]?(?:all|(?:mx|a)(?::[a-z.]+\.[a-z]+)?|include:[a-z_.]+\.[a-z]+|ip4:\d+\.\d+\.\d+\.\d+(?:\/\d+)?)|redirect=[a-z_.]+\.[a-z]+|(?!redirect=)[a-z][a-z0-9_.-]*=\S*)$/;

function isWithin(address: string, network: string): boolean {
  const [base = "", bits = "32"] = network.split("/");
  return ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parse(base), Number(bits));
}

/** A term as intended, and as it may be published. */
const term = fc.constantFrom<[meant: string, published: string]>(
  ...[
    "mx",
    "a",
    "a:mail.example.com",
    "include:_spf.a.test",
    "?include:_spf.b.test",
    "ip4:45.10.10.7",
    "ip4:45.10.11.0/24",
  ].map((text): [string, string] => [text, text]),
  ["-ip4:45.10.11.9", "-ip4:45.10.11.9"],
  ["ip4:45.10.10.7", "ip4:45.10.10.7/33"],
  ["ip4:45.10.10.7", "45.10.10.7"],
  ["ip4:45.10.10.7", "ipv4:45.10.10.7"],
  ["ip4:45.10.11.0/24", "ip4:45.10.11/24"],
  ["ip4:45.10.10.8", "ip4: 45.10.10.8"],
  ["include:_spf.a.test", "inlcude:_spf.a.test"],
  ["include:_spf.b.test", "inclde:_spf.b.test"],
  ["include:_spf.b.test", "include=_spf.b.test"],
  ["include:_spf.b.test mx", "include:_spf.b.testmx:example.com"],
  ["ip4:45.10.10.8 include:_spf.a.test", "ip4:45.10.10.8include:_spf.a.test"],
  ["mx", "mx,"],
  ["", "foo"],
  ["", "ip4:x"],
  ["", "include:none.test"],
  ["", "a:none.test"],
  ["", "include:broken.test"],
  ["include:open.test", "include:open.test"],
  ["include:wide.test", "include:wide.test"],
  ["ip4:0.0.0.0/1", "ip4:0.0.0.0/1"],
  ["ip4:128.0.0.0/1", "ip4:128.0.0.0/1"],
  ["include:_spf.b.test", "redirect=_spf.b.test"],
);
const end = fc.constantFrom<[string, string]>(
  ["-all", "-all"],
  ["~all", "~all"],
  ["?all", "?all"],
  ["+all", "+all"],
  ["", ""],
  ["-all", "-al"],
  ["~all", "~alll"],
);
const CANDIDATES = [
  "45.10.10.7",
  "45.10.10.8",
  "45.10.11.5",
  "45.10.11.9",
  "45.10.20.4",
  "45.10.30.4",
  "45.10.40.1",
];
const ADDRESSES = [...CANDIDATES, "45.10.50.1", "45.10.60.1", "9.9.9.9", "200.1.2.3"];

describe("any record with typing errors", () => {
  it("keeps every intended sender and admits no other after a repair", async () => {
    let proposed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(term, fc.boolean()), { maxLength: 6 }),
        end,
        fc.nat({ max: 6 }),
        fc.subarray(CANDIDATES, { maxLength: 3 }),
        async (terms, [meantEnd, publishedEnd], place, sendingIps) => {
          const meantTerms = terms.map(([[meant]]) => meant);
          const strings: string[] = ["v=spf1"];
          // Some terms begin another string, without a preceding space.
          const publish = (text: string, isGlued: boolean) => {
            if (isGlued && strings.length < 3) strings.push(text);
            else strings[strings.length - 1] += ` ${text}`;
          };
          const words = terms.map(([[, published], isGlued]) => [published, isGlued] as const);
          for (const [text, isGlued] of words.toSpliced(Math.min(place, words.length), 0, [
            publishedEnd,
            false,
          ]))
            publish(text, isGlued);
          const before = zonesOf(strings);
          const meant = zonesOf(["v=spf1", ...meantTerms, meantEnd].join(" ").replaceAll("  ", " "));
          const results = await check(before, sendingIps);
          for (const value of proposals(results)) {
            proposed += 1;
            const after = zonesOf(value);
            const { root, findings } = await walkText(DOMAIN, value, probe(after));
            const faults = findings.filter(
              ({ kind }) => kind !== "void" && kind !== "ptr" && kind !== "varies",
            );
            expect(faults, value).toEqual([]);
            expect(root?.lookups, value).toBeLessThanOrEqual(10);
            expect(root?.voids, value).toBeLessThanOrEqual(2);
            expect(root?.open, value).toBeUndefined();
            const isOpen =
              evaluate(before, DOMAIN, "9.9.9.9") === "pass" ||
              evaluate(before, DOMAIN, "200.1.2.3") === "pass";
            for (const address of ADDRESSES) {
              const [was, is] = [before, after].map((zones) => evaluate(zones, DOMAIN, address));
              const isKnown = sendingIps.includes(address);
              const told = `${JSON.stringify(strings)} -> ${value}: ${address}`;
              if (isKnown || (was === "pass" && !isOpen)) expect(is, told).toBe("pass");
              const isMeant = isKnown || was === "pass" || passesAnywhere(meant, [...meantTerms], address);
              if (is === "pass") expect(isMeant, told).toBe(true);
            }
            expect(
              ADDRESSES.some((address) => evaluate(after, DOMAIN, address) === "pass"),
              value,
            ).toBe(true);
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(proposed).toBeGreaterThan(0);
  }, 120_000);
});

/** Whether one of the terms allows the address, regardless of the others. */
function passesAnywhere(zones: DnsZones, terms: readonly string[], address: string): boolean {
  return terms
    .flatMap((text) => text.split(" "))
    .filter((text) => text !== "" && !/^[-~?]/.test(text))
    .some(
      (text) =>
        evaluate({ ...zones, [DOMAIN]: { ...zones[DOMAIN], TXT: [`v=spf1 ${text}`] } }, DOMAIN, address) ===
        "pass",
    );
}
