import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createReadDomain } from "../../src/domains/read-domain.ts";
import { type SendingSetup, wantedRecords } from "../../src/domains/wanted-records.ts";
import { generateDkimKeyPair } from "../../src/message/dkim/keys.ts";
import type { DomainKeyDocument } from "../../src/store/documents.ts";
import type { DnsBehaviour, DnsName, DnsZones } from "../harness/dns-server.ts";
import { type DnsWorld, openDnsWorld } from "../harness/dns-world.ts";
import { expectTextsOfParts } from "../harness/text-parts.ts";

const DOMAIN = "example.com";
const now = new Date("2030-01-01T00:00:00Z");
const spfTerms = ["include:_spf.hermod.test"];

let world: DnsWorld;
let keys: DomainKeyDocument[];
beforeAll(async () => {
  world = await openDnsWorld(DOMAIN);
  const { privateKey } = await generateDkimKeyPair("rsa-sha256");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  keys = [
    {
      _id: "k1",
      accountId: "acc_1",
      domain: DOMAIN,
      selector: "hm1r",
      algorithm: "rsa-sha256",
      privateKey: pem,
      signsFrom: now,
      createdAt: now,
    },
  ];
});
afterAll(() => world.close());
beforeEach(() => world.publish({}));

const wanted = (setup: SendingSetup) =>
  wantedRecords({ name: DOMAIN, token: "TokenOfMine12345" }, keys, setup, now);
const own: SendingSetup = { spfTerms, bounceDomain: undefined };

const names = {
  ownership: `_hermod.${DOMAIN}`,
  dkim: `hm1r._domainkey.${DOMAIN}`,
  dmarc: `_dmarc.${DOMAIN}`,
};
const published = (key: string) => wanted(own).find((one) => one.key === key)?.value ?? "";

/** Correct zones, with some changed names. */
function right(changes: DnsZones = {}): DnsZones {
  return {
    [names.ownership]: { TXT: [published("ownership")] },
    [names.dkim]: { TXT: [[published("dkim:hm1r").slice(0, 200), published("dkim:hm1r").slice(200)]] },
    [DOMAIN]: { TXT: ["v=spf1 include:_spf.hermod.test -all", "google-site-verification=x"] },
    [names.dmarc]: { TXT: ["v=DMARC1; p=reject"] },
    ...changes,
  };
}

async function read(setup = own) {
  const { findings } = await createReadDomain(
    world.beginSurvey,
    setup,
    async () => undefined,
  )(DOMAIN, wanted(setup));
  for (const { problem, problemParts = [], note, noteParts = [] } of findings) {
    expect([problemParts.length > 0, noteParts.length > 0]).toEqual([problem !== "", note !== ""]);
    expectTextsOfParts([
      { text: problem, parts: problemParts },
      { text: note, parts: noteParts },
    ]);
  }
  return Object.fromEntries(findings.map((finding) => [finding.key, finding]));
}

/** Finding about one record with this zone entry. */
async function found(key: string, name: string, entry: DnsName, others: DnsZones = {}) {
  world.publish(right({ [name]: entry, ...others }));
  return (await read())[key];
}

describe("a correctly configured domain", () => {
  it("has only correct records", async () => {
    world.publish(right());
    const findings = await read();
    expect(Object.keys(findings)).toEqual(["ownership", "dkim:hm1r", "spf", "dmarc"]);
    for (const [key, { outcome, problem, authoritative }] of Object.entries(findings))
      expect([key, outcome, problem, authoritative]).toEqual([key, "right", "", true]);
    expect(findings.ownership?.found.map(({ server, values }) => [server, values])).toEqual([
      ["ns1.example.com", [published("ownership")]],
      ["ns2.example.com", [published("ownership")]],
      ["", [published("ownership")]],
    ]);
  });

  it("may have its key behind an alias, and in another notation", async () => {
    const [, p = ""] = /p=(.*)$/.exec(published("dkim:hm1r")) ?? [];
    const value = `v=DKIM1;  h=sha256 ; p=${p.slice(0, 50)} ${p.slice(50)}; k=rsa;`;
    const finding = await found(
      "dkim:hm1r",
      names.dkim,
      { CNAME: "key.provider.test" },
      {
        "provider.test": { NS: ["ns1.example.com"] },
        "key.provider.test": { TXT: [[value.slice(0, 250), value.slice(250)]] },
      },
    );
    expect(finding).toMatchObject({ outcome: "right", aliases: ["key.provider.test"] });
    expect(finding?.note).toContain("key.provider.test");
  });

  it("may have its proof beside other records", async () => {
    const entry = { TXT: ["hermod-verification=of-another-account", published("ownership")] };
    expect(await found("ownership", names.ownership, entry)).toMatchObject({ outcome: "right" });
  });
});

