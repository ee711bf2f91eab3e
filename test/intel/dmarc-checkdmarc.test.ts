import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkDmarc } from "../../src/intel/dmarc/check-dmarc.ts";
import type { DmarcPolicy } from "../../src/intel/dmarc/parse-dmarc.ts";
import { walkDmarc } from "../../src/intel/dmarc/walk-dmarc.ts";
import { askCheckdmarc } from "../harness/ask-checkdmarc.ts";
import { type DnsName, type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { probeServer } from "../harness/probe-zones.ts";
import { tool } from "../harness/tools.ts";

const checkdmarc = tool("checkdmarc");
const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 150);

const VERDICT = `
from checkdmarc.dmarc import check_dmarc

def verdict(domain, **asked):
    found = check_dmarc(domain, **asked)
    tags = found.get("tags", {})
    return {
        "valid": found["valid"],
        "location": found.get("location"),
        "policies": {name: tags[name]["value"] for name in ("p", "sp", "np") if name in tags},
        "warnings": found.get("warnings", []),
        "error": found.get("error"),
    }
`;

interface Verdict {
  readonly valid: boolean;
  readonly location: string | null;
  readonly policies: Readonly<Record<"p" | "sp" | "np", DmarcPolicy>>;
  readonly warnings: readonly string[];
  readonly error: string | null;
}

/** Timeouts for checkdmarc. */
const PATIENCE = { retryMs: 300, tries: 2, timeoutMs: 1_000 } as const;

/** Comparable result of both: the policies with their levels above the domain, or that there are none. */
type Summary =
  | { readonly above: number; readonly policies: string; readonly mayReport: boolean }
  | "invalid"
  | "unknown";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const above = (domain: string, location: string) => domain.split(".").length - location.split(".").length;
const listed = ({ p, sp, np }: Verdict["policies"]) => `${p} ${sp} ${np}`;

async function theirs(domains: readonly string[]): Promise<Map<string, Summary>> {
  const verdicts = await askCheckdmarc<Verdict>(server, domains, VERDICT);
  return new Map(
    verdicts.map(([domain, { valid, location, policies, warnings }]): [string, Summary] => {
      if (!valid || location === null) return [domain, "invalid"];
      const mayReport = !warnings.some((one) => one.includes("does not indicate that it accepts"));
      return [domain, { above: above(domain, location), policies: listed(policies), mayReport }];
    }),
  );
}

async function ours(domain: string): Promise<Summary> {
  const dns = probeServer(server, PATIENCE);
  const { applied, failure } = await walkDmarc(domain, dns);
  if (!applied) return failure === undefined ? "invalid" : "unknown";
  const { policies } = applied.record;
  if (!policies) return "invalid";
  const results = await checkDmarc({ domain, role: "sending", dns });
  const reports = results.find(({ id }) => id === "auth.dmarc.rua_authorised")?.status;
  if (reports === "error") return "unknown";
  const mayReport = reports !== "fail" && reports !== "warn";
  return { above: above(domain, applied.site.domain), policies: listed(policies), mayReport };
}

const txt = (...texts: string[]): DnsName => ({ TXT: texts });
const own =
  (...texts: string[]) =>
  (domain: string): DnsZones => ({ [`_dmarc.${domain}`]: txt(...texts), [domain]: txt("x") });
/** Records at the domain, which is a.mail of another one, and above it. */
const tree =
  (records: Readonly<Record<"a.mail." | "mail." | "" | string, string>>) =>
  (domain: string): DnsZones => ({
    [domain]: txt("x"),
    ...Object.fromEntries(
      Object.entries(records).map(([prefix, text]) => [
        `_dmarc.${prefix}${domain.replace("a.mail.", "")}`,
        txt(text),
      ]),
    ),
  });
const RUA = "rua=mailto:a@other.test";

