import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createFollowers } from "../../src/core/events/followers.ts";
import { createReadEvents } from "../../src/core/events/read-events.ts";
import { createWatchEvents } from "../../src/core/events/watch-events.ts";
import { createComposePayloads } from "../../src/events/compose-payloads.ts";
import { messageEvent } from "../../src/events/message-event.ts";
import { newIdInBucket } from "../../src/shared/ids.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { expectPayload } from "../harness/expect-payload.ts";
import { type Identity, openIdentity } from "../harness/identity.ts";
import { messageDocument } from "../harness/message-document.ts";
import { damage, invalidUtf8 } from "../harness/raw-documents.ts";
import { testSealing } from "../harness/sealing.ts";

let identity: Identity;
let accountId: string;
let begin: string;
beforeAll(async () => {
  identity = await openIdentity();
});
afterAll(() => identity.close());
beforeEach(async () => {
  accountId = await identity.openAccount("Shop");
  begin = await end();
});

const { messages, events, journal } = {
  messages: () => identity.store.acrossAccounts.messages,
  events: () => identity.store.acrossAccounts.events,
  journal: () => identity.store.acrossAccounts.journal,
};
const list = (request: object) => identity.operator.events.listEvents(request);
const ids = ({ events: found }: { events: readonly { id: string }[] }) => found.map(({ id }) => id);

/** Cursor after all events so far. */
async function end(): Promise<string> {
  let cursor = "";
  for (;;) {
    const page = await list({ after: cursor, pageSize: 100 });
    cursor = page.cursor;
    if (!page.hasMore) return cursor;
  }
}

const fold = () => journal().fold(new Date());

async function accept(changes: Partial<MessageDocument> = {}, store = messages()): Promise<MessageDocument> {
  const at = new Date();
  const message = messageDocument({
    _id: newIdInBucket("msg", at, 1),
    accountId,
    createdAt: at,
    ...changes,
  });
  await store.insertMany([message]);
  return message;
}

async function deliver(message: MessageDocument): Promise<void> {
  const at = new Date();
  const expireAt = new Date(at.getTime() + 3_600_000);
  const reply = { detail: "2.0.0 Ok" };
  await events().insertMissing([
    messageEvent(message, { kind: "delivered", attempt: 1, at, expireAt, reply }),
  ]);
}

