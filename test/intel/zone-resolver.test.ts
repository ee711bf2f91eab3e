import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { createZoneResolver, type ZoneResolverOptions } from "../../src/dns/zone-resolver.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { parseDnsServer } from "../../src/shared/dns-server-address.ts";
import type { DnsBehaviour, DnsName, DnsZones } from "../harness/dns-server.ts";
import { type DnsWorld, openDnsWorld } from "../harness/dns-world.ts";

const NAME = "a.example.com";
/** For servers that do not answer. */
const IMPATIENT = { retryMs: 60, answerMs: 150 };
const txt = (value: string): DnsName => ({ TXT: [value] });

let world: DnsWorld;
let port: number;
beforeAll(async () => {
  world = await openDnsWorld();
  port = parseDnsServer(world.servers[0].address)?.port ?? 0;
});
afterAll(() => world.close());
beforeEach(() => world.publish({}));

const fresh = () => createResolver({ servers: [world.resolver.address], clock: systemClock });
const begin = (changes: Partial<ZoneResolverOptions> = {}) =>
  createZoneResolver({
    freshResolver: fresh,
    port,
    ipv6: false,
    refuse: createRefuseDestination({ allowPrivate: true, ownAddresses: [] }),
    ...changes,
  })();

/** Sets the answers of the zone's own servers, which differ from the resolver's. */
function publish(atServers: DnsZones, atResolver: DnsZones): void {
  world.publish(atServers);
  world.publishAtResolver(atResolver);
}

/** Another zone, on the same name servers. */
const other = (zones: DnsZones): DnsZones => ({
  "other.test": { NS: ["ns.other.test"] },
  "ns.other.test": { A: ["127.0.0.1"] },
  ...zones,
});