describe("a problem is described", () => {
  it.each([
    ["missing", {}, "missing", "There is no TXT record with the name _hermod.example.com."],
    ["quotes", { TXT: ['"hermod-verification=TokenOfMine12345"'] }, "wrong", "quotation marks"],
    ["spaces", { TXT: ["hermod-verification= TokenOfMine12345"] }, "wrong", "spaces"],
    [
      "small letters",
      { TXT: ["hermod-verification=tokenofmine12345"] },
      "wrong",
      "letter case of the value has changed",
    ],
    ["no beginning", { TXT: ["TokenOfMine12345"] }, "wrong", "beginning of the value is missing"],
    ["cut off", { TXT: ["hermod-verification=Tok"] }, "wrong", "ends after 23 of its 36 characters"],
    ["something else", { TXT: ["v=other"] }, "wrong", "Add the expected value as a separate record"],
    [
      "an alias to nowhere",
      { CNAME: "no.example.com" },
      "missing",
      "points to no.example.com, which has no TXT",
    ],
  ] as const)("of the proof: %s", async (_name, entry, outcome, words) => {
    const finding = await found("ownership", names.ownership, entry);
    expect(finding).toMatchObject({ outcome, authoritative: true });
    expect(finding?.problem).toContain(words);
  });

  it("for a name that was entered twice, or not at all", async () => {
    const twice = {
      [`${names.dkim}.${DOMAIN}`]: {
        TXT: [[published("dkim:hm1r").slice(0, 200), published("dkim:hm1r").slice(200)]],
      },
    };
    const { problem } = (await found("dkim:hm1r", names.dkim, {}, twice)) ?? {};
    expect(problem).toContain("The domain was entered twice");
    expect(problem).toContain("“hm1r._domainkey”");
    const apex = { [DOMAIN]: { TXT: [published("ownership")] } };
    expect((await found("ownership", names.ownership, {}, apex))?.problem).toContain(
      "found at example.com itself",
    );
  });

  it.each([
    ["revoked", { TXT: ["v=DKIM1; p="] }, "revoked"],
    ["another key", { TXT: ["v=DKIM1; k=rsa; p=AAAAB3"] }, "The record contains another key"],
    [
      "only for SHA-1",
      () => ({
        TXT: [[`h=sha1; ${published("dkim:hm1r").slice(0, 200)}`, published("dkim:hm1r").slice(200)]],
      }),
      "SHA-256",
    ],
    ["cut off", () => ({ TXT: [published("dkim:hm1r").slice(0, 255)] }), "cut off"],
    [
      "two of them",
      () => ({
        TXT: [[published("dkim:hm1r").slice(0, 200), published("dkim:hm1r").slice(200)], "v=DKIM1; p=AAAA"],
      }),
      "2 TXT records with this name",
    ],
  ] as const)("of a key: %s", async (_name, entry, words) => {
    const finding = await found("dkim:hm1r", names.dkim, typeof entry === "function" ? entry() : entry);
    expect(finding).toMatchObject({ outcome: "wrong" });
    expect(finding?.problem).toContain(words);
  });

  it.each([
    ["none", [], "missing", "has no SPF record", "v=spf1 include:_spf.hermod.test ~all"],
    [
      "others' servers",
      ["v=spf1 mx -all"],
      "wrong",
      "Do not publish a second record",
      "v=spf1 mx include:_spf.hermod.test -all",
    ],
    [
      "two records",
      ["v=spf1 mx -all", "v=spf1 include:_spf.hermod.test ~all"],
      "wrong",
      "2 SPF records",
      "v=spf1 mx include:_spf.hermod.test -all",
    ],
    [
      "a redirect",
      ["v=spf1 redirect=_spf.other.test"],
      "wrong",
      "Add include:_spf.hermod.test",
      "v=spf1 include:_spf.hermod.test redirect=_spf.other.test",
    ],
  ] as const)(
    "of SPF, with the one record to publish: %s",
    async (_name, TXT, outcome, words, suggestion) => {
      const finding = await found("spf", DOMAIN, { TXT });
      expect(finding).toMatchObject({ outcome, suggestion });
      expect(finding?.problem).toContain(words);
    },
  );

  it("for SPF, unless the record references one that allows it", async () => {
    const finding = await found(
      "spf",
      DOMAIN,
      { TXT: ["v=spf1 include:all.example.com +all"] },
      { "all.example.com": { TXT: ["v=spf1 include:_spf.hermod.test ?all"] } },
    );
    expect(finding).toMatchObject({ outcome: "right", suggestion: undefined });
    expect(finding?.note).toContain("through all.example.com");
    expect(finding?.note).toContain("+all");
    const circle = { "loop.example.com": { TXT: ["v=spf1 include:loop.example.com -all"] } };
    expect(
      await found("spf", DOMAIN, { TXT: ["v=spf1 include:loop.example.com -all"] }, circle),
    ).toMatchObject({
      outcome: "wrong",
    });
  });

  it.each([
    [
      "two records",
      ["v=DMARC1; p=none", "v=DMARC1; p=reject; rua=mailto:a@example.com"],
      "2 DMARC records",
      "v=DMARC1; p=none",
    ],
    [
      "no policy that there is",
      ["v=DMARC1; p=nothing; rua=mailto:a@example.com"],
      "p=nothing is invalid",
      "v=DMARC1; p=none; rua=mailto:a@example.com",
    ],
    ["small letters", ["v=dmarc1; p=none"], "letter case of the value has changed", "v=DMARC1; p=none"],
    ["a tag twice", ["v=DMARC1; p=none; p=reject"], "cannot be parsed", "v=DMARC1; p=none"],
  ] as const)("of DMARC, keeping what is there: %s", async (_name, TXT, words, suggestion) => {
    const finding = await found("dmarc", names.dmarc, { TXT });
    expect(finding).toMatchObject({ outcome: "wrong", suggestion });
    expect(finding?.problem).toContain(words);
  });

  it("for DMARC, if there is no policy of the domain or above", async () => {
    expect(await found("dmarc", names.dmarc, {})).toMatchObject({
      outcome: "missing",
      suggestion: "v=DMARC1; p=none",
    });
    const above = { "_dmarc.com": { TXT: ["v=DMARC1; p=none; sp=quarantine"] } };
    const finding = await found("dmarc", names.dmarc, {}, above);
    expect(finding).toMatchObject({ outcome: "right", suggestion: undefined });
    expect(finding?.note).toContain("policy of com also applies here: quarantine");
  });
});

