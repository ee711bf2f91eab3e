import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { email, post, storedMessages } from "../harness/http.ts";
import { type Hermod, startHermod } from "../harness/start-hermod.ts";
import { withStore } from "../harness/store-client.ts";

let hermod: Hermod;

beforeAll(async () => {
  hermod = await startHermod();
});
afterAll(() => hermod.dispose());

let used = 0;
const freshKey = () => `key-${++used}`;
const withKey = (key: string, more: { path?: string; key?: string } = {}) => ({
  ...more,
  headers: { "idempotency-key": key },
});

it("gives a retry the first answer, and stores nothing again", async () => {
  const key = freshKey();
  const first = await post(hermod, email(), withKey(key));
  const before = await storedMessages(hermod);
  const retry = await post(hermod, email(), withKey(key));
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  expect(retry.status).toBe(202);
  expect(retry.headers.get("idempotent-replayed")).toBe("true");
  expect(retry.accepted).toEqual(first.accepted);
  expect(await storedMessages(hermod)).toBe(before);
});

it("treats the same body in another order, and a list of one for a string, as equal", async () => {
  const key = freshKey();
  const first = await post(hermod, email({ metadata: { a: "1", b: "2" } }), withKey(key));
  const reordered = { metadata: { b: "2", a: "1" }, ...email({ to: ["ada@example.org"] }) };
  const retry = await post(hermod, reordered, withKey(key));
  expect(retry.accepted).toEqual(first.accepted);
});

it("refuses the key with another body", async () => {
  const key = freshKey();
  await post(hermod, email(), withKey(key));
  const other = await post(hermod, email({ subject: "Another" }), withKey(key));
  expect([other.status, other.problem.code]).toEqual([422, "idempotency.key_reused"]);
});

it("has the same scope for the alias", async () => {
  const key = freshKey();
  const first = await post(hermod, email(), withKey(key, { path: "/v1/email/send" }));
  const retry = await post(hermod, email(), withKey(key, { path: "/v1/send" }));
  expect(retry.accepted).toEqual(first.accepted);
});

it("stores a message once when many requests with one key arrive together", async () => {
  const key = freshKey();
  const before = await storedMessages(hermod);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(hermod, email(), withKey(key))));
  expect(await storedMessages(hermod)).toBe(before + 1);
  const accepted = answers.filter(({ status }) => status === 202);
  expect(new Set(accepted.map((answer) => answer.accepted.message_id)).size).toBe(1);
  for (const { status, problem, headers } of answers.filter((answer) => answer.status !== 202)) {
    expect([status, problem.code]).toEqual([409, "idempotency.in_flight"]);
    expect(headers.get("retry-after")).toBe("1");
  }
});

it("does not store a failure: the key is free for the corrected request", async () => {
  const key = freshKey();
  expect((await post(hermod, email({ to: "nobody" }), withKey(key))).status).toBe(422);
  expect((await post(hermod, email(), withKey(key))).status).toBe(202);
});

it("replays even if the request would be refused now", async () => {
  const key = freshKey();
  await hermod.core.templates.putTemplate({ template: { name: "once", subject: "S", text: "{{ a }}" } });
  const body = {
    from: "hello@example.com",
    to: "a@example.org",
    template: "once",
    template_data: { a: "1" },
  };
  const first = await post(hermod, body, withKey(key));
  await hermod.core.templates.putTemplate({ template: { name: "once", subject: "S", text: "{{ b }}" } });
  expect((await post(hermod, body)).problem.code).toBe("template.variable_missing");
  const retry = await post(hermod, body, withKey(key));
  expect(retry.accepted).toEqual(first.accepted);
});

