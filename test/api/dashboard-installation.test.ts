import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providerLimits } from "../../src/intel/provider-rules/limits.ts";
import { SYSTEM_ACCOUNT } from "../../src/shared/system-account.ts";
import { testAudit } from "../harness/audit.ts";
import { type Dashboard, type DashboardOptions, openDashboard } from "../harness/dashboard.ts";

let world: Dashboard;
beforeAll(async () => {
  world = await openDashboard({ hasMail: false, hasPasskeys: false });
});
afterAll(() => world.close());

async function found(where: Dashboard, accountId?: string) {
  const { token } = await where.identity.memberOf(
    accountId ?? (await where.identity.openAccount()),
    "viewer",
  );
  const { status, body } = await where.ask("GET", "/api/installation", { token });
  expect(status).toBe(200);
  return body;
}

async function opened<T>(options: DashboardOptions, work: (where: Dashboard) => Promise<T>): Promise<T> {
  const where = await openDashboard(options);
  try {
    return await work(where);
  } finally {
    await where.close();
  }
}

it("reports null for facts that the core does not know", async () => {
  const facts = { version: "1.2.3", commit: undefined, baseUrl: () => undefined, smtp: () => undefined };
  const installation = { ...facts, hasSystemMail: false, rates: { perKey: 0, perAccount: 0 } };
  expect(await opened({ installation, hasMail: false, hasPasskeys: false }, found)).toMatchObject({
    version: "1.2.3",
    commit: null,
    base_url: null,
    smtp: null,
    system_mail: "off",
    sign_in: { passkeys: false, oidc_name: null, password_reset: false, sign_up: false },
    limits: { key_sends_per_second: null, account_sends_per_second: null },
  });
});

it("shows the relay with its TLS, and null for an unknown host", async () => {
  const smtp = () => ({
    endpoints: [
      { host: "mail.example.com", port: 587, tls: "starttls" as const },
      { host: undefined, port: 465, tls: "implicit" as const },
    ],
    isSelfSigned: undefined,
  });
  const facts = { version: "1.2.3", commit: "0123456789ab", baseUrl: () => "https://mail.example.com", smtp };
  const installation = { ...facts, hasSystemMail: true, rates: { perKey: 5, perAccount: 7 } };
  const body = await opened({ installation, isSignUpOpen: true }, found);
  expect(body).toMatchObject({
    commit: "0123456789ab",
    base_url: "https://mail.example.com",
    smtp: {
      endpoints: [
        { host: "mail.example.com", port: 587, tls: "starttls" },
        { host: null, port: 465, tls: "implicit" },
      ],
      self_signed: null,
    },
    sign_in: { passkeys: true, password_reset: true, sign_up: true },
    limits: { key_sends_per_second: 5, account_sends_per_second: 7, message_bytes: 25_000_000, to: 50 },
  });
});

it("reports system mail as off, captured or sent according to the operator's policy", async () => {
  expect((await found(world)).system_mail).toBe("off");
  await opened({ hasMail: true }, async (where) => {
    expect((await found(where)).system_mail).toBe("captured");
    const { operator } = where.identity;
    const put = (kind: object) =>
      operator.policies.putPolicy({
        accountId: SYSTEM_ACCOUNT,
        policy: { name: "system", default: true, transports: [{ kind: kind as never }] },
      });
    await put({ case: "sandbox", value: {} });
    expect((await found(where)).system_mail).toBe("captured");
    await put({ case: "direct", value: {} });
    expect((await found(where)).system_mail).toBe("sent");
  });
});

