import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Resolver } from "../../src/dns/resolver.ts";
import type { CheckResult } from "../../src/intel/check-result.ts";
import { createProbeDns } from "../../src/intel/probe-dns.ts";
import { checkSpf } from "../../src/intel/spf/check-spf.ts";
import type { SpfNode } from "../../src/intel/spf/spf-tree.ts";
import { walkSpf } from "../../src/intel/spf/walk-spf.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { countTurns } from "../harness/count-turns.ts";
import {
  type DnsBehaviour,
  type DnsServer,
  type DnsZones,
  PATIENT,
  startDnsServer,
} from "../harness/dns-server.ts";
import { IMPATIENT, probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

const DOMAIN = "example.com";
const RUNS = Number(process.env.HERMOD_TEST_PROPERTY_RUNS ?? 150);

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const probe = (zones: DnsZones, maxLookups?: number) =>
  probeZones(server, zones, { ...IMPATIENT, maxLookups });

const walk = (zones: DnsZones, maxLookups?: number) => walkSpf(DOMAIN, probe(zones, maxLookups));
const check = async (zones: DnsZones, maxLookups?: number) =>
  (await checkSpf({ domain: DOMAIN, role: "sending", dns: probe(zones, maxLookups) })).map(withParts);
const statusOf = (results: readonly CheckResult[], id: string) =>
  results.find((one) => one.id === `auth.spf.${id}`)?.status;
const statusesOf = (results: readonly CheckResult[], ...ids: string[]) =>
  ids.map((id) => statusOf(results, id));
const spf = (text: string) => ({ TXT: [text] });
const A = { A: ["192.0.2.1"] };
/** One record, in strings of 255 octets. */
const long = (text: string) => ({ TXT: [text.match(/.{1,255}/gs) ?? []] });

/** Number of lookups, without repetitions of the resolver. */
const askedSince = (before: number) =>
  new Set(server.queries.slice(before).map(({ name, type }) => `${name} ${type}`)).size;

/** The tree as its terms, with the cost of each. */
function outline(node: SpfNode | undefined): unknown {
  return node?.branches.map(({ text, lookups, voids, node: below }) =>
    below ? [text, lookups, voids, outline(below)] : [text, lookups, voids],
  );
}

describe("the lookups of a record", () => {
  it("are counted for each branch, also beyond the limit, and again for a repeated record", async () => {
    const dns = probeZones(
      server,
      {
        [DOMAIN]: spf(
          "v=spf1 include:a.test mx ip4:192.0.2.1 include:B.test. exists:%{i}.x.test redirect=d.test exp=e.test",
        ),
        "a.test": spf("v=spf1 a mx:x.test include:c.test -all"),
        "b.test": spf("v=spf1 include:c.test ?include:c.test ptr -all"),
        "c.test": spf(
          "v=spf1 a:x.test a:y.test a:void.test ~all a:never.test include:never.test redirect=never.test",
        ),
        "d.test": spf("v=spf1 include:%{d}.x.test redirect=c.test"),
        "x.test": { ...A, MX: ["10 x.test"] },
        "y.test": { AAAA: ["2001:db8::1"] },
      },
      PATIENT,
    );
    const { root } = await walkSpf(DOMAIN, dns);
    expect([root?.lookups, root?.voids, root?.end]).toEqual([25, 6, "~"]);
    expect(outline(root)).toEqual([
      [
        "include:a.test",
        7,
        2,
        [
          ["a", 1, 1],
          ["mx:x.test", 1, 0],
          [
            "include:c.test",
            4,
            1,
            [
              ["a:x.test", 1, 0],
              ["a:y.test", 1, 0],
              ["a:void.test", 1, 1],
            ],
          ],
        ],
      ],
      ["mx", 1, 1],
      [
        "include:B.test.",
        10,
        2,
        [
          ["include:c.test", 4, 1],
          ["?include:c.test", 4, 1],
          ["ptr", 1, 0],
        ],
      ],
      ["exists:%{i}.x.test", 1, 0],
      [
        "redirect=d.test",
        6,
        1,
        [
          ["include:%{d}.x.test", 1, 0],
          ["redirect=c.test", 4, 1],
        ],
      ],
    ]);
    const asked = server.queries.map(({ name }) => name);
    for (const name of ["never.test", "e.test"]) expect(asked).not.toContain(name);
    expect(asked.filter((name) => name.includes("%"))).toEqual([]);
    expect(server.count("c.test", "TXT")).toBe(1);
  });

  it("count a void for a missing name, and none for one with other texts", async () => {
    const { root, findings } = await walk({
      [DOMAIN]: spf(
        "v=spf1 include:none.test include:other.test include:..test exists:x.test a:x.test mx:x.test -all",
      ),
      "other.test": { TXT: ["x"] },
      "x.test": { AAAA: ["2001:db8::1"] },
    });
    expect(root?.branches.map(({ state, voids }) => [state, voids])).toEqual([
      ["dead", 1],
      ["dead", 0],
      ["dead", 0],
      ["void", 1],
      ["found", 0],
      ["void", 1],
    ]);
    expect(findings.filter(({ kind }) => kind === "missing")).toHaveLength(3);
  });

  it("follow an alias", async () => {
    const { root } = await walk({
      [DOMAIN]: { CNAME: "alias.test" },
      "alias.test": spf("v=spf1 a:b.test -all"),
      "b.test": { CNAME: "c.test" },
      "c.test": A,
    });
    expect([root?.lookups, root?.voids]).toEqual([1, 0]);
  });
});

describe("a failed lookup", () => {
  const TROUBLES: readonly DnsBehaviour[] = ["servfail", "refused", "drop", "truncate_always", "garbage"];
  const MEASURED = [
    "exists",
    "single",
    "syntax",
    "lookups",
    "voids",
    "all",
    "after_all",
    "ptr",
    "redirect_ignored",
    "size",
  ];

  it.each(TROUBLES)(
    "is an error of every check if it concerns the domain's own record, and no absence: %s",
    async (behaviour) => {
      const results = await check({ [DOMAIN]: { ...spf("v=spf1 -all"), behaviour } });
      expect(statusesOf(results, ...MEASURED)).toEqual(MEASURED.map(() => "error"));
      expect(results[0]?.evidence).toMatchObject([{ name: DOMAIN, type: "TXT", rcode: "ERROR", data: [] }]);
      expect(results[0]?.evidence[0]?.reason).toBeTruthy();
    },
  );

  it.each(TROUBLES)(
    "below is an error of the dependent checks, with the other findings: %s",
    async (behaviour) => {
      const results = await check({
        [DOMAIN]: spf("v=spf1 include:a.test include:b.test -all"),
        "a.test": spf("v=spf1 -all"),
        "b.test": { behaviour },
      });
      const tree = ["syntax", "lookups", "voids", "all", "ptr"];
      expect(statusesOf(results, ...tree)).toEqual(tree.map(() => "error"));
      const own = ["exists", "single", "after_all", "redirect_ignored", "size"];
      expect(statusesOf(results, ...own)).toEqual(own.map(() => "pass"));
      const syntax = results.find(({ id }) => id === "auth.spf.syntax");
      expect(syntax?.observed).toContain("include:b.test: The lookup of b.test TXT failed");
      expect(syntax?.evidence.map(({ name, rcode }) => [name, rcode])).toEqual([
        [DOMAIN, "NOERROR"],
        ["a.test", "NOERROR"],
        ["b.test", "ERROR"],
      ]);
    },
  );

  it("of an address makes only the number of voids unknown", async () => {
    const results = await check({
      [DOMAIN]: spf("v=spf1 a:a.test -all"),
      "a.test": { behaviour: "servfail", misbehavesFor: ["AAAA"], TXT: ["x"] },
    });
    expect(statusesOf(results, "syntax", "lookups", "voids", "all")).toEqual([
      "pass",
      "pass",
      "error",
      "pass",
    ]);
  });

  it("of an MX makes the number of hosts unknown", async () => {
    const results = await check({
      [DOMAIN]: { ...spf("v=spf1 mx -all"), behaviour: "servfail", misbehavesFor: ["MX"] },
    });
    expect(statusesOf(results, "syntax", "lookups", "voids", "all")).toEqual([
      "pass",
      "error",
      "error",
      "pass",
    ]);
  });

  it("does not hide an exceeded limit", async () => {
    const names = Array.from({ length: 10 }, (_, index) => `a:void${index}.test`).join(" ");
    const results = await check({
      [DOMAIN]: spf(`v=spf1 ${names} include:b.test -all`),
      "b.test": { behaviour: "servfail" },
    });
    expect(statusesOf(results, "lookups", "voids", "all")).toEqual(["fail", "fail", "error"]);
  });

  it("over UDP is repeated over TCP", async () => {
    const results = await check({ [DOMAIN]: { ...spf("v=spf1 -all"), behaviour: "truncate" } });
    expect(statusesOf(results, "exists", "all")).toEqual(["pass", "pass"]);
  });
});

describe("a hostile zone", () => {
  it("of 400 includes costs the budget, and is counted completely", async () => {
    const words = Array.from({ length: 400 }, (_, index) => `include:a${index}.test`).join(" ");
    const zones: DnsZones = {
      [DOMAIN]: long(`v=spf1 ${words} -all`),
      ...Object.fromEntries(
        Array.from({ length: 400 }, (_, index) => [`a${index}.test`, spf("v=spf1 -all")]),
      ),
    };
    const before = server.queries.length;
    const results = await check(zones);
    expect(askedSince(before)).toBe(60);
    const lookups = results.find(({ id }) => id === "auth.spf.lookups");
    expect(lookups?.status).toBe("fail");
    expect(lookups?.observed).toContain("At least 400 DNS lookups");
    expect(lookups?.observed).toContain("The eleventh lookup is include:a10.test.");
    expect(lookups?.observed.length).toBeLessThan(2_000);
    expect(lookups?.evidence).toHaveLength(61);
    expect(lookups?.evidence.at(-1)).toMatchObject({ rcode: "ERROR", reason: "budget" });
    expect(statusesOf(results, "syntax", "all", "voids")).toEqual(["error", "error", "error"]);
  });

  it("with a long chain is followed to a limited depth", async () => {
    const zones = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `chain${index}.test`,
        spf(`v=spf1 include:chain${index + 1}.test -all`),
      ]),
    );
    const results = await check({ ...zones, [DOMAIN]: spf("v=spf1 include:chain0.test -all") });
    expect(statusesOf(results, "lookups", "syntax")).toEqual(["fail", "error"]);
    expect(server.count("chain25.test")).toBe(0);
  });

  it("of records that include each other repeatedly is read once, with each record once in its tree", async () => {
    const zones = Object.fromEntries(
      Array.from({ length: 15 }, (_, index) => [
        `a${index}.test`,
        spf(`v=spf1 ${`include:a${index + 1}.test `.repeat(10)}-all`),
      ]),
    );
    const { root } = await walk({
      ...zones,
      [DOMAIN]: spf("v=spf1 include:a0.test -all"),
      "a15.test": spf("v=spf1 -all"),
    });
    expect(root?.lookups).toBe(1_000_000);
    expect(JSON.stringify(root).length).toBeLessThan(100_000);
  });

  it("with loops ends, and each loop is reported", async () => {
    const { findings } = await walk({
      [DOMAIN]: spf("v=spf1 include:example.com include:a.test redirect=b.test"),
      "a.test": spf("v=spf1 include:b.test include:a.test -all"),
      "b.test": spf("v=spf1 include:a.test redirect=EXAMPLE.com."),
    });
    expect(findings.filter(({ kind }) => kind === "loop").map(({ trail, text }) => [...trail, text])).toEqual(
      [
        ["include:example.com"],
        ["include:a.test", "include:b.test", "include:a.test"],
        ["include:a.test", "include:b.test", "redirect=EXAMPLE.com."],
        ["include:a.test", "include:a.test"],
      ],
    );
  });

  it.each([
    ["letters", "x".repeat(60_000)],
    ["terms that nobody can read", ",,,, ".repeat(12_000)],
    ["one term of commas", `${",".repeat(60_000)}x`],
    ["different terms", Array.from({ length: 8_000 }, (_, index) => `?a/${index}`).join(" ")],
    [
      "addresses",
      Array.from({ length: 4_000 }, (_, index) => `ip4:10.0.${index >> 8}.${index & 255}`).join(" "),
    ],
  ])("of 60 KB of %s is judged, with a result of limited length", async (_, text) => {
    const results = await check({ [DOMAIN]: { TXT: [...long(`v=spf1 ${text} -all`).TXT] } });
    for (const { observed } of results) expect(observed.length).toBeLessThan(4_000);
    expect(statusOf(results, "exists")).toBe("pass");
  });
});