describe("the list of events", () => {
  it("contains the events of webhooks, of accounts without endpoints, in one order", async () => {
    const message = await accept({ tags: ["shop"], policy: "news" });
    await fold();
    await deliver(message);
    await fold();
    const entry = { addressKey: "ada@example.org", address: "ada@example.org", createdAt: new Date() };
    await identity.store.forAccount(accountId).suppressions.add({ ...entry, reason: "manual" }, testAudit);
    const found = await list({ after: begin });
    expect(found.events.map(({ type, messageId }) => [type, messageId])).toEqual([
      ["message.accepted", message._id],
      ["message.delivered", message._id],
      ["suppression.created", ""],
    ]);
    for (const { id, type, payload, accountId: whose } of found.events) {
      const told = JSON.parse(payload);
      expectPayload(told);
      expect(told).toMatchObject({ id, type, account_id: accountId });
      expect(whose).toBe(accountId);
    }
    expect(JSON.parse(found.events[1]?.payload ?? "")).toMatchObject({
      data: { sequence: 2, tags: ["shop"] },
    });
    expect(found.hasMore).toBe(false);
    expect(await list({ after: found.cursor })).toMatchObject({ events: [], cursor: found.cursor });
  });

  it("continues after each cursor, also within one document", async () => {
    const sent = await Promise.all(Array.from({ length: 7 }, () => accept()));
    await fold();
    sent.push(await accept());
    await fold();
    const seen: string[] = [];
    let after = begin;
    for (;;) {
      const page = await list({ after, pageSize: 3 });
      seen.push(...ids(page));
      expect(page.events.length).toBeLessThanOrEqual(3);
      after = page.cursor;
      if (!page.hasMore) break;
    }
    expect(seen.sort()).toEqual(sent.map(({ _id }) => `${_id}.0.accepted`).sort());
  });

  it("contains only matching events", async () => {
    const one = await accept({ tags: ["shop"], policy: "news" });
    const other = await accept({ tags: ["blog"], policy: "default" });
    const foreign = await accept({ accountId: "acc_other", tags: ["shop"] });
    await deliver(one);
    await fold();
    const entry = { addressKey: "eve@example.org", address: "eve@example.org", createdAt: new Date() };
    await identity.store.forAccount(accountId).suppressions.add({ ...entry, reason: "manual" }, testAudit);
    const chosen = async (filter: object) => ids(await list({ after: begin, filter })).sort();
    const accepted = (...from: MessageDocument[]) => from.map(({ _id }) => `${_id}.0.accepted`).sort();
    expect(await chosen({ tags: ["shop"], types: ["message.accepted"] })).toEqual(accepted(one, foreign));
    expect(await chosen({ accountId, types: ["message.accepted"] })).toEqual(accepted(one, other));
    expect(await chosen({ routingPolicies: ["news"], accountId })).toEqual([
      `${one._id}.0.accepted`,
      `${one._id}.1.delivered`,
    ]);
    expect(await chosen({ types: ["suppression.created"], tags: ["shop"] })).toEqual([]);
    expect(await chosen({ types: ["suppression.created"], accountId })).toHaveLength(1);
    expect(await chosen({ accountId: "acc_nobody" })).toEqual([]);
  });

  it("begins with events at or after a time", async () => {
    await accept();
    await fold();
    const from = new Date(Date.now() + 1);
    await expect.poll(() => Date.now()).toBeGreaterThan(from.getTime());
    const second = await accept();
    await fold();
    const found = await list({ from: timestampFromDate(from), filter: { accountId } });
    expect(ids(found)).toEqual([`${second._id}.0.accepted`]);
    const later = timestampFromDate(new Date(Date.now() + 3_600_000));
    expect(await list({ from: later })).toMatchObject({ events: [], cursor: await end() });
  });

  it("omits events of messages that were removed since", async () => {
    const gone = await accept();
    const kept = await accept();
    await fold();
    await identity.db.collection<{ _id: string }>("messages").deleteOne({ _id: gone._id });
    expect(ids(await list({ after: begin }))).toEqual([`${kept._id}.0.accepted`]);
  });

  it("skips damaged documents", async () => {
    const sent = [];
    for (let n = 0; n < 10; n++) {
      sent.push(await accept());
      await fold();
    }
    const log = identity.db.collection<{ _id: string }>("eventLog");
    const written = await log.find().sort({ _id: -1 }).limit(10).toArray();
    // More than are read at once.
    for (const { _id } of written.slice(1)) {
      await log.updateOne({ _id }, { $set: { damaged: "damaged!" } });
      await damage(identity.db, "eventLog", _id, invalidUtf8("damaged!"));
    }
    expect(ids(await list({ after: begin }))).toEqual([`${sent[9]?._id}.0.accepted`]);
    await log.deleteMany({ _id: { $in: written.map(({ _id }) => _id) } });
  });

  it("refuses an invalid request with all its errors", async () => {
    const types = ["message.eaten", ...Array.from({ length: 30 }, () => "message.opened")];
    const asked = { after: "later", pageSize: 101, filter: { types, tags: ["x".repeat(300)] } };
    await expect(list({ ...asked, from: timestampFromDate(new Date()) })).rejects.toMatchObject({
      code: "request.validation_failed",
      errors: [
        { pointer: "/after" },
        { pointer: "/filter/types" },
        { pointer: "/filter/types/0" },
        { pointer: "/filter/tags/0" },
        { pointer: "/page_size" },
        { pointer: "/from" },
      ],
    });
  });

  it("reports that an event after the cursor is no longer stored, or never was", async () => {
    await accept();
    await fold();
    await accept();
    await fold();
    const log = identity.db.collection<{ _id: string }>("eventLog");
    const [oldest] = await log.find().sort({ _id: 1 }).limit(1).toArray();
    await log.deleteOne({ _id: oldest?._id ?? "" });
    const before = `${Number(oldest?._id) - 1}.0`;
    const gone = { code: "event.cursor_gone" };
    await expect(list({ after: before })).rejects.toMatchObject(gone);
    await expect(list({ after: "999999.0" })).rejects.toMatchObject(gone);
    expect(ids(await list({ after: `${Number(oldest?._id)}.0`, filter: { accountId } }))).not.toEqual([]);
  });
});