/** A case with a name that begins with `tree` is about a.mail below the case's domain. */
const CASES: Readonly<Record<string, (domain: string) => DnsZones>> = {
  "a record": own("v=DMARC1; p=reject; sp=quarantine; np=none"),
  "a record of the version alone": own("v=DMARC1"),
  "no record": (domain) => ({ [domain]: txt("x") }),
  "no name": () => ({}),
  "no p": own("v=DMARC1; sp=reject"),
  "p at the end": own("v=DMARC1; sp=none; adkim=s; p=reject;"),
  "spaces and tabs": own("v = DMARC1 ;\tp\t=\treject ; sp=none ;"),
  "a space before it": own(" v=DMARC1; p=reject"),
  capitals: own("V=DMARC1; P=REJECT; SP=None"),
  "small letters": own("v=dmarc1; p=reject"),
  "no semicolon": own("v=DMARC1 p=reject"),
  "quotation marks": own('"v=DMARC1; p=reject"'),
  "two records": own("v=DMARC1; p=reject", "v=DMARC1; p=none"),
  "two strings": (domain) => ({
    [domain]: txt("x"),
    [`_dmarc.${domain}`]: { TXT: [["v=DMARC1; p=", "reject"]] },
  }),
  "unknown tags": own("v=DMARC1; p=reject; moo=x; moo=y"),
  "former tags": own("v=DMARC1; p=reject; pct=foo; rf=x; ri=y"),
  "a tag twice": own("v=DMARC1; p=reject; p=none"),
  "a wrong p": own("v=DMARC1; p=foo"),
  "a wrong p with an address": (domain) => own(`v=DMARC1; p=foo; rua=mailto:a@${domain}`)(domain),
  "a wrong sp with an address": (domain) => own(`v=DMARC1; p=reject; sp=foo; rua=mailto:a@${domain}`)(domain),
  "a wrong alignment": own("v=DMARC1; p=reject; adkim=x"),
  "a wrong t": own("v=DMARC1; p=reject; t=maybe"),
  "a wrong psd": own("v=DMARC1; p=reject; psd=maybe"),
  "0 and 1 in fo": own("v=DMARC1; p=reject; fo=0:1"),
  "a wrong fo": own("v=DMARC1; p=reject; fo=x"),
  "a part that is no tag": own("v=DMARC1; p=reject; foo"),
  "a tag with a digit": own("v=DMARC1; p=reject; x1=y"),
  "an empty part": own("v=DMARC1; p=reject;; sp=none"),
  "no value": own("v=DMARC1; p=reject; adkim="),
  "junk beside it": own("x", "v=DMARC1; p=reject"),
  "another version beside it": own("v=dmarc1; p=none", "v=DMARC1; p=reject"),
  "another URI": own("v=DMARC1; p=reject; rua=https://example.com/reports"),
  "no URI": own("v=DMARC1; p=reject; rua=a@example.com"),
  "no URI for failures": own("v=DMARC1; p=reject; ruf=nobody"),
  "an encoded URI": (domain) => own(`v=DMARC1; p=reject; rua=mailto:a%2Bb@${domain}`)(domain),
  "an own address": (domain) => own(`v=DMARC1; p=reject; rua=mailto:a@${domain}!10m`)(domain),
  "an address that agrees": (domain) => ({
    ...own(`v=DMARC1; p=reject; ${RUA}`)(domain),
    [`${domain}._report._dmarc.other.test`]: txt("x", "v=DMARC1;"),
  }),
  "an address that does not agree": own(`v=DMARC1; p=reject; ${RUA}`),
  "an address that agrees to something else": (domain) => ({
    ...own(`v=DMARC1; p=reject; ${RUA}`)(domain),
    [`${domain}._report._dmarc.other.test`]: txt("v=spf1 -all"),
  }),
  "an address below that is an organisation of its own": (domain) => ({
    ...own(`v=DMARC1; p=reject; rua=mailto:a@sub.${domain}`)(domain),
    [`_dmarc.sub.${domain}`]: txt("v=DMARC1; psd=n"),
  }),
  "an address that nobody answers for": (domain) => ({
    ...own(`v=DMARC1; p=reject; ${RUA}`)(domain),
    [`${domain}._report._dmarc.other.test`]: { behaviour: "servfail" },
  }),
  "an alias": (domain) => ({
    [domain]: txt("x"),
    [`_dmarc.${domain}`]: { CNAME: `record.${domain}` },
    [`record.${domain}`]: txt("v=DMARC1; p=reject"),
  }),
  "tree: its own": tree({ "a.mail.": "v=DMARC1; p=none", "": "v=DMARC1; p=reject" }),
  "tree: the highest": tree({ "mail.": "v=DMARC1; p=none", "": "v=DMARC1; p=reject" }),
  "tree: psd=n": tree({ "mail.": "v=DMARC1; p=none; psd=n", "": "v=DMARC1; p=reject" }),
  "tree: psd=y": tree({ "mail.": "v=DMARC1; p=none", "": "v=DMARC1; p=reject; psd=y" }),
  "tree: psd=y and nothing below": tree({ "": "v=DMARC1; p=reject; psd = Y" }),
  "tree: psd=u": tree({ "mail.": "v=DMARC1; p=none; psd=u", "": "v=DMARC1; p=reject; psd=u" }),
  "tree: nothing": tree({}),
  "tree: no name": (domain) => ({
    [`_dmarc.${domain.replace("a.mail.", "")}`]: txt("v=DMARC1; p=none; np=reject"),
  }),
  "tree: two records and one above": (domain) => ({
    ...tree({ "": "v=DMARC1; p=reject" })(domain),
    [`_dmarc.${domain}`]: txt("v=DMARC1", "v=DMARC1; p=none"),
  }),
  "tree: two records above, and one below those": (domain) => ({
    ...tree({ "mail.": "v=DMARC1; p=reject" })(domain),
    [`_dmarc.${domain.replace("a.mail.", "")}`]: txt("v=DMARC1", "v=DMARC1; p=none"),
  }),
  "tree: SERVFAIL": (domain) => ({
    ...tree({ "": "v=DMARC1; p=reject" })(domain),
    [`_dmarc.${domain.replace("a.", "")}`]: { behaviour: "servfail" },
  }),
  SERVFAIL: (domain) => ({ [domain]: txt("x"), [`_dmarc.${domain}`]: { behaviour: "servfail" } }),
  REFUSED: (domain) => ({ [domain]: txt("x"), [`_dmarc.${domain}`]: { behaviour: "refused" } }),
  "no answer": (domain) => ({ [domain]: txt("x"), [`_dmarc.${domain}`]: { behaviour: "drop" } }),
  "an answer that is cut off": (domain) => ({
    [domain]: txt("x"),
    [`_dmarc.${domain}`]: { ...txt("v=DMARC1; p=reject"), behaviour: "truncate" },
  }),
  "labels: eleven, and the record in the middle": (domain) => ({
    [domain]: txt("x"),
    [`_dmarc.${domain.replace("a.b.", "b.")}`]: txt("v=DMARC1; p=reject"),
  }),
  "labels: eleven, and the record at the seventh": (domain) => ({
    [domain]: txt("x"),
    [`_dmarc.${domain.replace("a.b.c.d.", "")}`]: txt("v=DMARC1; p=reject"),
  }),
};

