import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import type { KeyDocument } from "../../src/store/documents.ts";
import type { DnsZones } from "../harness/dns-server.ts";
import { type DnsWorld, openDnsWorld } from "../harness/dns-world.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const DOMAIN = "example.com";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const key = { senders: [] as readonly string[] } as KeyDocument;

let dns: DnsWorld;
let identity: Identity;
let accountId: string;
beforeAll(async () => {
  dns = await openDnsWorld(DOMAIN);
  identity = await openIdentity({
    dns: {
      beginSurvey: dns.beginSurvey,
      sendingSetup: { spfTerms: ["include:_spf.hermod.test"], bounceDomain: undefined },
    },
  });
});
afterAll(async () => {
  await identity.close();
  await dns.close();
});
beforeEach(async () => {
  dns.publish({});
  accountId = await newAccount();
});

async function newAccount(): Promise<string> {
  const { account } = await identity.operator.accounts.createAccount({ name: "Acme" });
  return account?.id ?? "";
}

const domainsOf = () => identity.operator.domains;

async function add(of = accountId): Promise<Domain> {
  const { domain } = await domainsOf().addDomain({ accountId: of, domain: DOMAIN });
  return domain as Domain;
}

/** Checks after the minimum pause between two checks. */
async function check(of = accountId): Promise<Domain> {
  identity.time.pass(10_000);
  const { domain } = await domainsOf().checkDomain({ accountId: of, domain: DOMAIN });
  return domain as Domain;
}

const get = async (of = accountId) =>
  (await domainsOf().getDomain({ accountId: of, domain: DOMAIN })).domain as Domain;

async function maySend(of = accountId): Promise<boolean> {
  const sending = identity.verifySender(`ada@${DOMAIN}`, { ...key, accountId: of });
  return sending.then(
    () => true,
    ({ code }) => {
      expect(code).toBe("sender.unverified");
      return false;
    },
  );
}

/** Records of domains as their owners publish them, limited to these purposes. */
function zonesOf(domains: readonly Domain[], purposes = ["ownership", "dkim", "spf", "dmarc"]): DnsZones {
  const values = new Map<string, string[][]>();
  for (const record of domains.flatMap(({ records }) => records)) {
    if (!purposes.includes(record.purpose)) continue;
    const strings = record.value.match(/.{1,255}/g) ?? [];
    const others = values.get(record.name) ?? [];
    if (!others.some((one) => one.join("") === record.value))
      values.set(record.name, [...others, [...strings]]);
  }
  return Object.fromEntries([...values].map(([name, TXT]) => [name, { TXT }]));
}

async function verified(): Promise<Domain> {
  const domain = await add();
  dns.publish(zonesOf([domain]));
  const checked = await check();
  expect(checked.status).toBe("verified");
  return checked;
}

const events = async () => {
  const { events: list } = await domainsOf().listDomainEvents({ accountId, domain: DOMAIN });
  return list.map(({ from, to }) => `${from} -> ${to}`);
};

