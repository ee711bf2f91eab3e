import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { allowSending, finishedMessage } from "../harness/finished-message.ts";

let world: Dashboard;
let accountId: string;
let token: string;

beforeAll(async () => {
  world = await openDashboard();
});
afterAll(() => world.close());
beforeEach(async () => {
  accountId = await world.identity.openAccount();
  await allowSending(world.identity, accountId);
  ({ token } = await world.identity.memberOf(accountId, "support"));
});

const resend = (id: string, headers: Readonly<Record<string, string>> = {}) =>
  world.ask("POST", `/api/messages/${id}/resend`, { token, headers });

it("a message is resent by the role support, once for each idempotency key", async () => {
  const { _id: id } = await finishedMessage(world.identity, accountId);
  const first = await resend(id, { "idempotency-key": "one" });
  expect([first.status, first.body]).toMatchObject([202, { resent_from: id, state: "queued" }]);
  expect(first.headers).not.toHaveProperty("idempotent-replayed");
  const second = await resend(id, { "idempotency-key": "one" });
  expect([second.status, second.body.id]).toEqual([202, first.body.id]);
  expect(second.headers).toMatchObject({ "idempotent-replayed": "true" });
  const third = await resend(id);
  expect(third.body.id).not.toBe(first.body.id);
  const { body } = await world.ask("GET", `/api/messages/${id}`, { token });
  expect(body.message.resent_from).toBe("");
  expect(body.timeline.map(({ kind }: { kind: string }) => kind)).toEqual(["accepted", "resent", "resent"]);
});

it("a message that cannot be resent has a reason", async () => {
  const codeOf = async (id: string, headers = {}) => {
    const { status, problem } = await resend(id, headers);
    return [status, problem.code];
  };
  const { _id: waiting } = await finishedMessage(world.identity, accountId, { state: "deferred" });
  expect(await codeOf(waiting)).toEqual([409, "message.not_resendable"]);
  const gone = await finishedMessage(world.identity, accountId);
  await world.identity.db.collection("contents").deleteOne({ _id: gone.contentId as never });
  expect(await codeOf(gone._id)).toEqual([410, "message.body_gone"]);
  const { _id: elsewhere } = await finishedMessage(world.identity, accountId, { from: "a@example.org" });
  expect(await codeOf(elsewhere)).toEqual([403, "sender.unverified"]);
  expect(await codeOf("msg_1")).toEqual([404, "message.unknown"]);
  const { _id: fine } = await finishedMessage(world.identity, accountId);
  expect(await codeOf(fine, { "idempotency-key": "" })).toEqual([400, "request.malformed_header"]);
  expect(await codeOf(fine, { "idempotency-key": "a b" })).toEqual([400, "request.malformed_header"]);
});

it("obeys the account's rate limit", async () => {
  const limited = await openDashboard({ rates: { perAccount: 2 } });
  try {
    const own = await limited.identity.openAccount();
    await allowSending(limited.identity, own);
    const { token: mine } = await limited.identity.memberOf(own);
    const { _id: id } = await finishedMessage(limited.identity, own);
    const ask = () => limited.ask("POST", `/api/messages/${id}/resend`, { token: mine });
    const statuses = (await Promise.all([ask(), ask(), ask(), ask()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([202, 202, 429, 429]);
  } finally {
    await limited.close();
  }
});
