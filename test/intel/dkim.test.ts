import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DomainRole } from "../../src/intel/catalogue.ts";
import type { CheckStatus } from "../../src/intel/check-result.ts";
import { checkDkim } from "../../src/intel/dkim/check-dkim.ts";
import { dnsRecord, generateDkimKeyPair } from "../../src/message/dkim/keys.ts";
import { resultsBelow } from "../harness/check-results.ts";
import {
  type DnsBehaviour,
  type DnsName,
  type DnsServer,
  type DnsZones,
  PATIENT,
  startDnsServer,
} from "../harness/dns-server.ts";
import { probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

const DOMAIN = "example.com";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

interface Options {
  readonly role?: DomainRole;
  readonly selectors?: readonly string[];
  readonly timeoutMs?: number;
  readonly retryMs?: number;
}

async function check(
  zones: DnsZones,
  { role = "sending", selectors = ["s"], timeoutMs = 2_000, retryMs = 5 }: Options = {},
) {
  const dns = probeZones(server, zones, { retryMs, tries: 5, timeoutMs });
  return (await checkDkim({ domain: DOMAIN, role, selectors, dns })).map(withParts);
}

const { find } = resultsBelow("auth.dkim");

const spki = (bits: number) =>
  generateKeyPairSync("rsa", { modulusLength: bits })
    .publicKey.export({ type: "spki", format: "der" })
    .toString("base64");
const GOOD = `v=DKIM1; k=rsa; p=${spki(2_048)}`;
const SHORT = `v=DKIM1; k=rsa; p=${spki(1_024)}`;
const BROKEN = `v=DKIM1; k=rsa; p=${spki(768)}`;
const LONG = `v=DKIM1; k=rsa; p=${spki(4_224)}`;
const split = (text: string): DnsName => ({ TXT: [text.match(/.{1,255}/gs) ?? []] });
const at = (selector: string, ...texts: string[]): DnsZones => ({
  [`${selector}._domainkey.${DOMAIN}`]: { TXT: texts.map((text) => text.match(/.{1,255}/gs) ?? [""]) },
});
const GUESS: Options = { selectors: [] };
const WILDCARD = ["default", "google", "k1", "s1"].map((one) => at(one, "v=spf1 -all"));

type Row = [
  id: string,
  what: string,
  zones: DnsZones,
  status: CheckStatus,
  fix?: string | undefined,
  options?: Options,
];

const ROWS: readonly Row[] = [
  ["key", "a key", at("s", GOOD), "pass"],
  ["key", "an alias", { [`s._domainkey.${DOMAIN}`]: { CNAME: "s.a.test" }, "s.a.test": split(GOOD) }, "pass"],
  [
    "key",
    "two selectors",
    { ...at("s", GOOD), ...at("t", SHORT) },
    "pass",
    undefined,
    { selectors: ["s", "T"] },
  ],
  ["key", "one of two selectors", at("s", GOOD), "fail", undefined, { selectors: ["s", "t"] }],
  ["key", "no name", {}, "fail"],
  ["key", "an alias that leads nowhere", { [`s._domainkey.${DOMAIN}`]: { CNAME: "s.a.test" } }, "fail"],
  ["key", "something else", at("s", "v=spf1 -all"), "fail"],
  ["key", "several records", at("s", GOOD, SHORT), "fail"],
  ["key", "several records with one key", at("s", "x", GOOD), "fail", GOOD],
  ["key", "a revoked key", at("s", "v=DKIM1; p="), "fail"],
  ["key", "no use of SHA-256", at("s", GOOD.replace("k=rsa", "h=sha1; k=rsa")), "fail", GOOD],
  ["key", "another service", at("s", GOOD.replace("k=rsa", "k=rsa; s=other")), "fail", GOOD],
  ["key", "another version", at("s", GOOD.replace("DKIM1", "DKIM2")), "fail", GOOD],
  ["key", "a key that was cut off", at("s", GOOD.slice(0, 255)), "fail"],
  ["key", "the former tag g", at("s", GOOD.replace("k=rsa", "g=*; k=rsa")), "pass"],
  ["key", "a well-known selector", at("google", GOOD), "pass", undefined, GUESS],
  [
    "key",
    "a well-known selector beside one that was revoked",
    { ...at("k1", "p="), ...at("k2", GOOD) },
    "pass",
    undefined,
    GUESS,
  ],
  ["key", "a well-known selector with a fault", at("google", GOOD.slice(0, 255)), "warn", undefined, GUESS],
  ["key", "a well-known selector with several records", at("google", "x", GOOD), "warn", GOOD, GUESS],
  ["key", "no selector that is well known", at("x", GOOD), "not_tested", undefined, GUESS],
  ["key", "well-known selectors that were revoked", at("k1", "v=DKIM1; p="), "not_tested", undefined, GUESS],
  [
    "key",
    "well-known names with something else",
    Object.assign({}, ...WILDCARD),
    "not_tested",
    undefined,
    GUESS,
  ],
  ["key", "no _domainkey", { [DOMAIN]: { A: ["192.0.2.1"] } }, "not_tested", undefined, GUESS],
  ["key", "a parked domain", at("s", "p="), "not_tested", undefined, { role: "parked" }],
  ["key", "a domain that sends nothing", {}, "not_tested", undefined, { role: "receiving" }],

  ["strength", "2048 bits", at("s", GOOD), "pass"],
  ["strength", "1024 bits", at("s", SHORT), "warn"],
  ["strength", "768 bits", at("s", BROKEN), "fail"],
  ["strength", "768 bits at a well-known selector", at("k1", BROKEN), "warn", undefined, GUESS],
  ["strength", "4224 bits", at("s", LONG), "warn"],
  ["strength", "no key", at("s", "p="), "not_tested"],
  [
    "strength",
    "the shortest of several",
    { ...at("s", GOOD), ...at("t", BROKEN) },
    "fail",
    undefined,
    { selectors: ["s", "t"] },
  ],

  ["testing", "no flag", at("s", GOOD), "pass"],
  ["testing", "another flag", at("s", `${GOOD}; t=s`), "pass"],
  [
    "testing",
    "t=y",
    at("s", GOOD.replace("k=rsa", "t=y:s; k=rsa")),
    "warn",
    GOOD.replace("k=rsa", "t=s; k=rsa"),
  ],
  ["testing", "no key", {}, "not_tested"],
];

describe("each check of a zone with an explicit result", () => {
  it.each<Row>(ROWS)("%s: %s", async (id, _, zones, status, value, options) => {
    const found = find(await check(zones, options), id);
    expect(found, JSON.stringify(found)).toMatchObject({ status });
    expect(found.fix?.record?.value).toBe(value);
    expect(found.observed).toMatch(/^[^…]+\.$/);
    if (status === "fail" || status === "warn") expect(found.fix?.text).toBeTruthy();
    else expect(found.fix).toBeUndefined();
  });

  it("passes after the proposed record is published", async () => {
    for (const [id, what, zones, , value, options] of ROWS) {
      if (value === undefined) continue;
      const name = find(await check(zones, options), id).fix?.record?.name ?? "";
      expect([what, name]).toEqual([what, `${options === GUESS ? "google" : "s"}._domainkey.${DOMAIN}`]);
      const after = await check({ ...zones, [name]: split(value) }, options);
      expect([what, ...after.map(({ status }) => status)]).toEqual([what, "pass", "pass", "pass"]);
    }
  });

  it("passes with the keys that Hermod itself publishes", async () => {
    for (const algorithm of ["rsa-sha256", "ed25519-sha256"] as const) {
      const { publicKey } = await generateDkimKeyPair(algorithm);
      const { name, chunks } = dnsRecord({ selector: "s", domain: DOMAIN, key: publicKey });
      const results = await check({ [name]: { TXT: [chunks], ttl: 77 } });
      expect(results.map(({ status }) => status)).toEqual(["pass", "pass", "pass"]);
      expect(find(results, "key").evidence).toMatchObject([
        { name, type: "TXT", rcode: "NOERROR", ttlSeconds: 77 },
      ]);
    }
  });
});

describe("well-known selectors", () => {
  it("need one lookup if no selector exists", async () => {
    const before = server.queries.length;
    const results = await check({ [DOMAIN]: { A: ["192.0.2.1"] } }, { ...GUESS, ...PATIENT });
    expect(server.queries.length - before).toBe(1);
    expect(find(results, "key").evidence).toMatchObject([
      { name: `_domainkey.${DOMAIN}`, rcode: "NXDOMAIN" },
    ]);
  });

  it("are shown if records exist", async () => {
    const { evidence } = find(await check({ ...at("google", GOOD), ...at("k1", "p=") }, GUESS), "key");
    expect(evidence.map(({ name }) => name)).toEqual([
      `google._domainkey.${DOMAIN}`,
      `k1._domainkey.${DOMAIN}`,
    ]);
  });
});

const FAILURES: readonly DnsBehaviour[] = [
  "servfail",
  "refused",
  "drop",
  "truncate_always",
  "hang_up",
  "garbage",
];

describe("a missing answer", () => {
  const broken = (selector: string, behaviour: DnsBehaviour): DnsZones => ({
    [`${selector}._domainkey.${DOMAIN}`]: { behaviour },
  });

  it.each(FAILURES)("is an error, and never an absence: %s", async (behaviour) => {
    // Long enough for the answers about the other names on a busy machine.
    const statuses = async (zones: DnsZones, selectors: readonly string[]) =>
      (await check(zones, { selectors, timeoutMs: 1_500 })).map(({ status }) => status);
    expect(await statuses(broken("s", behaviour), ["s"])).toEqual(["error", "error", "error"]);
    expect(await statuses({ ...broken("s", behaviour), ...at("t", GOOD) }, ["s", "t"])).toEqual([
      "error",
      "error",
      "error",
    ]);
    // Known results stay.
    expect(await statuses({ ...broken("s", behaviour), ...at("t", BROKEN) }, ["s", "t"])).toEqual([
      "error",
      "fail",
      "error",
    ]);
    expect(await statuses(broken("google", behaviour), [])).toEqual(["error", "error", "error"]);
    expect(await statuses({ ...broken("google", behaviour), ...at("k1", GOOD) }, [])).toEqual([
      "pass",
      "error",
      "error",
    ]);
  });

  it("over UDP is replaced by an answer over TCP", async () => {
    const zones = { [`s._domainkey.${DOMAIN}`]: { ...split(GOOD), behaviour: "truncate" as const } };
    expect(find(await check(zones), "key").status).toBe("pass");
  });

  it("to one query of five leads to the same result, a hundred times", async () => {
    const zones = { ...at("google", SHORT), ...at("k1", `${GOOD}; t=y`) };
    const verdict = async () => {
      const results = await check(zones, GUESS);
      return JSON.stringify(results.map(({ id, status, observed, fix }) => ({ id, status, observed, fix })));
    };
    const verdicts = new Set([await verdict()]);
    expect([...verdicts][0]).not.toContain('"error"');
    server.disturb({ loss: { share: 0.2, seed: 6376 } });
    for (let round = 0; round < 100; round++) verdicts.add(await verdict());
    server.disturb({});
    expect([...verdicts]).toHaveLength(1);
  }, 30_000);
});