describe("a domain", () => {
  it("may send after its owner has proven the ownership and published its key", async () => {
    const domain = await add();
    expect(domain).toMatchObject({ status: "unverified", maySend: false, verifiedBy: "" });
    expect(await maySend()).toBe(false);
    dns.publish(zonesOf([domain], ["dkim", "spf", "dmarc"]));
    expect(await check()).toMatchObject({
      status: "unverified",
      reasons: ["The proof of ownership: There is no TXT record with the name _hermod.example.com."],
    });
    dns.publish(zonesOf([domain], ["ownership"]));
    expect(await check()).toMatchObject({ status: "verifying", maySend: false });
    expect(await maySend()).toBe(false);
    dns.publish(zonesOf([domain], ["ownership", "dkim"]));
    expect(await check()).toMatchObject({
      status: "verified",
      maySend: true,
      verifiedBy: "dns",
      reasons: [],
      nameServers: ["ns1.example.com", "ns2.example.com"],
    });
    expect(await maySend()).toBe(true);
    expect(await events()).toEqual(["verifying -> verified", "unverified -> verifying"]);
  });

  it("has the same status in a list, on its page and in the sender check", async () => {
    const seen = async () => {
      const { domains } = await domainsOf().listDomains({ accountId });
      const page = await get();
      expect(domains).toMatchObject([{ name: DOMAIN, status: page.status, maySend: page.maySend }]);
      expect(await maySend()).toBe(page.maySend);
      return page.status;
    };
    const domain = await add();
    expect(await seen()).toBe("unverified");
    dns.publish(zonesOf([domain], ["ownership"]));
    await check();
    expect(await seen()).toBe("verifying");
    dns.publish(zonesOf([domain]));
    await check();
    expect(await seen()).toBe("verified");
    dns.publish({});
    await check();
    identity.time.pass(20 * MINUTE_MS);
    await check();
    expect(await seen()).toBe("degraded");
    // No check runs during this time.
    identity.time.pass(72 * HOUR_MS);
    expect(await seen()).toBe("failed");
  });

  it("of two accounts is verified for each account that has proven it", async () => {
    const other = await newAccount();
    const [mine, theirs] = [await add(), await add(other)];
    const tokens = [mine, theirs].map(({ records }) => records.find(({ key }) => key === "ownership")?.value);
    expect(new Set(tokens).size).toBe(2);
    dns.publish(zonesOf([mine]));
    expect([(await check()).status, (await check(other)).status]).toEqual(["verified", "unverified"]);
    expect([await maySend(), await maySend(other)]).toEqual([true, false]);
    dns.publish(zonesOf([mine, theirs]));
    expect([(await check()).status, (await check(other)).status]).toEqual(["verified", "verified"]);
    expect((await domainsOf().listDomainEvents({ accountId: other, domain: DOMAIN })).events).toHaveLength(1);
  });

  it("that the operator vouches for is marked, and sends without a proof", async () => {
    await add();
    await identity.operator.senders.addSender({ accountId, value: DOMAIN });
    expect(await get()).toMatchObject({ status: "unverified", maySend: true, verifiedBy: "operator" });
    expect(await maySend()).toBe(true);
    const { domains } = await domainsOf().listDomains({ accountId });
    expect(domains).toMatchObject([{ maySend: true, verifiedBy: "operator" }]);
  });

  it("that is removed loses its proof, and has another token when it is added again", async () => {
    const former = await verified();
    await domainsOf().removeDomain({ accountId, domain: DOMAIN });
    expect(await maySend()).toBe(false);
    await expect(get()).rejects.toMatchObject({ code: "domain.unknown" });
    await expect(domainsOf().removeDomain({ accountId, domain: DOMAIN })).rejects.toMatchObject({
      code: "domain.unknown",
    });
    const next = await add();
    expect(next.records.map(({ value }) => value)).not.toContain(former.records[0]?.value);
    expect(next.keys.map(({ selector }) => selector)).not.toContain(former.keys[0]?.selector);
    expect(await check()).toMatchObject({ status: "unverified", maySend: false });
    expect(await events()).toContain("unverified -> verified");
  });

  it.each(["co.uk", "com", "nodots", "192.0.2.1", "a..b", "_dmarc.example.com"])(
    "is refused with the name %s",
    async (domain) => {
      await expect(domainsOf().addDomain({ accountId, domain })).rejects.toMatchObject({
        errors: [{ pointer: "/domain" }],
      });
      expect((await domainsOf().listDomains({ accountId })).domains).toEqual([]);
    },
  );
});

describe("a status is never lowered", () => {
  it("while a check is running", async () => {
    const domain = await verified();
    dns.servers[0].disturb({ lateMs: 100 });
    dns.servers[1].disturb({ lateMs: 100 });
    const checking = check();
    const during = await get();
    expect(during.status).toBe("verified");
    expect(during.records.map(({ outcome }) => outcome)).toEqual(
      domain.records.map(({ outcome }) => outcome),
    );
    await checking;
    for (const server of dns.servers) server.disturb({});
  });

  it.each(["servfail", "refused", "drop", "garbage"] as const)("by an error: %s", async (behaviour) => {
    const domain = await verified();
    const names = Object.keys(zonesOf([domain]));
    for (let look = 0; look < 3; look++) {
      dns.publish(Object.fromEntries(names.map((name) => [name, { behaviour, misbehavesFor: ["TXT"] }])));
      identity.time.pass(HOUR_MS);
      const checked = await check();
      expect(checked).toMatchObject({ status: "verified", maySend: true, reasons: [] });
      for (const record of checked.records.filter(({ required }) => required)) {
        expect(record).toMatchObject({
          outcome: "right",
          failure: expect.stringContaining("could not be queried"),
        });
        expect(record.failedAt?.seconds).toBeGreaterThan(record.rightAt?.seconds ?? 0n);
      }
    }
    expect(await events()).toEqual(["unverified -> verified"]);
  });

  it("by a single failed check, by two at the same time, or by records that come and go", async () => {
    const domain = await verified();
    dns.publish({});
    const twice = await Promise.all([
      check(),
      identity.checkDomain(accountId, DOMAIN),
      identity.checkDomain(accountId, DOMAIN),
    ]);
    expect(twice[0].status).toBe("verified");
    expect((await get()).records[0]).toMatchObject({ outcome: "missing", isLost: false });
    for (let look = 0; look < 6; look++) {
      identity.time.pass(20 * MINUTE_MS);
      dns.publish(look % 2 === 0 ? zonesOf([domain]) : {});
      expect((await check()).status).toBe("verified");
    }
    expect(await events()).toEqual(["unverified -> verified"]);
  });

  it("by a name server that does not have a change yet", async () => {
    const domain = await verified();
    dns.publishAt(1, {});
    for (let look = 0; look < 3; look++) {
      identity.time.pass(20 * MINUTE_MS);
      expect((await check()).status).toBe("verified");
    }
    expect((await get()).records[0]).toMatchObject({ outcome: "partial", isLost: false });
    expect(domain.status).toBe("verified");
  });

  it("by an answer of the resolver only", async () => {
    await verified();
    dns.publishAtResolver({ [DOMAIN]: { NS: ["ns.away.test"] } });
    for (let look = 0; look < 3; look++) {
      identity.time.pass(20 * MINUTE_MS);
      expect((await check()).status).toBe("verified");
    }
  });

  it("by new keys that are not published yet", async () => {
    await verified();
    await domainsOf().rotateDomain({ accountId, domain: DOMAIN, signAfterHours: 0 });
    expect(await get()).toMatchObject({ status: "verified", maySend: true });
    expect((await get()).reasons).toEqual([expect.stringContaining("has not been found yet")]);
    expect((await check()).status).toBe("verified");
  });
});

