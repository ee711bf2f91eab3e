import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../src/shared/logger.ts";
import {
  type WebhookDeliveryDocument,
  webhookCollections,
} from "../../src/store/webhook-delivery-documents.ts";
import { createPace } from "../../src/webhooks/pace.ts";
import { createWebhookWorker } from "../../src/webhooks/worker.ts";
import { testAudit } from "../harness/audit.ts";
import { deliveryDocument } from "../harness/expected-deliveries.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";

const HOUR_MS = 3_600_000;

let identity: Identity;
let accountId: string;
let made = 0;

beforeAll(async () => {
  identity = await openIdentity();
  await identity.operator.accounts.createAccount({ name: "Operator" });
});
afterAll(() => identity.close());
beforeEach(async () => {
  identity.time.pass(1_000);
  accountId = await identity.openAccount();
});

const now = () => identity.time.clock.now();
const inAnHour = () => new Date(now().getTime() + HOUR_MS);
const collections = () => webhookCollections(identity.db);

async function addEndpoint(settings: object = {}): Promise<string> {
  const url = "https://shop.example.com/hooks";
  const added = await identity.operator.webhooks.createWebhook({ accountId, settings: { url, ...settings } });
  return added.webhook?.id ?? "";
}

/** Deliveries that have failed twice, and are due in an hour. */
async function wait(endpointId: string, count: number, changes: Partial<WebhookDeliveryDocument> = {}) {
  const waiting = Array.from({ length: count }, () => {
    const eventId = `msg_${made++}.1.delivered`;
    const of = { accountId, endpointId, eventId, messageId: eventId.slice(0, -12), at: now() };
    const { endedAt: _, ...one } = deliveryDocument({ ...of, _id: `${endpointId}.${eventId}` });
    return { ...one, state: "pending" as const, attempts: 2, dueAt: inAnHour(), ...changes };
  });
  await collections().deliveries.insertMany(waiting);
  const lane = { $set: { accountId, slot: 0, wakeAt: inAnHour(), additions: 1 } };
  await collections().lanes.updateOne({ _id: endpointId }, lane, { upsert: true });
  return waiting.map(({ _id }) => _id);
}

const countIn = (endpointId: string, state: string) =>
  collections().deliveries.countDocuments({ endpointId, state: state as never });

/** A separate worker, as after a restart. Each attempt is accepted. */
async function work(
  tried: string[] = [],
  during: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const { webhookDeliveries: deliveries, webhooks: endpoints } = identity.store.acrossAccounts;
  const worker = createWebhookWorker({
    deliveries,
    endpoints,
    clock: identity.time.clock,
    log: createLogger("silent"),
    partitionCount: 64,
    composeBodies: async (due) => due.map(() => "{}"),
    async attempt(_, { eventId }) {
      tried.push(eventId);
      await during();
      return { verdict: "taken", tried: { at: now(), durationMs: 1, url: "", status: 200, detail: "" } };
    },
    onDisabled: async () => undefined,
    onDamaged: () => undefined,
    pace: createPace({ mailAttempts: () => 0 }),
    held: () => Array.from({ length: 64 }, (_, partition) => partition),
    keptMs: HOUR_MS,
    abandon: () => undefined,
  });
  await worker.check();
  await worker.idle();
}

describe("disabling an endpoint", () => {
  it("fails waiting deliveries immediately; enabling sends none of them, and each can be replayed then", async () => {
    const id = await addEndpoint();
    const ids = await wait(id, 3);
    await identity.operator.webhooks.disableWebhook({ accountId, id });
    const failed = await collections().deliveries.find({ endpointId: id }).toArray();
    expect(failed.map(({ state, dueAt, endedAt }) => [state, dueAt, endedAt])).toEqual(
      ids.map(() => ["failed", undefined, now()]),
    );
    expect(failed[0]?.endReason).toBe("the endpoint is disabled: by a member of the account");
    const early = identity.operator.deliveries.replayDelivery({ accountId, id: ids[0] ?? "" });
    await expect(early).rejects.toMatchObject({ code: "webhook.disabled" });
    await identity.operator.webhooks.enableWebhook({ accountId, id });
    identity.time.pass(2 * HOUR_MS);
    const tried: string[] = [];
    await work(tried);
    expect([tried, await countIn(id, "failed")]).toEqual([[], 3]);
    for (const one of ids) await identity.operator.deliveries.replayDelivery({ accountId, id: one });
    await work(tried);
    expect([tried.length, await countIn(id, "delivered")]).toEqual([3, 3]);
  });

  it("that was already disabled fails waiting deliveries with the former reason", async () => {
    const id = await addEndpoint();
    const { endpoints } = collections();
    const disabled = { at: now(), reason: "gone", detail: "it answered 410" } as const;
    await endpoints.updateOne({ _id: id, accountId }, { $set: { disabled } });
    await wait(id, 1);
    await identity.operator.webhooks.disableWebhook({ accountId, id });
    const [failed] = await collections().deliveries.find({ endpointId: id }).toArray();
    expect(failed?.endReason).toBe("the endpoint is disabled: it answered 410");
  });

  it("fails thousands, also if the process ends in the middle: a worker continues immediately", async () => {
    const id = await addEndpoint();
    const other = await addEndpoint();
    await wait(other, 10);
    for (let n = 0; n < 12; n++) await wait(id, 1_000);
    await identity.operator.webhooks.disableWebhook({ accountId, id });
    // The others remain if the process ends at this moment.
    expect([await countIn(id, "failed"), await countIn(id, "pending")]).toEqual([10_000, 2_000]);
    await work();
    expect([await countIn(id, "failed"), await countIn(id, "pending")]).toEqual([12_000, 0]);
    expect(await countIn(other, "pending")).toBe(10);
  });

  it("without a running worker can be reverted only when all have failed", async () => {
    const id = await addEndpoint();
    for (let n = 0; n < 12; n++) await wait(id, 1_000);
    await identity.operator.webhooks.disableWebhook({ accountId, id });
    await identity.operator.webhooks.enableWebhook({ accountId, id });
    expect([await countIn(id, "failed"), await countIn(id, "pending")]).toEqual([12_000, 0]);
  });

  it("during a request lets an accepted delivery count as accepted", async () => {
    const id = await addEndpoint();
    await wait(id, 1, { dueAt: now() });
    await collections().lanes.updateOne({ _id: id }, { $set: { wakeAt: now() } });
    await work([], () => identity.operator.webhooks.disableWebhook({ accountId, id }));
    const [found] = await collections().deliveries.find({ endpointId: id }).toArray();
    expect([found?.state, found?.attempts, found?.endReason, found?.dueAt]).toEqual([
      ...["delivered", 3],
      ...[undefined, undefined],
    ]);
  });

  it("by a worker fails deliveries that wait for their next attempt, too", async () => {
    const id = await addEndpoint();
    await wait(id, 3);
    const { webhooks } = identity.store.acrossAccounts;
    const gone = { at: now(), reason: "gone", detail: "it answered 410" } as const;
    expect(await webhooks.disable(id, 1, gone, { ...testAudit, now })).toBe(true);
    await work();
    const ended = await collections().deliveries.find({ endpointId: id }).toArray();
    expect(ended.map(({ endReason }) => endReason)).toEqual(
      Array(3).fill("the endpoint is disabled: it answered 410"),
    );
  });

  it("that is removed drops waiting deliveries immediately", async () => {
    const id = await addEndpoint();
    await wait(id, 3);
    await identity.operator.webhooks.deleteWebhook({ accountId, id, force: true });
    await work();
    expect([await countIn(id, "dropped"), await collections().lanes.findOne({ _id: id })]).toEqual([3, null]);
  });
});

