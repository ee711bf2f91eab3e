import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Dashboard, openDashboard } from "../harness/dashboard.ts";
import { allowSending } from "../harness/finished-message.ts";

const CONTENT = {
  from: "Shop <news@example.com>",
  to: "ada@example.net",
  subject: "It works",
  text: "Hello",
  routing_policy: "default",
};

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
  ({ token } = await world.identity.memberOf(accountId, "developer"));
});

const send = (body: object, headers: Readonly<Record<string, string>> = {}, where = world) =>
  where.ask("POST", "/api/messages", { token, body, headers });
const listed = async () => (await world.ask("GET", "/api/messages", { token })).body.data;

it("sends a message of the account by the named policy, with the source dashboard and no key", async () => {
  const { status, body, headers } = await send(CONTENT);
  expect([status, body]).toMatchObject([
    202,
    {
      account_id: accountId,
      from: "news@example.com",
      recipient: "ada@example.net",
      subject: "It works",
      state: "queued",
      routing_policy: "default",
      source: "dashboard",
      key_id: "",
    },
  ]);
  expect(headers).not.toHaveProperty("idempotent-replayed");
  const bySource = await world.ask("GET", "/api/messages?source=dashboard", { token });
  expect(bySource.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
});

it("uses the account's default policy if the request names none", async () => {
  const { routing_policy: _, ...content } = CONTENT;
  const { body } = await send(content);
  expect(body).toMatchObject({ state: "queued", routing_policy: "sandbox" });
});

it("sends once for an idempotency key, also if requests arrive together", async () => {
  const key = { "idempotency-key": "one" };
  const answers = await Promise.all([send(CONTENT, key), send(CONTENT, key)]);
  const stored = answers.filter(({ status }) => status === 202);
  expect(answers.filter(({ status }) => status !== 202).map(({ problem }) => problem.code)).toEqual(
    Array(2 - stored.length).fill("idempotency.in_flight"),
  );
  const again = await send(CONTENT, key);
  expect([again.status, again.headers["idempotent-replayed"]]).toEqual([202, "true"]);
  expect(new Set([...stored, again].map(({ body }) => body.id)).size).toBe(1);
  const other = await send({ ...CONTENT, subject: "Another" }, key);
  expect([other.status, other.problem.code]).toEqual([422, "idempotency.key_reused"]);
  expect(await listed()).toHaveLength(1);
});

it("separates idempotency keys from those of other accounts and of submissions", async () => {
  const key = { "idempotency-key": "one" };
  const first = await send(CONTENT, key);
  accountId = await world.identity.openAccount();
  await allowSending(world.identity, accountId);
  ({ token } = await world.identity.memberOf(accountId));
  const second = await send({ ...CONTENT, subject: "Mine" }, key);
  expect(second.status).toBe(202);
  expect(second.body.id).not.toBe(first.body.id);
});

it.each([
  [{ from: "news@example.org" }, 403, "sender.unverified", "/from"],
  [{ from: "news" }, 422, "request.validation_failed", "/from"],
  [{ to: "ada" }, 422, "request.validation_failed", "/to"],
  [{ to: "ada@example.net, bob@example.net" }, 422, "request.validation_failed", "/to"],
  [{ subject: "Two\nlines" }, 422, "request.validation_failed", "/subject"],
  [{ text: "" }, 422, "request.validation_failed", "/html"],
  [{ routing_policy: "missing" }, 422, "policy.unknown", "/routing_policy"],
  [{ cc: "bob@example.net" }, 422, "request.validation_failed", "/cc"],
  [{ text: "x".repeat(5_000_001) }, 422, "request.validation_failed", "/text"],
])("refuses %j like a submission with a key, and stores nothing", async (change, status, code, pointer) => {
  const answer = await send({ ...CONTENT, ...change });
  expect([answer.status, answer.problem.code, answer.problem.errors[0]?.pointer]).toEqual([
    status,
    code,
    pointer,
  ]);
  expect(await listed()).toEqual([]);
});

it.each(["", "a b", "ü"])("refuses the idempotency key %j", async (key) => {
  const { status, problem } = await send(CONTENT, { "idempotency-key": key });
  expect([status, problem.code]).toEqual([400, "request.malformed_header"]);
});

it("requires permission to send, and is recorded in the audit log", async () => {
  const { body } = await send(CONTENT);
  const { token: helper } = await world.identity.memberOf(accountId, "support");
  const refused = await world.ask("POST", "/api/messages", { token: helper, body: CONTENT });
  expect([refused.status, refused.problem.code]).toEqual([403, "auth.permission_missing"]);
  const { token: owner } = await world.identity.memberOf(accountId);
  const entries = (await world.ask("GET", "/api/audit?action=message.send", { token: owner })).body.data;
  expect(entries.map(({ outcome }: { outcome: string }) => outcome)).toContain("changed");
  expect(JSON.stringify(entries)).toContain(body.id);
});

it("obeys the account's rate limit, and stores no request beyond it", async () => {
  const limited = await openDashboard({ rates: { perAccount: 2 } });
  try {
    const own = await limited.identity.openAccount();
    await allowSending(limited.identity, own);
    ({ token } = await limited.identity.memberOf(own));
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(CONTENT, {}, limited)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 429, 429]);
  } finally {
    await limited.close();
  }
});