const NAMES = ["example.com", "a.test", "b.test", "c.test", "d.test", "e.test"];
const name = fc.constantFrom(...NAMES, "none.test");
const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom("include:", "include:", "?include:", "a:", "mx:", "exists:", "redirect="), name)
      .map((both) => both.join("")),
  },
  fc.constantFrom(
    "a",
    "mx",
    "ptr",
    "ip4:192.0.2.1",
    "-all",
    "~all",
    "?all",
    "+all",
    "foo",
    "exists:%{i}.x.test",
    "ip4=192.0.2.1",
  ),
);
const record = fc.array(word, { maxLength: 6 }).map((words) => ["v=spf1", ...words].join(" "));
const entry = fc.record(
  {
    TXT: fc.oneof(
      { weight: 6, arbitrary: record.map((text) => [text]) },
      fc.tuple(record, record),
      fc.constant(["x"]),
    ),
    A: fc.constant(["192.0.2.1"]),
    MX: fc
      .integer({ min: 1, max: 12 })
      .map((count) => Array.from({ length: count }, (_, index) => `${index} mx.test`)),
  },
  { requiredKeys: ["TXT"] },
);
const zone = fc
  .tuple(...NAMES.map(() => entry))
  .map((entries) => Object.fromEntries(NAMES.map((one, index) => [one, entries[index]])) as DnsZones);