const valid = (policies: string, levels = 0, mayReport = true): Summary => ({
  above: levels,
  policies,
  mayReport,
});

interface Difference {
  readonly ours: Summary;
  readonly theirs: Summary;
  /** The section of RFC 9989 that Hermod follows. */
  readonly why: string;
}

const SYNTAX = "4.8: errors in the remainder are discarded, or a default takes their place";
const TRANSIENT = "4.10.1: an indication that there is no record, as opposed to a transient error";
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  "a wrong p with an address": {
    ours: valid("none none none"),
    theirs: "invalid",
    why: "4.10.1: with an address for reports it stands for p=none",
  },
  "a wrong sp with an address": {
    ours: valid("none none none"),
    theirs: "invalid",
    why: "4.10.1: with an address for reports it stands for p=none",
  },
  "a wrong t": { ours: valid("reject reject reject"), theirs: "invalid", why: SYNTAX },
  "a wrong psd": { ours: valid("reject reject reject"), theirs: "invalid", why: SYNTAX },
  "a wrong fo": { ours: valid("reject reject reject"), theirs: "invalid", why: SYNTAX },
  "a part that is no tag": { ours: valid("reject reject reject"), theirs: "invalid", why: SYNTAX },
  "a tag with a digit": { ours: valid("reject reject reject"), theirs: "invalid", why: SYNTAX },
  "an empty part": { ours: valid("reject none none"), theirs: "invalid", why: SYNTAX },
  "no value": { ours: valid("reject reject reject"), theirs: "invalid", why: SYNTAX },
  "no URI": { ours: valid("reject reject reject"), theirs: "invalid", why: SYNTAX },
  "no URI for failures": { ours: valid("reject reject reject"), theirs: "invalid", why: SYNTAX },
  "junk beside it": {
    ours: valid("reject reject reject"),
    theirs: "invalid",
    why: "4.10: records that do not begin with the version are discarded",
  },
  "another version beside it": {
    ours: valid("reject reject reject"),
    theirs: "invalid",
    why: "4.10: records that do not begin with the version are discarded",
  },
  "an address below that is an organisation of its own": {
    ours: valid("reject reject reject", 0, false),
    theirs: valid("reject reject reject"),
    why: "4.10.2, and RFC 9990 section 4: the walk, and not the list of public suffixes, tells organisations apart",
  },
  "an address that nobody answers for": {
    ours: "unknown",
    theirs: valid("reject reject reject", 0, false),
    why: TRANSIENT,
  },
  "tree: no name": {
    ours: valid("none none reject", 2),
    theirs: "invalid",
    why: "4.10.1: np is for names that do not exist",
  },
  "tree: two records and one above": {
    ours: valid("reject reject reject", 2),
    theirs: "invalid",
    why: "4.10: several records are discarded, and the walk goes on",
  },
  "tree: two records above, and one below those": {
    ours: valid("reject reject reject", 1),
    theirs: "invalid",
    why: "4.10: several records are discarded, and the walk goes on",
  },
  "tree: SERVFAIL": { ours: "unknown", theirs: "invalid", why: TRANSIENT },
  SERVFAIL: { ours: "unknown", theirs: "invalid", why: TRANSIENT },
  REFUSED: { ours: "unknown", theirs: "invalid", why: TRANSIENT },
  "no answer": { ours: "unknown", theirs: "invalid", why: TRANSIENT },
};