describe("a resolver for confirmation checks", () => {
  it("trusts the servers of the zone, and names the one that answered", async () => {
    publish({ [NAME]: txt("right") }, { [NAME]: txt("poisoned") });
    expect(await begin().resolve(NAME, "TXT")).toMatchObject({
      kind: "records",
      records: [["right"]],
      canonicalName: NAME,
      authenticated: false,
      server: `ns1.example.com (${world.servers[0].address})`,
    });
  });

  it("trusts them that a record is missing or exists", async () => {
    publish({}, { [NAME]: txt("poisoned") });
    expect(await begin().resolve(NAME, "TXT")).toMatchObject({ kind: "no_domain" });
    publish({ [NAME]: { A: ["192.0.2.1"] } }, { [NAME]: txt("poisoned") });
    expect(await begin().resolve(NAME, "TXT")).toMatchObject({ kind: "no_data" });
    publish({ [NAME]: txt("right") }, {});
    expect(await begin().resolve(NAME, "TXT")).toMatchObject({ records: [["right"]] });
  });

  it("trusts one server that agrees with the resolver if another one has an older zone", async () => {
    world.publish({ [NAME]: { TXT: ["new", "second"] } });
    world.publishAtResolver({ [NAME]: { TXT: ["second", "new"] } });
    world.publishAt(0, { [NAME]: txt("old") });
    const found = await begin().resolve(NAME, "TXT");
    expect(found).toMatchObject({ records: [["new"], ["second"]] });
    expect(found).toMatchObject({ server: expect.stringContaining("ns2.example.com") });
  });

  it.each<[DnsBehaviour]>([
    ["drop"],
    ["refused"],
    ["servfail"],
    ["garbage"],
    ["referral"],
    ["truncate_always"],
    ["hang_up"],
  ])("falls back to the resolver if no server of the zone answers (%s)", async (behaviour) => {
    publish({ [NAME]: { behaviour } }, { [NAME]: txt("known") });
    expect(await begin(IMPATIENT).resolve(NAME, "TXT")).toMatchObject({
      kind: "records",
      records: [["known"]],
      server: world.resolver.address,
    });
  });

  it("queries the other server if one is silent, and prefers it from then on", async () => {
    publish({ [NAME]: txt("x"), "b.example.com": txt("x") }, { [NAME]: txt("y"), "b.example.com": txt("x") });
    world.publishAt(0, { [NAME]: { behaviour: "drop" }, "b.example.com": { behaviour: "drop" } });
    const resolver = begin({ retryMs: 300, answerMs: 1_000 });
    expect(await resolver.resolve(NAME, "TXT")).toMatchObject({ records: [["x"]] });
    const before = world.servers[0].queries.length;
    await resolver.resolve("b.example.com", "TXT");
    expect(world.servers[0].queries.length).toBe(before);
  });

  it("queries no server with a private address, whatever the zone contains", async () => {
    publish({ [NAME]: txt("from inside") }, { [NAME]: txt("known") });
    const asked = world.servers.map(({ queries }) => queries.length);
    const refuse = createRefuseDestination({ allowPrivate: false, ownAddresses: [] });
    expect(await begin({ refuse }).resolve(NAME, "TXT")).toMatchObject({ records: [["known"]] });
    expect(world.servers.map(({ queries }) => queries.length)).toEqual(asked);
  });

  it("queries no server that a referral finds at a private address", async () => {
    const refersTo = ["ns.inside.test"];
    const zones = { "ns.inside.test": { A: ["127.0.0.2"] }, [NAME]: txt("known") };
    publish({ [NAME]: { behaviour: { refersTo, zone: NAME } } }, zones);
    world.publishAt(1, { [NAME]: txt("from inside") });
    const refuse = (address: string) => (address === "127.0.0.2" ? ("not_public" as const) : undefined);
    const asked = world.servers[1].queries.length;
    expect(await begin({ refuse }).resolve(NAME, "TXT")).toMatchObject({ records: [["known"]] });
    expect(world.servers[1].queries.length).toBe(asked);
  });

  it("keeps the error of a failed resolver, which may have found invalid signatures", async () => {
    publish({ [NAME]: txt("right") }, { [NAME]: { behaviour: "servfail" } });
    expect(await begin().resolve(NAME, "TXT")).toMatchObject({ kind: "failed", code: "servfail" });
  });

  it("uses the resolver's DNSSEC validation of an answer", async () => {
    publish({ [NAME]: txt("right") }, { [NAME]: { ...txt("right"), authenticated: true } });
    expect(await begin().resolve(NAME, "TXT")).toMatchObject({
      authenticated: true,
      server: expect.stringContaining("ns1"),
    });
  });

  it("queries only the resolver about records of the parent zone", async () => {
    const DS = [{ keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.alloc(32) }];
    publish({}, { "example.com": { DS, NS: ["ns1.example.com"] } });
    expect(await begin().resolve("example.com", "DS")).toMatchObject({ kind: "records" });
    expect(world.servers[0].count("example.com", "DS")).toBe(0);
  });

  it("follows an alias into another zone, and queries its servers", async () => {
    publish(other({ [NAME]: { CNAME: "x.other.test" }, "x.other.test": txt("right") }), {
      ...other({ [NAME]: { CNAME: "x.other.test" }, "x.other.test": txt("poisoned") }),
    });
    expect(await begin().resolve(NAME, "TXT")).toMatchObject({
      records: [["right"]],
      canonicalName: "x.other.test",
      server: expect.stringContaining("ns.other.test"),
    });
  });

  it("falls back if aliases form a loop", async () => {
    publish(
      { [NAME]: { CNAME: "b.example.com" }, "b.example.com": { CNAME: NAME } },
      { [NAME]: txt("known") },
    );
    expect(await begin().resolve(NAME, "TXT")).toMatchObject({ records: [["known"]] });
  });

  it("queries within its budget, and falls back beyond it", async () => {
    publish({ [NAME]: txt("right") }, { [NAME]: txt("known") });
    for (const lookups of [0, 1, 2, 3, 4])
      expect(
        await begin({ limits: { lookups, timeoutMs: 10_000 } }).resolve(NAME, "TXT"),
        String(lookups),
      ).toMatchObject({ records: [["known"]] });
    expect(await begin({ limits: { lookups: 20, timeoutMs: 0 } }).resolve(NAME, "TXT")).toMatchObject({
      records: [["known"]],
    });
  });

  it("stops querying a zone with silent servers, and after three such zones all zones", async () => {
    const names = Array.from({ length: 8 }, (_, n) => `z${n}.test`);
    const zones: DnsZones = Object.fromEntries(
      names.flatMap((name) => [
        [name, { ...txt("known"), NS: [`ns.${name}`] }],
        [`ns.${name}`, { A: ["127.0.0.1"] }],
      ]),
    );
    publish(Object.fromEntries(names.map((name) => [name, { behaviour: "drop" }])), zones);
    const resolver = begin(IMPATIENT);
    for (const name of [...names, ...names])
      expect(await resolver.resolve(name, "TXT")).toMatchObject({ records: [["known"]] });
    expect(names.filter((name) => world.servers[0].count(name) > 0)).toEqual(names.slice(0, 3));
  });
});
