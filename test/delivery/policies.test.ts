import type { MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PolicySchema, TransportSchema } from "../../gen/hermod/policy/v1/policy_service_pb.ts";
import { type FakeRelay, smtpReply, startFakeRelay } from "../harness/fake-relay.ts";
import { email, post } from "../harness/http.ts";
import { eventually, type Hermod, startHermod } from "../harness/start-hermod.ts";
import { makeDue, withStore } from "../harness/store-client.ts";

type Transport = MessageInitShape<typeof TransportSchema>;

let hermod: Hermod;
let first: FakeRelay;
let second: FakeRelay;
/** Names that clients gave in EHLO, by relay. */
let heloNames: string[];

beforeAll(async () => {
  hermod = await startHermod({ settings: { HERMOD_SMTP_TIMEOUT_MS: "3000", HERMOD_KEY_CACHE_MS: "0" } });
});
afterAll(() => hermod.dispose());

beforeEach(async () => {
  heloNames = [];
  const onMailFrom: Parameters<typeof startFakeRelay>[0] = {
    onMailFrom: (_address, session, done) => {
      heloNames.push(session.hostNameAppearsAs);
      done();
    },
  };
  [first, second] = await Promise.all([startFakeRelay(onMailFrom), startFakeRelay(onMailFrom)]);
});
afterEach(() => Promise.all([first.close(), second.close()]));

const to = ({ port }: { readonly port: number }): Transport => ({
  kind: { case: "smtp", value: { servers: [{ host: "127.0.0.1", port }], tls: "none" } },
});

let policies = 0;

async function put(policy: MessageInitShape<typeof PolicySchema>): Promise<string> {
  const { name = `policy-${++policies}` } = policy;
  await hermod.core.policies.putPolicy({ policy: { ...policy, name } });
  return name;
}

async function send(routing_policy: string, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, accepted } = await post(hermod, email({ routing_policy, ...changes }));
  expect(status).toBe(202);
  return accepted.message_id;
}

/** The message once it has reached the state in its last attempt. */
function reached(id: string, state: string, attempts = 1) {
  return eventually(async () => {
    const { message, timeline } = await hermod.core.messages.getMessage({ id });
    const last = timeline.at(-1);
    return message?.state === state && message.attempts === attempts && last ? { message, last } : undefined;
  });
}

async function waitMs(id: string, attempts: number): Promise<number> {
  const { message, last } = await reached(id, "deferred", attempts);
  return Number(message.nextAttemptAt?.seconds ?? 0) * 1000 - Number(last.at?.seconds ?? 0) * 1000;
}

describe("rules", () => {
  it("send the mail of their domains over other transports", async () => {
    const name = await put({
      transports: [to(first)],
      rules: [{ domains: ["Bücher.example", "*.example.net"], transports: [to(second)] }],
    });
    const recipients = ["a@example.net", "b@mail.example.net", "c@bücher.example", "d@example.org"];
    await Promise.all(recipients.map(async (one) => reached(await send(name, { to: one }), "delivered")));
    const received = ({ received }: FakeRelay) => received.flatMap((mail) => mail.to).toSorted();
    expect(received(first)).toEqual(["a@example.net", "d@example.org"]);
    // The relay shows A-labels as what they stand for.
    expect(received(second)).toEqual(["b@mail.example.net", "c@bücher.example"]);
  });

  it("have transports that are tried in order, and never the transports of the policy", async () => {
    const name = await put({
      transports: [{ kind: { case: "sandbox", value: {} } }],
      rules: [{ domains: ["example.org"], transports: [to(first), to(second)] }],
    });
    await reached(await send(name), "delivered");
    expect([first.received.length, second.received.length]).toEqual([1, 0]);
    await first.close();
    const { last } = await reached(await send(name), "delivered");
    expect(last.via).toBe(`smtp 127.0.0.1:${second.port}`);
    await second.close();
    expect((await reached(await send(name), "deferred")).last.via).toBe(`smtp 127.0.0.1:${second.port}`);
  });

  it("apply to messages that already wait, in the present version of the policy", async () => {
    first.answerData(() => smtpReply(451, "4.7.1 greylisted"));
    const name = await put({ transports: [to(first)] });
    const id = await send(name);
    await reached(id, "deferred");
    await put({
      name,
      transports: [to(first)],
      rules: [{ domains: ["example.org"], transports: [to(second)] }],
    });
    await makeDue(hermod);
    expect((await reached(id, "delivered", 2)).last.via).toBe(`smtp 127.0.0.1:${second.port}`);
  });
});

