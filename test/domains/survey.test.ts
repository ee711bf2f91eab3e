import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { type DnsName, PATIENT, startDnsServer } from "../harness/dns-server.ts";
import { type DnsWorld, openDnsWorld } from "../harness/dns-world.ts";

const NAME = "a.example.com";
const here = (value: string): DnsName => ({ TXT: [value], ttl: 77 });
const records = (value: string) => ({ kind: "records", records: [[value]], ttlSeconds: 77 });

let world: DnsWorld;
beforeAll(async () => {
  world = await openDnsWorld();
});
afterAll(() => world.close());
beforeEach(() => world.publish({}));

const observe = (name = NAME) => world.beginSurvey("example.com").observe(name, "TXT");

describe("a survey", () => {
  it("queries each name server of the zone and the resolver, which may differ", async () => {
    world.publish({ [NAME]: here("old") });
    world.publishAt(0, { [NAME]: here("new") });
    world.publishAt(1, {});
    expect(await observe()).toMatchObject({
      witnesses: [
        { server: "ns1.example.com", answer: records("new") },
        { server: "ns2.example.com", answer: { kind: "absent", nameExists: false, ttlSeconds: 60 } },
      ],
      failure: undefined,
      aliases: [],
      resolver: records("old"),
    });
    expect(await world.beginSurvey("example.com").nameServers()).toEqual([
      "ns1.example.com",
      "ns2.example.com",
    ]);
  });

  it("treats an error, silence and a non-authoritative answer as no absence", async () => {
    world.publish({ [NAME]: here("right") });
    for (const behaviour of [
      "servfail",
      "refused",
      "drop",
      "referral",
      "garbage",
      "truncate_always",
    ] as const) {
      world.publishAt(0, { [NAME]: { behaviour } });
      const { witnesses } = await observe();
      expect([behaviour, witnesses[0]?.answer.kind, witnesses[1]?.answer.kind]).toEqual([
        behaviour,
        "failed",
        "records",
      ]);
    }
  });

  it("ignores a server without the zone (lame delegation)", async () => {
    const port = Number(world.servers[0].address.split(":")[1]);
    const zones = { [NAME]: here("old") };
    const lame = await startDnsServer(zones, { at: { host: "127.0.0.3", port } });
    try {
      world.publish({
        "example.com": { NS: ["ns1.example.com", "lame.test"] },
        "lame.test": { A: ["127.0.0.3"] },
        [NAME]: here("new"),
      });
      const { witnesses } = await world.surveyWith(PATIENT)("example.com").observe(NAME, "TXT");
      expect(witnesses).toMatchObject([
        { server: "lame.test", answer: { kind: "failed", reason: expect.stringContaining("lame") } },
        { server: "ns1.example.com", answer: records("new") },
      ]);
      expect(lame.count(NAME)).toBe(1);
    } finally {
      await lame.close();
    }
  });

  it("receives a large answer over TCP", async () => {
    const long = Array.from({ length: 12 }, (_, n) => `${n}`.padEnd(200, "x"));
    world.publish({ [NAME]: { TXT: [long] } });
    const { witnesses } = await observe();
    expect(witnesses.map(({ answer }) => answer)).toMatchObject([
      { kind: "records", records: [long] },
      { kind: "records", records: [long] },
    ]);
    expect(world.servers[0].queries.map(({ transport }) => transport)).toContain("tcp");
  });

  it("follows an alias into another zone, and reports it", async () => {
    world.publish({
      [NAME]: { CNAME: "key.provider.test" },
      "provider.test": { NS: ["ns1.example.com"] },
      "key.provider.test": here("key"),
    });
    expect(await observe()).toMatchObject({
      aliases: ["key.provider.test"],
      witnesses: [{ server: "ns1.example.com", alias: "key.provider.test", answer: records("key") }],
    });
  });

  it("follows a delegation to other servers", async () => {
    const refersTo = { refersTo: ["ns2.example.com"], zone: NAME };
    world.publish({ [NAME]: here("below") });
    world.publishAt(0, { [NAME]: { behaviour: refersTo } });
    expect((await observe()).witnesses[0]?.answer).toMatchObject(records("below"));
  });

  it("queries the parent zone if the domain has no name servers", async () => {
    world.publish({ "mail.example.com": {}, "x.mail.example.com": here("there") });
    const survey = world.beginSurvey("mail.example.com");
    expect((await survey.observe("x.mail.example.com", "TXT")).witnesses).toHaveLength(2);
    expect(await survey.nameServers()).toEqual(["ns1.example.com", "ns2.example.com"]);
  });

  it("queries nothing twice", async () => {
    const survey = world.surveyWith(PATIENT)("example.com");
    const before = world.servers[0].queries.length;
    await Promise.all([survey.observe(NAME, "TXT"), survey.observe(NAME, "TXT")]);
    await survey.observe(NAME, "TXT");
    expect(world.servers[0].queries.length - before).toBe(1);
  });
});

