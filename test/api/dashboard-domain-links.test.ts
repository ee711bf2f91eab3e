import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDomainLinkTokens } from "../../src/message/domain-link-token.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";

const DOMAIN = "example.com";
const DAY_MS = 86_400_000;

let world: Dashboard;
let accountId: string;
let token: string;
beforeAll(async () => {
  world = await openDashboard({
    dns: { sendingSetup: { spfTerms: ["include:_spf.hermod.test"], bounceDomain: "bounces.example.com" } },
  });
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  token = (await world.identity.memberOf(accountId)).token;
  await world.ask("POST", "/api/domains", { token, body: { domain: DOMAIN } });
});

async function create(body: object = {}, domain = DOMAIN): Promise<string> {
  const created = await world.ask("POST", `/api/domains/${domain}/link`, { token, body });
  expect(created.status).toBe(201);
  return created.body.token;
}

/** Opens the link like a person without a session. */
const open = (linkToken: string) =>
  world.ask("POST", "/api/domain-link/find", { body: { token: linkToken } });

const INVALID = { status: 404, problem: { code: "domain.link_invalid" } };

describe("a link to the DNS records of a domain", () => {
  it("shows the records to publish, and nothing of the account", async () => {
    await world.ask("POST", "/api/domains", { token, body: { domain: "other.example" } });
    const whole = (await world.ask("GET", `/api/domains/${DOMAIN}`, { token })).body;
    const { status, body } = await open(await create());
    expect(status).toBe(200);
    const wanted = whole.records.filter(
      (record: { by_owner: boolean; value: string }) => record.by_owner && record.value !== "",
    );
    // The owner does not publish the alias of the installation's own domain.
    expect(wanted.length).toBeLessThan(whole.records.length);
    expect(Object.keys(body).sort()).toEqual(
      ["dns_provider", "domain", "expires_at", "name_servers", "next_check_at", "reason_texts"].concat([
        "reasons",
        "records",
        "status",
        "zone_file",
      ]),
    );
    expect(body).toMatchObject({ domain: DOMAIN, status: "unverified", records: wanted });
    expect(body.zone_file).toContain("_hermod.example.com.");
    const text = JSON.stringify(body);
    for (const secret of [accountId, "other.example", "Acme", "PRIVATE KEY"])
      expect(text).not.toContain(secret);
  });

  it("reports its expiry, and stops working then", async () => {
    const made = await create({ expires_in_days: 2 });
    const until = new Date(world.identity.time.clock.now().getTime() + 2 * DAY_MS).toISOString();
    const { body } = await world.ask("GET", `/api/domains/${DOMAIN}`, { token });
    expect([body.link_expires_at, (await open(made)).body.expires_at]).toEqual([until, until]);
    world.identity.time.pass(2 * DAY_MS - 1);
    expect((await open(made)).status).toBe(200);
    world.identity.time.pass(1);
    expect(await open(made)).toMatchObject(INVALID);
    // Sessions expire earlier.
    token = (await world.identity.memberOf(accountId)).token;
    const later = await world.ask("GET", `/api/domains/${DOMAIN}`, { token });
    expect(later.body).not.toHaveProperty("link_expires_at");
  });

  it("stops working when it is revoked, replaced, or its domain is removed", async () => {
    const withdraw = () => world.ask("DELETE", `/api/domains/${DOMAIN}/link`, { token });
    const first = await create();
    const second = await create();
    expect(await open(first)).toMatchObject(INVALID);
    expect((await open(second)).status).toBe(200);
    expect((await withdraw()).status).toBe(204);
    expect(await open(second)).toMatchObject(INVALID);
    expect((await withdraw()).status).toBe(204);
    const third = await create();
    await world.ask("DELETE", `/api/domains/${DOMAIN}`, { token });
    await world.ask("POST", "/api/domains", { token, body: { domain: DOMAIN } });
    expect(await open(third)).toMatchObject(INVALID);
  });

  it("stays through a check of the domain", async () => {
    const made = await create();
    await world.ask("POST", `/api/domains/${DOMAIN}/check`, { token });
    expect((await open(made)).body.checked_at).toBe(world.identity.time.clock.now().toISOString());
  });

  it("does not work for another domain or account, or with another secret", async () => {
    await world.ask("POST", "/api/domains", { token, body: { domain: "other.example" } });
    await create({}, "other.example");
    const made = await create();
    const stored = await world.identity.store.forAccount(accountId).domains.find(DOMAIN);
    const linkId = stored?.link?.id ?? "";
    const genuine = createDomainLinkTokens(await world.identity.store.secrets.getOrCreate("domain-link"));
    expect(genuine.decode(made)).toEqual({ accountId, domain: DOMAIN, linkId });
    const forged = createDomainLinkTokens(Buffer.alloc(32, 1));
    const others = [
      genuine.encode({ accountId, domain: "other.example", linkId }),
      genuine.encode({ accountId: await world.identity.openAccount(), domain: DOMAIN, linkId }),
      forged.encode({ accountId, domain: DOMAIN, linkId }),
      `${made}A`,
      made.slice(0, -1),
      "",
      "x".repeat(5_000),
    ];
    for (const other of others) expect((await open(other)).status).not.toBe(200);
    for (const other of others.slice(0, 5)) expect(await open(other)).toMatchObject(INVALID);
  });

  it("can be read at most 60 times per minute, independent of other links", async () => {
    const made = await create();
    for (let n = 0; n < 60; n++) expect((await open(made)).status).toBe(200);
    const refused = await open(made);
    expect([refused.status, refused.problem.code]).toEqual([429, "rate.limited"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await open(await create())).status).toBe(200);
  });

  it("is valid for 1 to 30 days", async () => {
    for (const days of [0, 31, 1.5]) {
      const { status, problem } = await world.ask("POST", `/api/domains/${DOMAIN}/link`, {
        token,
        body: { expires_in_days: days },
      });
      expect([status, problem.errors[0]?.pointer]).toEqual([422, "/expires_in_days"]);
    }
    const { domains } = world.identity.operator;
    await expect(
      domains.createDomainLink({ accountId, domain: DOMAIN, expiresInDays: 31 }),
    ).rejects.toMatchObject({ errors: [{ pointer: "/expires_in_days" }] });
  });
});