describe("a deleted policy", () => {
  it("sends waiting messages over its transports, and accepts no others", async () => {
    first.answerData(() => smtpReply(451, "4.7.1 greylisted"));
    const name = await put({ transports: [to(first)] });
    const id = await send(name);
    await reached(id, "deferred");
    await hermod.core.policies.deletePolicy({ name });
    const refused = await post(hermod, email({ routing_policy: name }));
    expect([refused.status, refused.problem?.code]).toEqual([422, "policy.unknown"]);
    first.answerData(undefined);
    await makeDue(hermod);
    expect((await reached(id, "delivered", 2)).last.via).toBe(`smtp 127.0.0.1:${first.port}`);
  });

  it("leaves them to a new policy of its name", async () => {
    first.answerData(() => smtpReply(451, "4.7.1 greylisted"));
    const name = await put({ transports: [to(first)] });
    const id = await send(name);
    await reached(id, "deferred");
    await hermod.core.policies.deletePolicy({ name });
    await put({ name, transports: [to(second)] });
    await makeDue(hermod);
    expect((await reached(id, "delivered", 2)).last.via).toBe(`smtp 127.0.0.1:${second.port}`);
  });
});

describe("the author of a policy", () => {
  /** As a member of the account would: the command line stores in the operator's name. */
  const givenToAccount = (name: string) =>
    withStore(hermod, (db) =>
      db.collection("policies").updateOne({ name }, { $set: { storedBy: "account" } }),
    );

  it("decides whether it may use private addresses: the operator may, an account may not", async () => {
    const name = await put({ transports: [to(first)] });
    await reached(await send(name), "delivered");
    await givenToAccount(name);
    const id = await send(name);
    const { last } = await reached(id, "deferred");
    expect(last).toMatchObject({ via: `smtp 127.0.0.1:${first.port}`, category: "network" });
    expect(first.connections()).toBe(1);
    // Stored again it is the operator's, for messages that are waiting too.
    await put({ name, transports: [to(first)] });
    await makeDue(hermod);
    await reached(id, "delivered", 2);
  });
});

describe("retries", () => {
  it("wait by the policy, repeating the last wait", async () => {
    first.answerData(() => smtpReply(451, "4.7.1 greylisted"));
    const name = await put({ transports: [to(first)], retry: { waitsSeconds: [600, 3_000] } });
    const id = await send(name);
    for (const [attempt, seconds] of [600, 3_000, 3_000].entries()) {
      const waited = await waitMs(id, attempt + 1);
      expect(waited).toBeGreaterThanOrEqual(seconds * 1000 - 1000);
      expect(waited).toBeLessThanOrEqual(seconds * 1100 + 1000);
      await makeDue(hermod);
    }
    first.answerData(undefined);
    await makeDue(hermod);
  });

  it("end at the policy's maximum age", async () => {
    first.answerData(() => smtpReply(451, "4.7.1 greylisted"));
    const name = await put({ transports: [to(first)], retry: { waitsSeconds: [60] }, maxAgeSeconds: 180 });
    const id = await send(name);
    await reached(id, "deferred");
    const age = (ms: number) =>
      withStore(hermod, (db) =>
        db
          .collection<{ _id: string }>("messages")
          .updateOne({ _id: id }, { $set: { createdAt: new Date(Date.now() - ms) } }),
      );
    await age(60_000);
    await makeDue(hermod);
    await reached(id, "deferred", 2);
    await age(150_000);
    await makeDue(hermod);
    expect((await reached(id, "expired", 3)).message.nextAttemptAt).toBeUndefined();
  });
});

describe("a source", () => {
  it("sets its name in EHLO, over connections that no other source shares", async () => {
    const transports = [to(first)];
    const plain = await put({ transports });
    const named = await put({ transports, source: { heloName: "out.example.com" } });
    for (const name of [plain, named, plain, named]) await reached(await send(name), "delivered");
    expect(heloNames.filter((name) => name === "out.example.com").length).toBe(2);
    expect(heloNames.length).toBe(4);
    expect(first.connections()).toBe(2);
  });
});

describe("a priority", () => {
  it("is set by the policy when the message is accepted", async () => {
    const name = await put({ transports: [to(first)], priority: "bulk" });
    const [bulk, plain] = [await send(name), await send(await put({ transports: [to(first)] }))];
    const stored = await withStore(hermod, (db) =>
      db
        .collection<{ _id: string; priority: string }>("messages")
        .find({ _id: { $in: [bulk, plain] } })
        .sort({ _id: 1 })
        .toArray(),
    );
    expect(stored.map(({ priority }) => priority)).toEqual(["bulk", "transactional"]);
  });
});
