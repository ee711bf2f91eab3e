import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSpf } from "../../src/intel/spf/check-spf.ts";
import { walkSpf } from "../../src/intel/spf/walk-spf.ts";
import { askCheckdmarc } from "../harness/ask-checkdmarc.ts";
import { type DnsName, type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { probeServer } from "../harness/probe-zones.ts";
import { tool } from "../harness/tools.ts";

const checkdmarc = tool("checkdmarc");
const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 200);

const VERDICT = `
from checkdmarc.spf import check_spf

def verdict(domain, **asked):
    found = check_spf(domain, **asked)
    keys = ("valid", "dns_lookups", "void_dns_lookups", "error")
    return {key: found.get(key) for key in keys}
`;

interface Verdict {
  readonly valid: boolean;
  readonly dns_lookups?: number | null;
  readonly void_dns_lookups?: number | null;
  readonly error?: string | null;
}

/** Timeouts for checkdmarc. */
const PATIENCE = { retryMs: 300, tries: 2, timeoutMs: 1_000 } as const;

/** Comparable result of both: `unknown` is a temperror. */
interface Summary {
  readonly outcome: "valid" | "invalid" | "unknown";
  /** Lookups of a valid record. */
  readonly lookups?: number;
  readonly voids?: number;
}

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

async function theirs(domains: readonly string[]): Promise<Map<string, Summary>> {
  const verdicts = await askCheckdmarc<Verdict>(server, domains, VERDICT);
  return new Map(
    verdicts.map(([domain, { valid, dns_lookups, void_dns_lookups }]) => [
      domain,
      valid
        ? { outcome: "valid", lookups: dns_lookups ?? -1, voids: void_dns_lookups ?? -1 }
        : { outcome: "invalid" },
    ]),
  );
}

async function ours(domain: string): Promise<Summary> {
  const dns = probeServer(server, { ...PATIENCE, maxLookups: 500 });
  const results = await checkSpf({ domain, role: "sending", dns });
  const permerrors = ["exists", "single", "syntax", "lookups", "voids"].map((id) => `auth.spf.${id}`);
  const statuses = results.filter(({ id }) => permerrors.includes(id)).map(({ status }) => status);
  if (statuses.includes("fail")) return { outcome: "invalid" };
  if (statuses.includes("error")) return { outcome: "unknown" };
  const { root } = await walkSpf(domain, dns);
  return { outcome: "valid", lookups: root?.lookups ?? -2, voids: root?.voids ?? -2 };
}

const spf = (...TXT: string[]): DnsName => ({ TXT });
const A = { A: ["192.0.2.1"] };
const terms = (count: number, from: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => from(index + 1)).join(" ");
const mxOf = (count: number) => Array.from({ length: count }, (_, index) => `${index} mx.there.test`);