/** A typing error in the record itself, and a fault in a referenced record. */
const DOUBT_BEFORE_A_FAULT: DnsZones = {
  [DOMAIN]: spf("v=spf1 ip4=192.0.2.1 redirect=b.test"),
  "b.test": spf("v=spf1 redirect=example.com -all redirect=example.com"),
};

describe("any zone", () => {
  it("is walked within the budget, always with the same result", async () => {
    await fc.assert(
      fc.asyncProperty(zone, fc.integer({ min: 1, max: 30 }), async (zones, budget) => {
        const before = server.queries.length;
        const results = await check(zones, budget);
        expect(askedSince(before)).toBeLessThanOrEqual(budget);
        const facts = (all: readonly CheckResult[]) =>
          all.map(({ id, status, observed }) => [id, status, observed]);
        expect(facts(await check(zones, budget))).toEqual(facts(results));
      }),
      { numRuns: RUNS },
    );
  });

  it("keeps its result or is an error if lookups fail", async () => {
    const failing = fc.subarray([...NAMES, "none.test"], { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(zone, failing, async (zones, names) => {
        const whole = await check(zones, 1_000);
        const broken = Object.fromEntries(
          names.map((one) => [one, { ...zones[one], behaviour: "servfail" as const }]),
        );
        const partial = await check({ ...zones, ...broken }, 1_000);
        for (const { id, status } of partial) {
          const former = whole.find((one) => one.id === id)?.status;
          expect([id, status === "error" ? former : status]).toEqual([id, former]);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("is repaired by the proposed records, within three rounds, or has a reason why none is proposed", async () => {
    const own = (kind: string) => ["fault", "doubt", "missing", "ptr"].includes(kind);
    await fc.assert(
      fc.asyncProperty(zone, async (zones) => {
        let current = zones;
        for (let round = 0; ; round++) {
          const results = await check(current, 1_000);
          const value = results.find(({ fix }) => fix?.record)?.fix?.record?.value;
          if (value === undefined) {
            if (results.some(({ fix }) => fix?.text.includes("Hermod proposes no record"))) return;
            const { findings } = await walk(current, 1_000);
            expect(findings.filter(({ kind, trail }) => trail.length === 0 && own(kind))).toEqual([]);
            const ids = ["exists", "single", "after_all", "redirect_ignored"];
            expect(statusesOf(results, ...ids)).toEqual(ids.map(() => "pass"));
            return;
          }
          expect([value, round < 3]).toEqual([value, true]);
          current = { ...current, [DOMAIN]: { ...current[DOMAIN], TXT: [value] } };
        }
      }),
      { numRuns: RUNS, examples: [[DOUBT_BEFORE_A_FAULT]] },
    );
  });
});

describe("a record of 64 KB", () => {
  const terms = Array.from({ length: 3_500 }, (_, at) => `include:${at}.test`).join(" ");

  it("is one fault: none of its terms is followed, and no repair is offered", async () => {
    const zones = { [DOMAIN]: long(`v=spf1 ${terms} -all`) };
    const before = server.queries.length;
    const results = await check(zones);
    expect(askedSince(before)).toBe(1);
    expect(results.find(({ id }) => id === "auth.spf.syntax")).toMatchObject({
      status: "fail",
      observed: expect.stringContaining("The record has more than 8192 characters. Receivers may ignore it"),
      fix: { text: expect.stringContaining("Hermod proposes no record") },
    });
    const { root } = await walk({ [DOMAIN]: long(`v=spf1 ${"ip4:192.0.2.1 ".repeat(580)}-all`) });
    expect(root?.record.faults).toEqual([]);
  });

  it("yields to other work after every record", async () => {
    const record = `v=spf1 ${terms.slice(0, 8_000)}`;
    const resolve = async () => ({ kind: "records", records: [[record]], ttlSeconds: 60 });
    const resolver = { resolve } as unknown as Pick<Resolver, "resolve">;
    const dns = createProbeDns({ resolver, clock: systemClock });
    expect(await countTurns(() => walkSpf(DOMAIN, dns))).toBeGreaterThanOrEqual(60);
  });
});