describe("a hostile zone", () => {
  it("causes no query to a private address", async () => {
    const refuse = createRefuseDestination({ allowPrivate: false, ownAddresses: [] });
    world.publish({ [NAME]: here("secret") });
    const before = world.servers[0].queries.length;
    const { witnesses } = await world.surveyWith({ refuse })("example.com").observe(NAME, "TXT");
    expect(witnesses.map(({ answer }) => answer)).toEqual([
      { kind: "failed", code: "no_server", reason: "its address is not a public one" },
      { kind: "failed", code: "no_server", reason: "its address is not a public one" },
    ]);
    expect(world.servers[0].queries.length).toBe(before);
  });

  it("with alias loops ends as unknown", async () => {
    world.publish({ [NAME]: { CNAME: "b.example.com" }, "b.example.com": { CNAME: NAME } });
    const { witnesses, resolver } = await observe();
    expect(witnesses.map(({ answer }) => answer)).toEqual([
      { kind: "failed", code: "not_resolved", reason: "the aliases lead in a circle" },
      { kind: "failed", code: "not_resolved", reason: "the aliases lead in a circle" },
    ]);
    expect(resolver.kind).toBe("failed");
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, n) => [`${n}.example.com`, { CNAME: `${n + 1}.example.com` }]),
    );
    world.publish(chain);
    const long = await observe("0.example.com");
    expect(long.witnesses[0]?.answer).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("in a row"),
    });
  });

  it("with a hundred name servers causes queries to four of them", async () => {
    const names = Array.from({ length: 100 }, (_, n) => `ns${n}.many.test`);
    world.publish({
      "example.com": { NS: names },
      ...Object.fromEntries(names.map((name) => [name, { A: ["127.0.0.1"] }])),
    });
    const before = world.servers[0].queries.length;
    const { witnesses } = await world.surveyWith(PATIENT)("example.com").observe(NAME, "TXT");
    expect(witnesses).toHaveLength(4);
    expect(world.servers[0].queries.length - before).toBe(4);
  });

  it("that refers to itself endlessly is abandoned", async () => {
    const behaviour = { refersTo: ["ns1.example.com"], zone: NAME };
    world.publish({ [NAME]: { behaviour } });
    expect((await observe()).witnesses.map(({ answer }) => answer.kind)).toEqual(["failed", "failed"]);
  });

  it("costs at most the lookup budget of a survey, and the rest is unknown", async () => {
    const survey = world.surveyWith({ limits: { lookups: 12, timeoutMs: 5_000 } })("example.com");
    const names = Array.from({ length: 20 }, (_, n) => `${n}.example.com`);
    const servers = [world.resolver, ...world.servers];
    const before = servers.map(({ queries }) => queries.length);
    const seen = await Promise.all(names.map((name) => survey.observe(name, "TXT")));
    // The resolver may retry, which is no further lookup.
    const asked = servers.map(({ queries }, index) => {
      const since = queries.slice(before[index]);
      return new Set(since.map(({ name, type }) => `${name} ${type}`)).size;
    });
    expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(14);
    expect(seen.at(-1)?.resolver.kind).toBe("failed");
    expect(seen.at(-1)?.witnesses.every(({ answer }) => answer.kind === "failed")).toBe(true);
  });
});