/** Each zone by the domain's name: "" is the domain itself, and other names end in it. */
const CASES: Readonly<Record<string, (domain: string) => DnsZones>> = {
  "a plain record": (domain) => ({ [domain]: spf("v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all", "x") }),
  "no record": (domain) => ({ [domain]: spf("x") }),
  "no name": () => ({}),
  "v=spf10": (domain) => ({ [domain]: spf("v=spf10 -all") }),
  "V=SPF1": (domain) => ({ [domain]: spf("V=SPF1 -all") }),
  "MX and -ALL": (domain) => ({ [domain]: { ...spf("v=spf1 MX -ALL"), MX: mxOf(1) } }),
  "two records": (domain) => ({ [domain]: spf("v=spf1 -all", "v=spf1 mx -all") }),
  "two strings": (domain) => ({ [domain]: { TXT: [["v=spf1 ip4:192.0.", "2.1 -all"]] } }),
  "a tab": (domain) => ({ [domain]: spf("v=spf1 ip4:192.0.2.1\t-all") }),
  "several spaces": (domain) => ({ [domain]: spf("v=spf1   ip4:192.0.2.1   -all  ") }),
  "an unknown mechanism": (domain) => ({ [domain]: spf("v=spf1 ipv4:192.0.2.1 -all") }),
  "an unknown modifier": (domain) => ({ [domain]: spf("v=spf1 moo=x moo=y -all") }),
  "a fault behind all": (domain) => ({ [domain]: spf("v=spf1 -all foo") }),
  "a mechanism behind all": (domain) => ({ [domain]: spf("v=spf1 -all a:there.test") }),
  "redirect beside all": (domain) => ({ [domain]: spf("v=spf1 redirect=there.test -all") }),
  "redirect twice": (domain) => ({ [domain]: spf("v=spf1 redirect=ok.test redirect=ok.test") }),
  redirect: (domain) => ({ [domain]: spf("v=spf1 redirect=ok.test") }),
  "redirect to a name without record": (domain) => ({ [domain]: spf("v=spf1 redirect=there.test") }),
  "redirect to no name": (domain) => ({ [domain]: spf("v=spf1 redirect=nothing.test") }),
  "include of a name without record": (domain) => ({ [domain]: spf("v=spf1 include:there.test -all") }),
  "include of no name": (domain) => ({ [domain]: spf("v=spf1 include:nothing.test -all") }),
  "include of a name with two": (domain) => ({
    [domain]: spf(`v=spf1 include:two.${domain} -all`),
    [`two.${domain}`]: spf("v=spf1 -all", "v=spf1 ~all"),
  }),
  "include of a record with a fault": (domain) => ({
    [domain]: spf(`v=spf1 include:bad.${domain} -all`),
    [`bad.${domain}`]: spf("v=spf1 foo -all"),
  }),
  "include twice": (domain) => ({ [domain]: spf("v=spf1 include:ok.test include:ok.test -all") }),
  "a record below twice, which then is too much": (domain) => ({
    [domain]: spf(`v=spf1 include:six.${domain} include:six.${domain} -all`),
    [`six.${domain}`]: spf(`v=spf1 ${terms(5, () => "a:there.test")} -all`),
  }),
  "a loop": (domain) => ({
    [domain]: spf(`v=spf1 include:loop.${domain} -all`),
    [`loop.${domain}`]: spf(`v=spf1 include:${domain} -all`),
  }),
  "a record that includes itself": (domain) => ({ [domain]: spf(`v=spf1 include:${domain} -all`) }),
  "a redirect to itself": (domain) => ({ [domain]: spf(`v=spf1 redirect=${domain}`) }),
  "10 lookups": (domain) => ({ [domain]: spf(`v=spf1 ${terms(10, () => "a:there.test")} -all`) }),
  "11 lookups": (domain) => ({ [domain]: spf(`v=spf1 ${terms(11, () => "a:there.test")} -all`) }),
  "11 lookups with those below": (domain) => ({
    [domain]: spf(`v=spf1 include:deep.${domain} ${terms(5, () => "a:there.test")} -all`),
    [`deep.${domain}`]: spf(`v=spf1 ${terms(5, () => "mx:there.test")} -all`),
  }),
  "macros that count": (domain) => ({
    [domain]: spf(`v=spf1 ${terms(10, () => "exists:%{ir}.x.test")} -all`),
  }),
  "macros that are too many": (domain) => ({
    [domain]: spf(`v=spf1 ${terms(11, () => "exists:%{ir}.x.test")} -all`),
  }),
  "an include with a macro": (domain) => ({ [domain]: spf("v=spf1 include:%{d}.x.test -all") }),
  "a redirect with a macro": (domain) => ({ [domain]: spf("v=spf1 redirect=%{d}.x.test") }),
  "a macro that there is not": (domain) => ({ [domain]: spf("v=spf1 exists:%{x}.x.test -all") }),
  "a macro of explanations": (domain) => ({ [domain]: spf("v=spf1 exists:%{t}.x.test -all") }),
  "a macro of explanations in exp": (domain) => ({ [domain]: spf("v=spf1 -all exp=%{c}.x.test") }),
  "a macro that keeps nothing": (domain) => ({ [domain]: spf("v=spf1 exists:%{d0}.x.test -all") }),
  "a macro without end": (domain) => ({ [domain]: spf("v=spf1 exists:%{d.x.test -all") }),
  "a percent sign": (domain) => ({ [domain]: spf("v=spf1 exists:a%.x.test -all") }),
  "a macro and an end that is no name": (domain) => ({ [domain]: spf("v=spf1 exists:%{d}com -all") }),
  "a prefix length of 33": (domain) => ({ [domain]: spf("v=spf1 ip4:192.0.2.0/33 -all") }),
  "a prefix length of 129": (domain) => ({ [domain]: spf("v=spf1 ip6:2001:db8::/129 -all") }),
  "a prefix length with a zero before it": (domain) => ({ [domain]: spf("v=spf1 ip4:192.0.2.0/024 -all") }),
  "prefix lengths of both kinds": (domain) => ({ [domain]: spf("v=spf1 a:there.test/24//64 -all") }),
  "a prefix length behind a macro": (domain) => ({ [domain]: spf("v=spf1 a:%{d}/33 -all") }),
  "a prefix length of a": (domain) => ({ [domain]: spf("v=spf1 a:there.test/33 -all") }),
  "a prefix length of include": (domain) => ({ [domain]: spf("v=spf1 include:ok.test/24 -all") }),
  "a prefix length of ptr": (domain) => ({ [domain]: spf("v=spf1 ptr/24 -all") }),
  "an address of three parts": (domain) => ({ [domain]: spf("v=spf1 ip4:192.0.2 -all") }),
  "an IPv6 address with a zone": (domain) => ({ [domain]: spf("v=spf1 ip6:fe80::1%eth0 -all") }),
  "IPv6 for IPv4": (domain) => ({ [domain]: spf("v=spf1 ip4:2001:db8::1 -all") }),
  "a name of one label": (domain) => ({ [domain]: spf("v=spf1 a:localhost -all") }),
  "an address as a name": (domain) => ({ [domain]: spf("v=spf1 a:192.0.2.1 -all") }),
  "all with a value": (domain) => ({ [domain]: spf("v=spf1 -all:x") }),
  "a modifier with a sign": (domain) => ({ [domain]: spf("v=spf1 -redirect=ok.test") }),
  "an empty name": (domain) => ({ [domain]: spf("v=spf1 include: -all") }),
  "all that hangs on an address": (domain) => ({ [domain]: spf("v=spf1 ip4:192.0.2.1-all") }),
  "all that hangs on a name": (domain) => ({
    [domain]: spf("v=spf1 include:ok.test-all"),
    "ok.test-all": spf("v=spf1 -all"),
  }),
  "10 exchanges": (domain) => ({ [domain]: { ...spf("v=spf1 mx -all"), MX: mxOf(10) } }),
  "11 exchanges": (domain) => ({ [domain]: { ...spf("v=spf1 mx -all"), MX: mxOf(11) } }),
  "an exchange without address": (domain) => ({ [domain]: { ...spf("v=spf1 mx -all"), MX: ["10 ok.test"] } }),
  "the null MX": (domain) => ({ [domain]: { ...spf("v=spf1 mx -all"), MX: ["0 ."] } }),
  "2 voids": (domain) => ({ [domain]: spf("v=spf1 a:nothing.test mx:nothing.test -all") }),
  "3 voids": (domain) => ({ [domain]: spf("v=spf1 a:nothing.test mx:nothing.test a:ok.test -all") }),
  "3 voids of exists": (domain) => ({
    [domain]: spf(`v=spf1 ${terms(3, () => "exists:nothing.test")} -all`),
  }),
  ptr: (domain) => ({ [domain]: { ...spf("v=spf1 ptr -all"), ...A } }),
  "ptr of a name that has no address": (domain) => ({ [domain]: spf("v=spf1 ptr -all") }),
  "one kind of address": (domain) => ({
    [domain]: spf(`v=spf1 a:six.${domain} -all`),
    [`six.${domain}`]: { AAAA: ["2001:db8::1"] },
  }),
  "an alias": (domain) => ({
    [domain]: spf(`v=spf1 include:alias.${domain} -all`),
    [`alias.${domain}`]: { CNAME: "ok.test" },
  }),
  SERVFAIL: (domain) => ({ [domain]: { behaviour: "servfail" } }),
  REFUSED: (domain) => ({ [domain]: { behaviour: "refused" } }),
  "no answer": (domain) => ({ [domain]: { behaviour: "drop" } }),
  "SERVFAIL below": (domain) => ({
    [domain]: spf(`v=spf1 include:down.${domain} -all`),
    [`down.${domain}`]: { behaviour: "servfail" },
  }),
  "SERVFAIL of a": (domain) => ({
    [domain]: spf(`v=spf1 a:down.${domain} -all`),
    [`down.${domain}`]: { behaviour: "servfail" },
  }),
  "an answer that is cut off": (domain) => ({ [domain]: { ...spf("v=spf1 -all"), behaviour: "truncate" } }),
};
const THERE: DnsZones = {
  "there.test": { ...A, TXT: ["x"], MX: ["10 mx.there.test"] },
  "mx.there.test": A,
  "ok.test": spf("v=spf1 ip4:192.0.2.1 -all"),
};