describe("a return path", () => {
  const setup: SendingSetup = { spfTerms, bounceDomain: "bounce.hermod.test" };
  const name = `hm-bounce.${DOMAIN}`;
  const target = {
    "hermod.test": { NS: ["ns1.example.com"] },
    "bounce.hermod.test": { MX: ["10 mx.hermod.test"] },
  };

  it.each([
    ["right", { CNAME: "bounce.hermod.test" }, "right", ""],
    ["missing", {}, "missing", "The name hm-bounce.example.com has no alias (CNAME)"],
    [
      "elsewhere",
      { CNAME: "bounce.other.test" },
      "wrong",
      "points to bounce.other.test instead of bounce.hermod.test",
    ],
    ["MX of its own", { MX: ["10 mx.hermod.test"] }, "wrong", "has its own MX records"],
    ["below the domain", { CNAME: "bounce.hermod.test.example.com" }, "wrong", "dot at its end"],
  ] as const)("is an alias of the installation's: %s", async (_name, entry, outcome, words) => {
    world.publish(right({ ...target, [name]: entry }));
    const finding = (await read(setup)).return_path;
    expect(finding?.outcome).toBe(outcome);
    expect(finding?.problem).toContain(words);
  });

  it("needs no SPF record at the domain itself, and is no alias if it is below it", async () => {
    world.publish(right({ ...target, [DOMAIN]: {} }));
    expect((await read(setup)).spf).toMatchObject({
      outcome: "right",
      note: expect.stringContaining("No SPF record is needed"),
    });
    const below: SendingSetup = { spfTerms, bounceDomain: "bounce.example.com" };
    expect((await read(below)).return_path).toMatchObject({
      outcome: "missing",
      problem: expect.stringContaining("no MX record"),
    });
    world.publish(right({ "bounce.example.com": { MX: ["10 mx.example.com"] } }));
    expect((await read(below)).return_path).toMatchObject({ outcome: "right" });
  });
});

describe("a failed lookup", () => {
  it.each(["servfail", "refused", "drop", "garbage"] as const)(
    "is unknown, and no absence: %s",
    async (behaviour) => {
      const entry: DnsName = { behaviour: behaviour as DnsBehaviour };
      const names = right();
      world.publish(Object.fromEntries(Object.keys(names).map((name) => [name, entry])));
      // The resolver still knows the name servers.
      world.publishAtResolver({
        ...Object.fromEntries(Object.keys(names).map((name) => [name, entry])),
        [DOMAIN]: { misbehavesFor: ["TXT"], behaviour },
      });
      const findings = Object.values(await read());
      expect(findings.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "unknown", "unknown"]);
      for (const { problem } of findings) expect(problem).toContain("could not be queried");
    },
  );

  it("at one server is compensated by the other", async () => {
    world.publish(right());
    world.publishAt(0, { [names.ownership]: { behaviour: "servfail" } });
    expect((await read()).ownership).toMatchObject({ outcome: "right", authoritative: true });
  });

  it("of the name servers is replaced by the resolver, for existing records only", async () => {
    const away = { [DOMAIN]: { NS: ["ns.away.test"] } };
    world.publishAtResolver(right(away));
    expect((await read()).ownership).toMatchObject({ outcome: "right", authoritative: false });
    world.publishAtResolver(away);
    expect((await read()).ownership).toMatchObject({ outcome: "missing", authoritative: false });
  });
});

describe("a propagating change", () => {
  it("is partial while only one of two name servers has it", async () => {
    world.publish({});
    world.publishAt(0, right());
    expect((await read()).ownership).toMatchObject({
      outcome: "partial",
      problem: expect.stringContaining("correct at 1 of 2 name servers, but not yet at ns2.example.com"),
    });
  });

  it("is complete when the name servers have it, and reports the remaining time of the resolver's cache", async () => {
    world.publish(right());
    world.publishAtResolver({ [names.ownership]: { TXT: ["old"], ttl: 241 } });
    expect((await read()).ownership).toMatchObject({
      outcome: "right",
      note: "The name servers return it, but the resolver still has the earlier answer for up to 241 seconds.",
    });
  });
});