describe("sending waiting deliveries now", () => {
  it("makes one delivery due, and continues to count its attempts", async () => {
    const id = await addEndpoint();
    const [first = "", second = ""] = await wait(id, 2);
    const { delivery } = await identity.operator.deliveries.retryDelivery({ accountId, id: first });
    expect(delivery).toMatchObject({ id: first, state: "pending", attempts: 2 });
    const tried: string[] = [];
    await work(tried);
    expect(tried.map((eventId) => `${id}.${eventId}`)).toEqual([first]);
    const found = await collections().deliveries.findOne({ _id: first });
    expect([found?.state, found?.attempts]).toEqual(["delivered", 3]);
    expect((await collections().deliveries.findOne({ _id: second }))?.state).toBe("pending");
  });

  it("is refused for a delivery that has ended, is unknown, or belongs to another account", async () => {
    const id = await addEndpoint();
    const [mine = ""] = await wait(id, 1);
    const retry = (of: string, one: string) =>
      identity.operator.deliveries.retryDelivery({ accountId: of, id: one });
    const { account } = await identity.operator.accounts.createAccount({ name: "Other" });
    for (const [of, one] of [
      [accountId, "wep_x.none"],
      [account?.id ?? "", mine],
    ] as const)
      await expect(retry(of, one)).rejects.toMatchObject({ code: "webhook.delivery_unknown" });
    const others = identity.operator.deliveries.retryDeliveries({
      accountId: account?.id ?? "",
      endpointId: id,
    });
    await expect(others).rejects.toMatchObject({ code: "webhook.unknown" });
    await identity.operator.webhooks.disableWebhook({ accountId, id });
    await expect(retry(accountId, mine)).rejects.toMatchObject({ code: "webhook.delivery_ended" });
    const disabled = identity.operator.deliveries.retryDeliveries({ accountId, endpointId: id });
    await expect(disabled).rejects.toMatchObject({ code: "webhook.disabled" });
  });

  it.each([
    [true, 3],
    [false, 1],
  ])("includes the message's other events if order is kept: %s", async (ordered, due) => {
    const id = await addEndpoint({ ordered });
    const messageId = `msg_of_${ordered}`;
    const [, second = ""] = await wait(id, 3, { messageId });
    await wait(id, 1);
    await identity.operator.deliveries.retryDelivery({ accountId, id: second });
    expect(await collections().deliveries.countDocuments({ endpointId: id, dueAt: { $lte: now() } })).toBe(
      due,
    );
  });

  it("makes thousands of one endpoint due, and none of another, and reports if more wait", async () => {
    const id = await addEndpoint();
    const other = await addEndpoint();
    await wait(other, 5);
    for (let n = 0; n < 21; n++) await wait(id, 1_000, { dueAt: new Date(inAnHour().getTime() + n) });
    const retry = () => identity.operator.deliveries.retryDeliveries({ accountId, endpointId: id });
    expect(await retry()).toMatchObject({ count: 20_000, hasMore: true });
    expect(await retry()).toMatchObject({ count: 1_000, hasMore: false });
    expect(await retry()).toMatchObject({ count: 0, hasMore: false });
    expect(await collections().deliveries.countDocuments({ endpointId: id, dueAt: { $lte: now() } })).toBe(
      21_000,
    );
    expect((await collections().lanes.findOne({ _id: id }))?.wakeAt).toEqual(now());
    expect(await collections().deliveries.countDocuments({ endpointId: other, dueAt: { $lte: now() } })).toBe(
      0,
    );
  });
});