const valid = (lookups: number, voids: number): Summary => ({ outcome: "valid", lookups, voids });
const INVALID: Summary = { outcome: "invalid" };
const UNKNOWN: Summary = { outcome: "unknown" };

interface Difference {
  readonly ours: Summary;
  readonly theirs: Summary;
  /** The section of RFC 7208 that Hermod follows. */
  readonly why: string;
}

const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "V=SPF1": { ours: valid(0, 0), theirs: INVALID, why: "12: ABNF has no case" },
  "a tab": { ours: INVALID, theirs: valid(0, 0), why: "4.6.1: terms are set apart by spaces alone" },
  "a fault behind all": { ours: INVALID, theirs: valid(0, 0), why: "4.6: a fault anywhere is a permerror" },
  "a macro of explanations in exp": {
    ours: INVALID,
    theirs: valid(0, 0),
    why: "7.2: c, r and t are for the text of an explanation, and not for its name",
  },
  "a macro and an end that is no name": {
    ours: INVALID,
    theirs: valid(1, 0),
    why: "7.1: a domain-spec ends in a top-level label or a macro",
  },
  "a prefix length behind a macro": { ours: INVALID, theirs: valid(1, 0), why: "5.6: 0 to 32" },
  "a name of one label": {
    ours: INVALID,
    theirs: valid(1, 1),
    why: "7.1: there is a dot before a top-level label",
  },
  "an address as a name": {
    ours: INVALID,
    theirs: valid(1, 1),
    why: "7.1: a top-level label is not digits alone",
  },
  "all that hangs on a name": {
    ours: valid(1, 0),
    theirs: INVALID,
    why: "7.1: a top-level label may have hyphens",
  },
  "the null MX": { ours: valid(1, 0), theirs: valid(1, 1), why: "4.6.4: one record is an answer" },
  "3 voids of exists": { ours: INVALID, theirs: valid(3, 0), why: "4.6.4: exists makes queries, too" },
  "ptr of a name that has no address": {
    ours: valid(1, 0),
    theirs: valid(1, 1),
    why: "5.5: ptr asks for the names of the sender's address, which is not known",
  },
  SERVFAIL: { ours: UNKNOWN, theirs: INVALID, why: "4.4: a temperror" },
  REFUSED: { ours: UNKNOWN, theirs: INVALID, why: "4.4: a temperror" },
  "no answer": { ours: UNKNOWN, theirs: INVALID, why: "4.4: a temperror" },
  "SERVFAIL below": { ours: UNKNOWN, theirs: INVALID, why: "5.2: a temperror of the whole" },
  "SERVFAIL of a": {
    ours: UNKNOWN,
    theirs: valid(1, 0),
    why: "5: a temperror, and so the voids are not known",
  },
};

