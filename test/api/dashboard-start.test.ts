import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type CounterKind,
  counterId,
  counterSteps,
  countersOf,
  startOf,
} from "../../src/store/counters/counter-documents.ts";
import { webhookCollections } from "../../src/store/webhook-delivery-documents.ts";
import { testAudit } from "../harness/audit.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { deliveryDocument, endpointDocument } from "../harness/expected-deliveries.ts";
import { plantWatched } from "../harness/watched-domain.ts";

const NOT_YET = {
  first_captured_at: null,
  first_delivered_at: null,
  domain_verified_at: null,
  key_used_at: null,
  webhook_answered_at: null,
  rule_created_at: null,
  domain_watched_at: null,
};
const DAY_MS = 86_400_000;

let world: Dashboard;
let accountId: string;
let token: string;
beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  ({ token } = await world.identity.memberOf(accountId, "viewer"));
});

const facts = async () => (await world.ask("GET", "/api/start", { token })).body;

/** Counters of an event in these steps. */
async function count(
  kind: CounterKind,
  at: Date,
  steps = counterSteps as readonly (typeof counterSteps)[number][],
) {
  await countersOf(world.identity.db).insertMany(
    steps.map((step) => ({
      _id: counterId(accountId, step, startOf(step, at)),
      accountId,
      step,
      at: startOf(step, at),
      expireAt: new Date(at.getTime() + 1000 * DAY_MS),
      total: { v: { [kind]: 1 } },
    })),
  );
}

it("returns null for steps that an account has not done", async () => {
  expect(await facts()).toEqual(NOT_YET);
});

it("has the first captured and the first delivered message to the minute, and no other kind", async () => {
  await count("bounced", new Date("2026-11-20T07:01:02.000Z"));
  await count("captured", new Date("2026-11-21T08:59:59.000Z"));
  await count("captured", new Date("2026-11-22T00:00:00.000Z"));
  await count("delivered", new Date("2026-11-23T10:30:30.000Z"));
  expect(await facts()).toEqual({
    ...NOT_YET,
    first_captured_at: "2026-11-21T08:59:00.000Z",
    first_delivered_at: "2026-11-23T10:30:00.000Z",
  });
});

it("has the day or the hour of a message after its finer counters have expired", async () => {
  await count("captured", new Date("2025-11-21T08:59:59.000Z"), ["day"]);
  await count("captured", new Date("2026-11-22T08:59:59.000Z"));
  await count("delivered", new Date("2026-10-21T08:59:59.000Z"), ["day", "hour"]);
  await count("delivered", new Date("2026-11-23T08:59:59.000Z"));
  expect(await facts()).toMatchObject({
    first_captured_at: "2025-11-21T00:00:00.000Z",
    first_delivered_at: "2026-10-21T08:00:00.000Z",
  });
});

it("has the latest use of a key of any creator", async () => {
  const { operator, store } = world.identity;
  const ids: string[] = [];
  for (const name of ["Shop", "Blog", "Unused"]) {
    const { key } = await operator.keys.createKey({ accountId, name });
    ids.push(key?.id ?? "");
  }
  const [shop = "", blog = ""] = ids;
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 22, hour));
  const use = { from: "192.0.2.1", by: "http" };
  await store.acrossAccounts.keys.markUsed([
    { keyId: shop, at: at(9), ...use },
    { keyId: blog, at: at(8), ...use },
  ] as never);
  expect(await facts()).toEqual({ ...NOT_YET, key_used_at: at(9).toISOString() });
});

it("has the first delivery that any endpoint has accepted, and no refused one", async () => {
  const { store, db } = world.identity;
  const { webhooks } = store.forAccount(accountId);
  const { deliveries } = webhookCollections(db);
  const add = async (_id: string, states: readonly [state: "delivered" | "failed", at: string][]) => {
    await webhooks.add(endpointDocument({ _id, accountId }), testAudit);
    await deliveries.insertMany(
      states.map(([state, at], n) =>
        deliveryDocument({ _id: `${_id}.${n}`, accountId, endpointId: _id, state, at: new Date(at) }),
      ),
    );
  };
  const [one, two] = [`wep_1${accountId}`, `wep_2${accountId}`];
  await add(one, [["failed", "2026-11-20T00:00:00.000Z"]]);
  expect(await facts()).toEqual(NOT_YET);
  await add(two, [
    ["delivered", "2026-11-22T00:00:00.000Z"],
    ["delivered", "2026-11-21T00:00:00.000Z"],
  ]);
  expect(await facts()).toEqual({ ...NOT_YET, webhook_answered_at: "2026-11-21T00:00:00.000Z" });
});

it("has rules, watched domains and verified domains", async () => {
  const { operator, store, time } = world.identity;
  const now = time.clock.now();
  await operator.rules.putRule({ accountId, settings: { name: "pager" } });
  await operator.domains.addDomain({ accountId, domain: "shop.example" });
  const before = await facts();
  expect(before).toMatchObject({
    rule_created_at: expect.any(String),
    domain_verified_at: null,
    domain_watched_at: null,
  });
  await plantWatched(store, { accountId, domain: "watched.example", now });
  await store
    .forAccount(accountId)
    .domains.change("shop.example", (domain) => ({ domain: { ...domain, verifiedAt: now } }) as never);
  expect(await facts()).toEqual({
    ...before,
    domain_verified_at: now.toISOString(),
    domain_watched_at: expect.any(String),
  });
});

it("has nothing of another account", async () => {
  const other = accountId;
  await world.identity.operator.rules.putRule({ accountId: other, settings: { name: "pager" } });
  await count("captured", new Date());
  accountId = await world.identity.openAccount();
  ({ token } = await world.identity.memberOf(accountId, "viewer"));
  expect(await facts()).toEqual(NOT_YET);
});
