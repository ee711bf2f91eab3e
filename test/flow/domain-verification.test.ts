import { afterAll, beforeAll, expect, it } from "vitest";
import type { Domain } from "../../gen/hermod/domain/v1/domain_service_pb.ts";
import { type DnsServer, type DnsZones, startDnsServer } from "../harness/dns-server.ts";
import { publishedZones } from "../harness/domain-records.ts";
import { type FakeRelay, startFakeRelay } from "../harness/fake-relay.ts";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";
import { verified } from "../harness/verify-dkim.ts";

const DOMAIN = "shop.example.org";
const BOUNCES = "bounce.hermod.test";
/** Other zones of the Internet. */
const others: DnsZones = {
  "example.net": { MX: ["10 mx.example.net"] },
  "mx.example.net": { A: ["127.0.0.1"] },
  [BOUNCES]: { MX: ["10 mail.hermod.test"] },
};

let mx: FakeRelay;
let dns: DnsServer;
let hermod: Hermod;
beforeAll(async () => {
  mx = await startFakeRelay();
  dns = await startDnsServer(others);
  hermod = await startHermod({
    settings: {
      HERMOD_DNS_SERVERS: dns.address,
      HERMOD_MX_PORT: String(mx.port),
      HERMOD_ALLOW_PRIVATE_DESTINATIONS: "true",
      HERMOD_BOUNCE_DOMAIN: BOUNCES,
      HERMOD_KEY_CACHE_MS: "0",
    },
  });
  const transports = [{ kind: { case: "direct" as const, value: {} } }];
  await hermod.core.policies.putPolicy({ policy: { name: "direct", default: true, transports } });
});
afterAll(async () => {
  await hermod.dispose();
  await mx.close();
  await dns.close();
});

const send = () =>
  post(hermod, email({ from: `hello@${DOMAIN}`, to: `ann-${mx.received.length}@example.net` }));

async function sendOne() {
  const before = mx.received.length;
  const { accepted } = await send();
  await eventually(async () => {
    const { message } = await hermod.core.messages.getMessage({ id: accepted.message_id });
    return message?.state === "delivered" ? message : undefined;
  });
  return mx.received[before];
}

it("lets an owner publish the records and send with signatures and an own return path, also after a restart", async () => {
  const { domain } = await hermod.core.domains.addDomain({ domain: DOMAIN });
  const refused = await send();
  expect([refused.status, refused.problem?.code]).toEqual([403, "sender.unverified"]);

  dns.serve({ ...others, ...publishedZones(domain as Domain) });
  // It may have been checked slightly too early.
  await withStore(hermod, (db) =>
    db.collection("domains").updateOne({ name: DOMAIN }, { $set: { nextCheckAt: new Date(0) } }),
  );
  const standing = await eventually(async () => {
    const now = await hermod.core.domains.getDomain({ domain: DOMAIN });
    return now.domain?.status === "verified" ? now.domain : undefined;
  });
  expect(standing).toMatchObject({ status: "verified", maySend: true, verifiedBy: "dns" });

  const mail = await sendOne();
  expect(mail?.from).toMatch(/^b\+[0-9a-z]{26}-[0-9a-f]{32}@hm-bounce\.shop\.example\.org$/);
  expect(verified(mail?.source.toString("latin1") ?? "", domain as Domain)).toHaveLength(2);
  await expect(hermod.core.bounces.checkReturnPath({ returnPath: mail?.from ?? "" })).resolves.toBeDefined();

  await hermod.kill();
  hermod = await hermod.restart();
  expect((await hermod.core.domains.getDomain({ domain: DOMAIN })).domain?.status).toBe("verified");
  const { events } = await hermod.core.domains.listDomainEvents({ domain: DOMAIN });
  expect(events.map(({ from, to }) => `${from} -> ${to}`)).toEqual(["unverified -> verified"]);

  // The alias is gone, so bounces go to the installation's own domain again.
  const { [`hm-bounce.${DOMAIN}`]: _, ...left } = publishedZones(domain as Domain);
  dns.serve({ ...others, ...left });
  await hermod.core.domains.checkDomain({ domain: DOMAIN });
  expect((await sendOne())?.from).toMatch(/@bounce\.hermod\.test$/);
});