/** Without the known differences. */
const policy = fc.constantFrom("none", "quarantine", "reject");
const text = fc
  .record(
    {
      p: policy,
      sp: policy,
      np: policy,
      psd: fc.constantFrom("n", "u", "y"),
      adkim: fc.constantFrom("r", "s"),
      rua: fc.constantFrom("mailto:a@other.test", "mailto:a@agrees.test", "mailto:a@DOMAIN"),
      moo: fc.constant("x"),
    },
    { requiredKeys: [] },
  )
  // Reports requested by a registry do not concern the domain.
  .map(({ rua, ...tags }) => (tags.psd === "y" || rua === undefined ? tags : { ...tags, rua }))
  .map((tags) => ["v=DMARC1", ...Object.entries(tags).map(([name, value]) => `${name}=${value}`)].join("; "));
const zone = fc
  .array(fc.option(text, { nil: undefined, freq: 2 }), { minLength: 3, maxLength: 3 })
  .map((texts) => (domain: string): DnsZones => {
    const base = domain.replace("a.mail.", "");
    const names = [domain, `mail.${base}`, base];
    const records = texts.flatMap((one, index): [string, DnsName][] =>
      one === undefined ? [] : [[`_dmarc.${names[index]}`, txt(one.replaceAll("DOMAIN", domain))]],
    );
    const agreements = names.map((name) => [`${name}._report._dmarc.agrees.test`, txt("v=DMARC1")]);
    return { [domain]: txt("x"), ...Object.fromEntries([...records, ...agreements]) };
  });

function domainOf(name: string, index: number): string {
  const base = `case${index}.example`;
  if (name.startsWith("labels")) return `a.b.c.d.e.f.g.h.i.${base}`;
  return name.startsWith("tree") ? `a.mail.${base}` : base;
}

async function compare(cases: readonly [name: string, of: (domain: string) => DnsZones][]) {
  const domains = cases.map(([name], index) => domainOf(name, index));
  const zones = cases.map(([, of], index) => of(domains[index] ?? ""));
  server.serve(Object.assign({ "other.test": txt("x"), "agrees.test": txt("x") }, ...zones));
  const verdicts = await theirs(domains);
  const mine: Summary[] = [];
  for (const domain of domains) mine.push(await ours(domain));
  return cases.map(([name], index) => ({
    name,
    zone: zones[index],
    ours: mine[index],
    theirs: verdicts.get(domains[index] ?? ""),
  }));
}

describe.skipIf(checkdmarc.missing)(`checkdmarc${checkdmarc.note}`, () => {
  it("has the same results, except for the known differences", async () => {
    const found = await compare(Object.entries(CASES));
    const differing = found.flatMap(({ name, ours, theirs }) => {
      const difference = DIFFERENCES[name] ?? { ours, theirs: ours };
      expect([name, ours, theirs]).toEqual([name, difference.ours, difference.theirs]);
      return name in DIFFERENCES ? [name] : [];
    });
    expect(differing.sort()).toEqual(Object.keys(DIFFERENCES).sort());
  }, 60_000);

  it("has the same results for random trees", async () => {
    const cases = fc.sample(zone, { numRuns: RUNS, seed: 9989 });
    const named = cases.map((of): [string, (domain: string) => DnsZones] => ["tree", of]);
    for (const { zone: of, ours, theirs } of await compare(named)) expect([of, theirs]).toEqual([of, ours]);
  }, 60_000);
});
