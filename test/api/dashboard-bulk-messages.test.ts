import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newIdInBucket } from "../../src/shared/ids.ts";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { queuedMessage } from "../harness/queued-message.ts";

let world: Dashboard;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  ({ token } = await world.identity.memberOf(accountId));
});

async function schedule(count: number): Promise<void> {
  const { store, time } = world.identity;
  const at = time.clock.now();
  const nextAttemptAt = new Date(at.getTime() + 3_600_000);
  const messages = Array.from({ length: count }, (_, n) => {
    const _id = newIdInBucket("msg", at, n);
    return queuedMessage(at, { _id, accountId, state: "scheduled", nextAttemptAt, tags: ["spring"] });
  });
  await store.acrossAccounts.messages.insertMany(messages);
  time.pass(1);
}

const ask = (body: object, as = token) => world.ask("POST", "/api/messages/bulk", { token: as, body });

it("counts first, and starts a job with the confirmation", async () => {
  await schedule(7);
  const bulk = { action: "cancel", filter: { tag: "spring", state: ["scheduled", "deferred"] } };
  const counted = await ask(bulk);
  expect([counted.status, counted.body]).toMatchObject([200, { count: 7, actionable: 7, has_more: false }]);
  expect(counted.body.sample).toHaveLength(5);
  const { confirmation } = counted.body;
  const begun = await ask({ ...bulk, confirmation });
  const about = { action: "cancel", counted: "7", messages: expect.stringContaining('tags=["spring"]') };
  expect([begun.status, begun.body]).toMatchObject([202, { kind: "message.bulk", state: "queued", about }]);
  expect((await ask({ ...bulk, confirmation })).body.id).toBe(begun.body.id);
  const other = await ask({ action: "cancel", filter: { tag: "winter" }, confirmation });
  expect([other.status, other.body.code]).toEqual([422, "message.confirmation_invalid"]);
});

it("names invalid fields as in the request", async () => {
  const pointersOf = async (body: object) =>
    (await ask(body)).body.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(await pointersOf({ action: "forget", filter: { tag: "a" } })).toEqual(["/action"]);
  expect(await pointersOf({ action: "cancel" })).toEqual(["/filter"]);
  expect(await pointersOf({ action: "cancel", ids: ["msg_1"] })).toEqual(["/ids/0"]);
  const filter = { tag: Array(21).fill("a"), subject: "?!" };
  expect(await pointersOf({ action: "cancel", filter })).toEqual(["/filter/tag", "/filter/subject"]);
  expect(await pointersOf({ action: "cancel", filter: { from: "yesterday" } })).toEqual(["/filter/from"]);
  expect((await ask({ action: "cancel", filter: { colour: "red" } })).status).toBe(422);
});

it("is refused beyond ten open jobs, and without permission to change messages", async () => {
  await schedule(1);
  const bulk = { action: "cancel", filter: { tag: "spring" } };
  for (let n = 0; n < 11; n++) {
    world.identity.time.pass(1);
    const { confirmation } = (await ask(bulk)).body;
    const { status, body } = await ask({ ...bulk, confirmation });
    if (n < 10) expect(status).toBe(202);
    else expect([status, body.code]).toEqual([409, "job.too_many"]);
  }
  const { token: viewer } = await world.identity.memberOf(accountId, "viewer");
  expect((await ask(bulk, viewer)).body.code).toBe("auth.permission_missing");
});