describe("a record that is certainly missing", () => {
  it("is reported once, permits sending for three more days, and is right again as soon as it is published", async () => {
    const domain = await verified();
    dns.publish(zonesOf([domain], ["dkim", "spf", "dmarc"]));
    await check();
    identity.time.pass(15 * MINUTE_MS);
    const degraded = await check();
    expect(degraded).toMatchObject({ status: "degraded", maySend: true });
    expect(degraded.reasons).toEqual([
      "The proof of ownership: There is no TXT record with the name _hermod.example.com.",
    ]);
    const leftMs = Number(degraded.sendsUntil?.seconds ?? 0) * 1_000 - identity.time.clock.now().getTime();
    expect(Math.round(leftMs / HOUR_MS)).toBe(72);
    identity.time.pass(HOUR_MS);
    await check();
    identity.time.pass(72 * HOUR_MS);
    expect(await maySend()).toBe(false);
    expect(await check()).toMatchObject({ status: "failed", maySend: false });
    dns.publish(zonesOf([domain]));
    expect(await check()).toMatchObject({ status: "verified", maySend: true });
    expect(await maySend()).toBe(true);
    expect(await events()).toEqual([
      "failed -> verified",
      "degraded -> failed",
      "verified -> degraded",
      "unverified -> verified",
    ]);
  });
});

describe("a check", () => {
  it("is refused within ten seconds of the previous one, with the time of the next one", async () => {
    await add();
    await check();
    await expect(domainsOf().checkDomain({ accountId, domain: DOMAIN })).rejects.toMatchObject({
      code: "domain.check_too_soon",
      retryAfterSeconds: 10,
    });
    await check();
  });

  it("of a domain that is removed and added again during the check has no effect", async () => {
    const domain = await add();
    dns.publish(zonesOf([domain]));
    for (const server of dns.servers) server.disturb({ lateMs: 150 });
    const checking = identity.checkDomain(accountId, DOMAIN);
    await domainsOf().removeDomain({ accountId, domain: DOMAIN });
    await add();
    await checking;
    for (const server of dns.servers) server.disturb({});
    expect(await get()).toMatchObject({ status: "unverified", maySend: false });
  });
});

describe("a zone file", () => {
  it("contains the records of the owner, split into the strings that DNS requires", async () => {
    await add();
    const { zoneFile } = await domainsOf().getZoneFile({ accountId, domain: DOMAIN });
    const lines = zoneFile.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
    const heads = lines.map((line) => line.split(" ").slice(0, 4).join(" "));
    expect(heads.map((head) => head.replace(/^hm\w+([re])\./, "hm-$1."))).toEqual([
      "_hermod.example.com. 3600 IN TXT",
      "hm-e._domainkey.example.com. 3600 IN TXT",
      "hm-r._domainkey.example.com. 3600 IN TXT",
      "example.com. 3600 IN TXT",
      "_dmarc.example.com. 3600 IN TXT",
    ]);
    for (const [, text = ""] of zoneFile.matchAll(/"([^"]*)"/g)) expect(text.length).toBeLessThanOrEqual(255);
    expect(zoneFile).toContain('"v=spf1 include:_spf.hermod.test ~all"');
  });

  it("contains an SPF record merged with the existing one, and none if that is right", async () => {
    const domain = await add();
    const zones = zonesOf([domain], ["ownership", "dkim", "dmarc"]);
    dns.publish({ ...zones, [DOMAIN]: { TXT: ["v=spf1 mx -all"] } });
    await check();
    const file = async () => (await domainsOf().getZoneFile({ accountId, domain: DOMAIN })).zoneFile;
    expect(await file()).toContain('example.com. 3600 IN TXT "v=spf1 mx include:_spf.hermod.test -all"');
    dns.publish({ ...zones, [DOMAIN]: { TXT: ["v=spf1 mx include:_spf.hermod.test -all"] } });
    await check();
    expect(await file()).not.toContain("v=spf1");
    expect(await file()).not.toContain("_dmarc");
  });
});