describe("a key that is restricted to other senders", () => {
  const fromAcme = { from: "hello@example.com" };
  const template = { name: "acme", ...fromAcme, subject: "S", text: "T" };

  it.each([
    ["named in the body", email(fromAcme)],
    ["named by a template", { to: "a@example.org", template: "acme" }],
  ])("gets nothing of another key's message with the sender %s", async (_name, body) => {
    await hermod.core.templates.putTemplate({ template });
    await hermod.core.senders.addSender({ value: "example.net" });
    const { secret } = await hermod.core.keys.createKey({ senders: ["example.net"] });
    const key = freshKey();
    const { accepted } = await post(hermod, body, withKey(key));
    const before = await storedMessages(hermod);
    const replay = await post(hermod, body, withKey(key, { key: secret }));
    expect([replay.status, replay.problem.code]).toEqual([403, "sender.not_allowed"]);
    const another = email({ from: "me@example.net" });
    const reuse = await post(hermod, another, withKey(key, { key: secret }));
    expect([reuse.status, reuse.problem.code]).toEqual([422, "idempotency.key_reused"]);
    expect(JSON.stringify([replay.problem, reuse.problem])).not.toContain(accepted.message_id);
    expect(await storedMessages(hermod)).toBe(before);
  });

  it("gets nothing of it even if the template now has an allowed sender", async () => {
    const { secret } = await hermod.core.keys.createKey({ senders: ["example.net"] });
    const key = freshKey();
    const body = { to: "a@example.org", template: "acme" };
    await hermod.core.templates.putTemplate({ template });
    const { accepted } = await post(hermod, body, withKey(key));
    await hermod.core.templates.putTemplate({ template: { ...template, from: "me@example.net" } });
    const replay = await post(hermod, body, withKey(key, { key: secret }));
    expect([replay.status, replay.problem.code]).toEqual([403, "sender.not_allowed"]);
    expect(JSON.stringify(replay.problem)).not.toContain(accepted.message_id);
  });
});

it("is remembered across a crash between store and answer", async () => {
  const key = freshKey();
  const first = await post(hermod, email(), withKey(key));
  await hermod.kill();
  hermod = await hermod.restart();
  const retry = await post(hermod, email(), withKey(key));
  expect(retry.headers.get("idempotent-replayed")).toBe("true");
  expect(retry.accepted).toEqual(first.accepted);
});

it.each([
  ["empty", ""],
  ["256 characters", "x".repeat(256)],
  ["a space", "a b"],
])("refuses a malformed key: %s", async (_name, key) => {
  const answer = await post(hermod, email(), withKey(key));
  expect([answer.status, answer.problem.code]).toEqual([400, "request.malformed_header"]);
});

it("accepts a key of 255 characters", async () => {
  expect((await post(hermod, email(), withKey("x".repeat(255)))).status).toBe(202);
});

it("is free again for another message after 24 hours", async () => {
  const key = freshKey();
  const first = await post(hermod, email(), withKey(key));
  await withStore(hermod, (db) =>
    db
      .collection<{ _id: string }>("messages")
      .updateOne(
        { _id: first.accepted.message_id },
        { $set: { createdAt: new Date(Date.now() - 24 * 3_600_000) } },
      ),
  );
  const later = await post(hermod, email({ subject: "Another" }), withKey(key));
  expect([later.status, later.headers.get("idempotent-replayed")]).toEqual([202, null]);
  expect(later.accepted.message_id).not.toBe(first.accepted.message_id);
  const retry = await post(hermod, email({ subject: "Another" }), withKey(key));
  expect(retry.accepted).toEqual(later.accepted);
});

it("belongs to its account: another account can use the same key", async () => {
  const accountId = "acc_other";
  await withStore(hermod, async (db) => {
    await db.collection<{ _id: string }>("accounts").insertOne({ _id: accountId });
  });
  await hermod.core.senders.addSender({ accountId, value: "example.com" });
  const sandbox = {
    name: "sandbox",
    default: true,
    transports: [{ kind: { case: "sandbox" as const, value: {} } }],
  };
  await hermod.core.policies.putPolicy({ accountId, policy: sandbox });
  const { secret } = await hermod.core.keys.createKey({ accountId });
  const key = freshKey();
  const mine = await post(hermod, email(), withKey(key));
  const theirs = await post(hermod, email({ subject: "Theirs" }), withKey(key, { key: secret }));
  expect([mine.status, theirs.status]).toEqual([202, 202]);
  expect(theirs.accepted.message_id).not.toBe(mine.accepted.message_id);
  await withStore(hermod, async (db) => {
    await db.collection<{ _id: string }>("accounts").deleteOne({ _id: accountId });
  });
});
