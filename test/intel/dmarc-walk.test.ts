import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckResult } from "../../src/intel/check-result.ts";
import { checkDmarc } from "../../src/intel/dmarc/check-dmarc.ts";
import { walkDmarc } from "../../src/intel/dmarc/walk-dmarc.ts";
import {
  type DnsBehaviour,
  type DnsServer,
  type DnsZones,
  PATIENT,
  startDnsServer,
} from "../harness/dns-server.ts";
import { IMPATIENT, probeServer, probeZones } from "../harness/probe-zones.ts";
import { withParts } from "../harness/text-parts.ts";

const DOMAIN = "a.mail.example.com";

let server: DnsServer;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

const probe = (zones: DnsZones, maxLookups?: number) =>
  probeZones(server, zones, { ...IMPATIENT, maxLookups });

const record = (domain: string, ...texts: string[]): DnsZones => ({
  [`_dmarc.${domain}`]: { TXT: texts.map((text) => text.match(/.{1,255}/gs) ?? []) },
});
const broken = (domain: string, behaviour: DnsBehaviour): DnsZones => ({
  [`_dmarc.${domain}`]: { behaviour },
});

/** The applied record, the organizational domain, and the number of queries. */
async function walk(domain: string, ...zones: DnsZones[]) {
  const before = server.queries.length;
  const found = await walkDmarc(domain, probeZones(server, Object.assign({}, ...zones), PATIENT));
  const asked = new Set(server.queries.slice(before).map(({ name }) => name));
  return [found.applied?.kind, found.applied?.site.domain, found.organisation, asked.size];
}

describe("the record that applies", () => {
  it("is the domain's own record, and the walk continues to the organizational domain", async () => {
    expect(await walk(DOMAIN, record(DOMAIN, "v=DMARC1"), record("example.com", "v=DMARC1"))).toEqual([
      "own",
      DOMAIN,
      "example.com",
      4,
    ]);
  });

  it("is that of the name with the fewest labels, not the nearest one (RFC 9989 section 4.10.2)", async () => {
    const zones = [record("mail.example.com", "v=DMARC1"), record("example.com", "v=DMARC1")];
    expect(await walk(DOMAIN, ...zones)).toEqual(["organisation", "example.com", "example.com", 4]);
  });

  it("is missing if there is none, and the domain is its own organization", async () => {
    expect(await walk(DOMAIN)).toEqual([undefined, undefined, DOMAIN, 4]);
  });

  it("is that with psd=n, which begins an organization and ends the walk", async () => {
    const zones = [record("mail.example.com", "v=DMARC1; psd = N"), record("example.com", "v=DMARC1")];
    expect(await walk(DOMAIN, ...zones)).toEqual(["organisation", "mail.example.com", "mail.example.com", 2]);
  });

  it("is that one label below psd=y, otherwise that of the suffix", async () => {
    const suffix = record("com", "v=DMARC1; psd=y");
    expect(await walk(DOMAIN, suffix, record("example.com", "v=DMARC1"))).toEqual([
      "organisation",
      "example.com",
      "example.com",
      4,
    ]);
    expect(await walk(DOMAIN, suffix, record("mail.example.com", "v=DMARC1"))).toEqual([
      "suffix",
      "com",
      "example.com",
      4,
    ]);
    expect(await walk("com", suffix)).toEqual(["own", "com", "com", 1]);
    expect(await walk(DOMAIN, record("example.com", "v=DMARC1; psd=y"))).toEqual([
      "suffix",
      "example.com",
      "mail.example.com",
      3,
    ]);
  });

  it("is not one of several at a name, but may have other TXT records beside it", async () => {
    const several = record(DOMAIN, "v=DMARC1; p=reject", "v=DMARC1; p=none");
    expect(await walk(DOMAIN, several, record("example.com", "x", "v=DMARC1", "v=dmarc1; p=x"))).toEqual([
      "organisation",
      "example.com",
      "example.com",
      4,
    ]);
    expect(await walk(DOMAIN, record("example.com", "v=DMARC1; psd=n", "v=DMARC1; p=none; psd=n"))).toEqual([
      undefined,
      undefined,
      DOMAIN,
      4,
    ]);
  });

  it("is found with at most eight queries, so not in the middle of eleven labels", async () => {
    const long = "a.b.c.d.e.f.g.h.i.example.com";
    const before = server.queries.length;
    expect(await walk(long, record("b.c.d.e.f.g.h.i.example.com", "v=DMARC1; psd=n"))).toEqual([
      undefined,
      undefined,
      long,
      8,
    ]);
    expect(server.queries.slice(before).map(({ name }) => name)).toEqual([
      `_dmarc.${long}`,
      "_dmarc.e.f.g.h.i.example.com",
      "_dmarc.f.g.h.i.example.com",
      "_dmarc.g.h.i.example.com",
      "_dmarc.h.i.example.com",
      "_dmarc.i.example.com",
      "_dmarc.example.com",
      "_dmarc.com",
    ]);
    expect(await walk(long, record("e.f.g.h.i.example.com", "v=DMARC1"))).toEqual([
      "organisation",
      "e.f.g.h.i.example.com",
      "e.f.g.h.i.example.com",
      8,
    ]);
    expect(await walk("A.b.c.d.e.f.g.com.", record("com", "v=DMARC1; psd=y"))).toEqual([
      "suffix",
      "com",
      "g.com",
      8,
    ]);
  });
});

/** Failures that never become a result. Some zones need time until the resolver gives up. */
const FAILURES: readonly DnsBehaviour[] = [
  "servfail",
  "refused",
  "drop",
  "truncate_always",
  "hang_up",
  "garbage",
];
const RECORD_CHECKS = ["valid", "policy", "subdomains", "rua", "rua_authorised", "removed_tags"];