describe("a service that follows the log", () => {
  const watch = (followers = createFollowers()) => {
    const { eventLog, ...others } = identity.store.acrossAccounts;
    const read = createReadEvents({ eventLog, composePayloads: createComposePayloads(others) });
    return createWatchEvents({ events: read, followers, clock: { monotonicMs: () => performance.now() } });
  };
  const request = (after = "", filter = {}) =>
    ({ after, filter: { accountId: "", types: [], tags: [], routingPolicies: [], ...filter } }) as never;

  it("receives every event once while several processes write, and misses none when it continues at a cursor", async () => {
    const stores = [identity.store, createStore(identity.db, testSealing)];
    const sent: string[] = [];
    let isOver = false;
    const write = async (store: (typeof stores)[number]) => {
      for (let turn = 0; turn < 15; turn++) {
        const { _id } = await accept({}, store.acrossAccounts.messages);
        sent.push(`${_id}.0.accepted`);
        await store.acrossAccounts.journal.fold(new Date());
      }
    };
    const writing = Promise.all([...stores, ...stores].map(write)).then(() => {
      isOver = true;
    });
    const seen: string[] = [];
    let after = begin;
    const watchEvents = watch();
    while (!isOver || seen.length < sent.length) {
      const controller = new AbortController();
      let answers = 0;
      for await (const page of watchEvents(request(after, { accountId }), { signal: controller.signal })) {
        seen.push(...(page.events ?? []).map(({ id }) => id ?? ""));
        after = page.cursor ?? "";
        // The client disconnects repeatedly.
        if (++answers === 3 || (isOver && seen.length >= sent.length)) break;
      }
      controller.abort();
    }
    await writing;
    expect(seen.sort()).toEqual(sent.sort());
  });

  it("receives events from now on without a cursor", async () => {
    await accept();
    await fold();
    const stream = watch()(request(), { signal: new AbortController().signal });
    const first = await stream.next();
    expect(first.value).toEqual({ cursor: await end() });
    const message = await accept();
    await fold();
    const second = await stream.next();
    expect(second.value?.events).toMatchObject([{ id: `${message._id}.0.accepted` }]);
    await stream.return();
  });

  it("is disconnected when the process ends, and one too many is refused", async () => {
    const followers = createFollowers();
    const watchEvents = watch(followers);
    const streams = Array.from({ length: 50 }, () =>
      watchEvents(request(), { signal: new AbortController().signal }),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    const another = () => watchEvents(request(), { signal: new AbortController().signal }).next();
    await expect(another()).rejects.toMatchObject({ code: "live.full" });
    await streams[0]?.return();
    streams[0] = watchEvents(request(), { signal: new AbortController().signal });
    await streams[0].next();
    const ended = streams.map((stream) =>
      stream.next().then(
        () => "told",
        ({ code }) => code,
      ),
    );
    followers.close();
    expect(new Set(await Promise.all(ended))).toEqual(new Set(["core.unavailable"]));
    await expect(another()).rejects.toMatchObject({ code: "core.unavailable" });
  });
});