it("counts only the account's own use of each limit", async () => {
  const { operator, store, openAccount } = world.identity;
  const [accountId, other] = [await openAccount(), await openAccount()];
  await operator.senders.addSender({ accountId, value: "news@shop.example" });
  await operator.domains.addDomain({ accountId, domain: "shop.example" });
  await operator.rules.putRule({ accountId, settings: { name: "pager" } });
  await store.forAccount(accountId).workspaces.create("Agency", testAudit);
  const resourcesOf = async (id: string) =>
    Object.fromEntries(
      (await found(world, id)).limits.resources.map(
        ({ resource, limit, used }: { resource: string; limit: number; used: number }) => [
          resource,
          [used, limit],
        ],
      ),
    );
  const before = await resourcesOf(other);
  expect(before).toMatchObject({ senders: [0, 1_000], domains: [0, 1_000], alert_rules: [0, 2_000] });
  const after = await resourcesOf(accountId);
  expect(after).toEqual({
    ...before,
    senders: [1, 1_000],
    domains: [1, 1_000],
    alert_rules: [1, 2_000],
    workspaces: [(before.workspaces?.[0] ?? 0) + 1, 200],
  });
});

describe("rates", () => {
  const ratesOf = async (where: Dashboard, id: string) => (await found(where, id)).limits.rates;

  it("counts only the account's own use of its rate limits while one core runs", async () => {
    await opened({ rates: { perAccount: 2 } }, async (where) => {
      const { operator, frontEnd, openAccount, store } = where.identity;
      const [accountId, other] = [await openAccount(), await openAccount()];
      const { secret: apiKey } = await operator.keys.createKey({ accountId, name: "monitor" });
      const alert = { eventType: "disk.full", severity: "info", source: "node", message: "/var is full" };
      // They use up 40 windows, so that a slow test still works.
      await frontEnd.alerts.ingestAlerts({ apiKey, alerts: Array.from({ length: 80 }, () => ({ alert })) });
      const of = (rate: string, use: object) => ({ rate, limit: 2, window_seconds: 1, ...use });
      const unused = { used: 0, reset_seconds: 1 };
      const [sends, reads] = await ratesOf(where, accountId);
      expect(sends).toEqual(of("account_sends", { used: 2, reset_seconds: expect.any(Number) }));
      expect(sends.reset_seconds).toBeGreaterThan(1);
      expect(reads).toEqual(of("account_reads", unused));
      expect(await ratesOf(where, other)).toEqual([of("account_sends", unused), of("account_reads", unused)]);
      const { installation } = await operator.installation.getInstallation({});
      expect(installation?.limits?.rates.map(({ limit, used }) => [limit, used])).toEqual([
        [2, undefined],
        [2, undefined],
      ]);

      const join = (_id: string, roles: string[]) =>
        store.schema.announce({ _id, schema: 1, program: "1.2.3", roles });
      await join("first", ["core"]);
      await join("worker", ["worker"]);
      expect((await ratesOf(where, accountId))[0].used).toBe(2);
      await join("second", ["edge", "core"]);
      const unknown = { used: null, reset_seconds: null };
      expect(await ratesOf(where, accountId)).toEqual([
        of("account_sends", unknown),
        of("account_reads", unknown),
      ]);
    });
  });

  it("lists no rate limit that is turned off", async () => {
    expect(await ratesOf(world, await world.identity.openAccount())).toEqual([]);
  });
});

it("shows the body limits of the edge that answers", async () => {
  expect((await found(world)).limits).toMatchObject({
    request_body_bytes: 1024 * 1024,
    session_body_bytes: 8 * 1024 * 1024,
  });
});

it("shows the operator the installation without the use by accounts", async () => {
  const { installation } = await world.identity.operator.installation.getInstallation({});
  expect(installation?.limits?.resources.map(({ used }) => used)).toEqual(Array(6).fill(undefined));
});

it("names the source of every rate that a provider publishes", async () => {
  const body = await found(world);
  expect(body.provider_limits).toEqual(providerLimits);
  expect(body.provider_limits).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ provider: "gmail", measure: "complaints", level: "target", rate: 0.001 }),
      expect.objectContaining({ provider: "yahoo", measure: "complaints", level: "limit", rate: 0.003 }),
      expect.objectContaining({ provider: "ses", measure: "bounces", level: "limit", rate: 0.1 }),
    ]),
  );
  for (const { rate, source } of providerLimits) {
    expect(rate).toBeGreaterThan(0);
    expect(rate).toBeLessThan(1);
    expect(source).toMatch(/^https:\/\//);
  }
});