/** Without the known differences. */
const NAMES = ["", "a.", "b.", "c."];
const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom("include:", "-include:", "a:", "mx:", "redirect="),
        fc.constantFrom(...NAMES.map((name) => `${name}DOMAIN`), "ok.test", "there.test", "nothing.test"),
      )
      .map((both) => both.join("")),
  },
  fc.constantFrom("a", "mx/24", "ip4:192.0.2.1", "exists:%{i}.x.test", "moo=x", "include:%{d}.x.test"),
  fc.constant("ip4:192.0.2.1/33"),
);
const record = fc
  .tuple(fc.array(word, { maxLength: 5 }), fc.constantFrom("-all", "~all", ""))
  .map(([words, end]) => [...new Set(["v=spf1", ...words]), end].join(" "));
const zone = fc.tuple(...NAMES.map(() => fc.record({ text: record, hasAddress: fc.boolean() }))).map(
  (entries) =>
    (domain: string): DnsZones =>
      Object.fromEntries(
        entries.map(({ text, hasAddress }, index) => [
          `${NAMES[index]}${domain}`,
          { ...spf(text.replaceAll("DOMAIN", domain)), ...(hasAddress && { ...A, MX: mxOf(2) }) },
        ]),
      ),
);

async function compare(cases: readonly ((domain: string) => DnsZones)[]) {
  const zones = cases.map((of, index) => of(domainOf(index)));
  server.serve(Object.assign({}, THERE, ...zones));
  const verdicts = await theirs(cases.map((_, index) => domainOf(index)));
  const mine: Summary[] = [];
  for (const index of cases.keys()) mine.push(await ours(domainOf(index)));
  return cases.map((_, index) => ({
    zone: zones[index],
    ours: mine[index],
    theirs: verdicts.get(domainOf(index)),
  }));
}

const domainOf = (index: number) => `case${index}.example`;

describe.skipIf(checkdmarc.missing)(`checkdmarc${checkdmarc.note}`, () => {
  it("has the same results and counts, except for the known differences", async () => {
    const names = Object.keys(CASES);
    const found = await compare(Object.values(CASES));
    const differing = found.flatMap(({ ours, theirs }, index) => {
      const name = names[index] ?? "";
      const difference = DIFFERENCES[name] ?? { ours, theirs: ours };
      expect([name, ours, theirs]).toEqual([name, difference.ours, difference.theirs]);
      return name in DIFFERENCES ? [name] : [];
    });
    expect(differing.sort()).toEqual(Object.keys(DIFFERENCES).sort());
  }, 60_000);

  it("has the same results for random zones", async () => {
    const cases = fc.sample(zone, { numRuns: RUNS, seed: 7208 });
    for (const { zone: of, ours, theirs } of await compare(cases)) expect([of, theirs]).toEqual([of, ours]);
  }, 60_000);
});
