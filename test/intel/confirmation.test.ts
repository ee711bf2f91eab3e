import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createResolver } from "../../src/dns/resolver.ts";
import { createValidator } from "../../src/dns/validator.ts";
import { createZoneResolver } from "../../src/dns/zone-resolver.ts";
import { createRunChecks } from "../../src/intel/run-checks.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { parseDnsServer } from "../../src/shared/dns-server-address.ts";
import { PolicyError } from "../../src/transport-security/mta-sts/fetch-policy.ts";
import type { DnsZones } from "../harness/dns-server.ts";
import { type DnsWorld, openDnsWorld } from "../harness/dns-world.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";
import { openWatchWorld, type WatchWorld } from "../harness/watch-world.ts";

const NAME = "example.com";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let opened: TestStore;
let dns: DnsWorld;
let time: TestTime;
let world: WatchWorld;
beforeAll(async () => {
  [opened, dns] = await Promise.all([openTestStore(), openDnsWorld(NAME)]);
});
afterAll(() => Promise.all([opened.close(), dns.close()]));
beforeEach(async () => {
  for (const name of ["workspaces", "intelClients", "watchedDomains", "watchedChecks", "watchChanges"])
    await opened.db.collection(name).deleteMany({});
  time = createTestTime(Date.parse("2030-01-01T00:00:00Z"));
  const servers = [dns.resolver.address];
  const freshResolver = () => createResolver({ servers, clock: systemClock });
  const { clock } = time;
  const runChecks = createRunChecks({
    // With the test's clock no time passes, so nothing would ever expire from the cache.
    resolver: { resolve: (name, type) => freshResolver().resolve(name, type) },
    zoneResolver: createZoneResolver({
      freshResolver,
      ipv6: false,
      retryMs: 200,
      answerMs: 500,
      port: parseDnsServer(dns.servers[0].address)?.port ?? 0,
      refuse: createRefuseDestination({ allowPrivate: true, ownAddresses: [] }),
    }),
    validator: createValidator({ servers, clock: systemClock, timeoutMs: 500, retryMs: 20, failureMs: 1 }),
    findProbes: async () => ({ probes: new Map(), vantage: "unknown", reachesIpv6: false }),
    fetchPolicy: async () => {
      throw new PolicyError("there is none", { isKnown: true });
    },
    fetchMark: async () => {
      throw new Error("no record names a mark");
    },
    lookUpRdap: undefined,
    ehloNameOf: () => undefined,
    clock,
  });
  world = await openWatchWorld({ db: opened.db, time, runChecks });
});

const zone = (spf: string): DnsZones => ({ [NAME]: { TXT: [spf], MX: ["0 ."] } });
const GOOD = zone("v=spf1 ip4:192.0.2.1 -all");
const BAD = zone("v=spf1 +all");

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= MINUTE_MS) {
    time.pass(MINUTE_MS);
    await world.turn();
  }
}

/** Events of a watched domain with a good first check run, after the next two. */
async function changesAfter(publish: () => void): Promise<string[]> {
  dns.publish(GOOD);
  await world.add(NAME);
  await world.turn();
  publish();
  await pass(7 * HOUR_MS);
  expect(world.looks.slice(0, 3).map(({ reason }) => reason)).toEqual(["due", "due", "second"]);
  const changes = await world.changes();
  return changes.flatMap(({ kind, checkId }) => (checkId === undefined ? [] : `${kind} ${checkId}`));
}

async function spfServer(): Promise<string | undefined> {
  const known = await world.store.acrossAccounts.watches.findChecks(await world.find(NAME));
  return known?.checks.find(({ id }) => id === "auth.spf.all")?.known?.evidence[0]?.server;
}

describe("a change found by a check run", () => {
  it("is not published if the zone's servers contradict the resolver", async () => {
    const changes = await changesAfter(() => {
      dns.publish(GOOD);
      dns.publishAtResolver(BAD);
    });
    expect(changes).toEqual([]);
    expect(await spfServer()).toContain("ns1.example.com");
  });

  it("is published if they confirm it, with the confirming server in the evidence", async () => {
    expect(await changesAfter(() => dns.publish(BAD))).toEqual(["finding.opened auth.spf.all"]);
    expect(await spfServer()).toBe(`ns1.example.com (${dns.servers[0].address})`);
  });

  it.each(["drop", "refused"] as const)(
    "is confirmed by the resolver if the zone's servers do not answer (%s)",
    async (behaviour) => {
      const changes = await changesAfter(() => {
        dns.publish({ [NAME]: { behaviour } });
        dns.publishAtResolver(BAD);
      });
      expect(changes).toEqual(["finding.opened auth.spf.all"]);
      expect(await spfServer()).toBe(dns.resolver.address);
    },
  );
});

it("is published immediately after a requested check, regardless of the resolver's cache", async () => {
  dns.publish(BAD);
  await world.add(NAME);
  await world.turn();
  dns.publish(GOOD);
  dns.publishAtResolver(BAD);
  await world.check(NAME);
  expect(await spfServer()).toContain("ns1.example.com");
  expect(world.looks.at(-1)).toMatchObject({ reason: "asked" });
});