async function statuses(zones: readonly DnsZones[], domain: string, maxLookups?: number) {
  const dns = probe(Object.assign({}, ...zones), maxLookups);
  const results = (await checkDmarc({ domain, role: "sending", dns })).map(withParts);
  return Object.fromEntries(results.map(({ id, status }) => [id.slice("auth.dmarc.".length), status]));
}

const errorsOf = (found: Readonly<Record<string, CheckResult["status"]>>) =>
  Object.keys(found).filter((id) => found[id] === "error");

describe("a missing answer", () => {
  const agreed = "v=DMARC1; p=reject; rua=mailto:a@other.test";

  it.each(FAILURES)("is an error, and never an absence: %s", async (behaviour) => {
    // For the domain itself, and for one above that may have the applied record.
    for (const domain of ["example.com", "mail.example.com"]) {
      const found = await statuses([broken("example.com", behaviour)], domain);
      expect(errorsOf(found).sort()).toEqual(["exists", ...RECORD_CHECKS].sort());
    }
    // The domain's own record is known and applies. Its organization is unknown.
    const zones = [record("mail.example.com", agreed), broken("example.com", behaviour)];
    expect(errorsOf(await statuses(zones, "mail.example.com"))).toEqual(["subdomains", "rua_authorised"]);
    const agreement = { "example.com._report._dmarc.other.test": { behaviour } };
    const refused = await statuses([record("example.com", agreed), agreement], "example.com");
    expect(errorsOf(refused)).toEqual(["rua_authorised"]);
    const other = await statuses(
      [record("example.com", agreed), broken("other.test", behaviour)],
      "example.com",
    );
    expect(errorsOf(other)).toEqual(["rua_authorised"]);
  });

  it("about the existence of the name is an error of the dependent policy", async () => {
    const zones = [
      record("example.com", "v=DMARC1; p=none; np=reject"),
      { "mail.example.com": { behaviour: "servfail" as const } },
    ];
    expect(errorsOf(await statuses(zones, "mail.example.com"))).toEqual(["policy", "subdomains"]);
  });

  it("over UDP is replaced by an answer over TCP", async () => {
    const zones = { "_dmarc.example.com": { TXT: [agreed], behaviour: "truncate" as const } };
    expect(errorsOf(await statuses([zones], "example.com"))).toEqual([]);
  });

  it("because of the budget is an error, however many lookups a zone needs", async () => {
    const rua = Array.from({ length: 200 }, (_, index) => `mailto:a@a${index}.test`).join(",");
    const zones = [record("example.com", `v=DMARC1; p=reject; rua=${rua}`)];
    const before = server.queries.length;
    expect(errorsOf(await statuses(zones, "example.com"))).toEqual(["rua_authorised"]);
    const asked = new Set(server.queries.slice(before).map(({ name, type }) => `${name} ${type}`));
    expect(asked.size).toBe(60);
    expect(errorsOf(await statuses([record("example.com", agreed)], "mail.example.com", 1))).toContain(
      "exists",
    );
  });

  it("to one query of five leads to the same result, a hundred times", async () => {
    const zones = [
      record("example.com", "v=DMARC1; p=reject; sp=none; rua=mailto:a@other.test,mailto:b@third.test"),
      { "example.com._report._dmarc.other.test": { TXT: ["v=DMARC1"] } },
    ];
    const served: DnsZones = Object.assign({}, ...zones);
    server.serve(served);
    const verdict = async () => {
      const dns = probeServer(server, { retryMs: 5 });
      const results = await checkDmarc({ domain: "mail.example.com", role: "sending", dns });
      return JSON.stringify(results.map(({ id, status, observed, fix }) => ({ id, status, observed, fix })));
    };
    const verdicts = new Set([await verdict()]);
    expect([...verdicts][0]).not.toContain('"error"');
    server.disturb({ loss: { share: 0.2, seed: 9989 } });
    for (let round = 0; round < 20; round++)
      for (const one of await Promise.all(Array.from({ length: 5 }, verdict))) verdicts.add(one);
    server.disturb({});
    expect([...verdicts]).toHaveLength(1);
  }, 30_000);
});

describe("a hostile record", () => {
  it("of 60 KB is judged quickly, whatever its contents", async () => {
    const many = (part: (index: number) => string, length: number) =>
      Array.from({ length }, (_, index) => part(index)).join("");
    const letters = (index: number) =>
      index.toString(26).replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "");
    const texts = [
      `v=DMARC1; p=${" ".repeat(60_000)}x`,
      `v=DMARC1;${many((index) => `${letters(index)}=1;`, 9_000)}p=none; sp=x`,
      `v=DMARC1;${many(() => "p=;", 20_000)}`,
      `v=DMARC1; rua=${",".repeat(60_000)}`,
      `v=DMARC1; rua=${many((index) => `mailto:a@a${index}.test,`, 2_500)}mailto:a@b.test`,
      `v=DMARC1; fo=${"0:1:".repeat(15_000)}d`,
      `v=DMARC1; rua=mailto:${"a".repeat(59_000)}@b.test`,
      `${" ".repeat(59_000)}v=DMARC1`,
    ];
    for (const text of texts) {
      const dns = probe(record("example.com", text));
      const results = (await checkDmarc({ domain: "example.com", role: "sending", dns })).map(withParts);
      expect(results[0]?.status).not.toBe("error");
      for (const { id, observed, evidence } of results) {
        expect([id, observed.length < 4_000, evidence.length <= 80]).toEqual([id, true, true]);
      }
    }
  }, 5_000);
});
