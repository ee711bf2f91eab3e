import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RecordHitsRequestSchema } from "../../gen/hermod/tracking/v1/tracking_service_pb.ts";
import { EVENTS_OF_KIND } from "../../src/core/tracking/hit-recorder.ts";
import { createRecordHits } from "../../src/core/tracking/record-hits.ts";
import type { MessageFilter } from "../../src/message/search/filter.ts";
import { createTrackingTokens, type TrackedHit } from "../../src/message/tracking/token.ts";
import type { MessageDocument } from "../../src/store/message-documents.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";

const DAY_MS = 24 * 3_600_000;
const READER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.5.0";
const tokens = createTrackingTokens(Buffer.alloc(32, 1));

let opened: TestStore;
let store: Store;
let message: MessageDocument;
/** Time of the message's delivery. */
let delivered: Date;
let hitNumber = 0;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(async () => {
  delivered = new Date(Date.now() - 60_000);
  message = await stored({ state: "delivered", updatedAt: delivered });
});

async function stored(changes: Partial<MessageDocument>): Promise<MessageDocument> {
  const document = queuedMessage(delivered, changes);
  await store.acrossAccounts.messages.insertMany([document]);
  return document;
}

interface NewHit {
  readonly id?: string;
  readonly of?: TrackedHit;
  readonly token?: string;
  readonly afterMs?: number;
  readonly userAgent?: string;
  readonly prefetch?: boolean;
}

const opens = (): TrackedHit => ({ kind: "opened", messageId: message._id });
const clicks = (target: string): TrackedHit => ({ kind: "clicked", messageId: message._id, target });

function record(hits: readonly NewHit[], { keepUserAgents = true, keepClientAddresses = false } = {}) {
  const clock = { now: () => new Date() };
  const settings = { keepUserAgents, keepClientAddresses, tokens, clock, retentionMs: DAY_MS };
  const recordHits = createRecordHits({ store, ...settings });
  return recordHits(
    create(RecordHitsRequestSchema, {
      hits: hits.map(({ of = opens(), afterMs = 30_000, userAgent = READER, ...hit }) => ({
        id: `h${hitNumber++}`,
        token: tokens.encode(of),
        at: timestampFromDate(new Date(delivered.getTime() + afterMs)),
        userAgent,
        clientAddress: "192.0.2.7",
        ...hit,
      })),
    }),
  );
}

const events = () => store.acrossAccounts.events.listOfMessage(message._id);
const engagement = async () => (await store.acrossAccounts.messages.findById(message._id))?.engagement;

async function foundBy(filter: Pick<MessageFilter, "opened" | "clicked">): Promise<boolean> {
  const { messages } = store.forAccount(message.accountId);
  const found = await messages.list({ filter, limit: 1_000 });
  return found.messages.some(({ _id }) => _id === message._id);
}

describe("opens and clicks", () => {
  it("make a message findable that a person opened, and none that only programs opened", async () => {
    expect([await foundBy({ opened: true }), await foundBy({ opened: false })]).toEqual([false, true]);
    await record([{ userAgent: "Mozilla/5.0", afterMs: 5_000 }]);
    expect([await foundBy({ opened: true }), await foundBy({ opened: false })]).toEqual([false, true]);
    await record([{ afterMs: 10_000 }]);
    expect([await foundBy({ opened: true }), await foundBy({ opened: false })]).toEqual([true, false]);
    expect([await foundBy({ clicked: true }), await foundBy({ clicked: false })]).toEqual([false, true]);
    await record([{ of: clicks("https://example.com/"), afterMs: 60_000 }]);
    expect(await foundBy({ opened: true, clicked: true })).toBe(true);
  });

  it("are events of the message, one of which is the first by a person, and do not change its state", async () => {
    expect(
      await record([
        { userAgent: "Mozilla/5.0", afterMs: 5_000 },
        { afterMs: 10_000 },
        { afterMs: 20_000 },
        { of: clicks("https://example.com/a?b"), afterMs: 25_000 },
      ]),
    ).toEqual({ recorded: 4, leftOut: 0 });
    const told = (await events()).map(({ kind, attempt, accountId, traceId, hit }) => ({
      kind,
      attempt,
      hit,
      isOfMessage: accountId === message.accountId && traceId === message.traceId,
    }));
    const of = { attempt: 0, isOfMessage: true };
    expect(told).toEqual([
      { ...of, kind: "opened", hit: { machineReason: "apple_mail_privacy", userAgent: "Mozilla/5.0" } },
      { ...of, kind: "opened", hit: { first: true, userAgent: READER } },
      { ...of, kind: "opened", hit: { userAgent: READER } },
      { ...of, kind: "clicked", hit: { first: true, url: "https://example.com/a?b", userAgent: READER } },
    ]);
    expect(await engagement()).toMatchObject({
      opened: { count: 3, machineCount: 1, first: { at: new Date(delivered.getTime() + 10_000) } },
      clicked: { count: 1 },
    });
    const after = await store.acrossAccounts.messages.findById(message._id);
    expect([after?.state, after?.updatedAt]).toEqual(["delivered", delivered]);
  });

  it("that are reported twice are one event, and the first stays the first", async () => {
    await record([{ id: "again" }]);
    await record([{ id: "again" }]);
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ _id: `${message._id}.0.opened-again`, hit: { first: true } });
  });

  it("are stored up to a limit, and counted beyond it; the first by a person is always stored", async () => {
    const machines = Array.from({ length: EVENTS_OF_KIND + 5 }, () => ({ userAgent: "" }));
    await record(machines);
    await record([{}, {}]);
    const found = await events();
    expect(found).toHaveLength(EVENTS_OF_KIND + 1);
    expect(found.filter(({ hit }) => hit?.first)).toHaveLength(1);
    expect(await engagement()).toMatchObject({
      opened: { count: EVENTS_OF_KIND + 7, machineCount: EVENTS_OF_KIND + 5 },
    });
  });

  it("of several links within a second are attributed to a program, of one link twice to a person", async () => {
    await record([
      { of: clicks("https://example.com/a"), afterMs: 10_000 },
      { of: clicks("https://example.com/a"), afterMs: 10_300 },
      { of: clicks("https://example.com/b"), afterMs: 10_600 },
    ]);
    await record([{ of: clicks("https://example.com/c"), afterMs: 10_900 }]);
    await record([{ of: clicks("https://example.com/d"), afterMs: 20_000 }]);
    expect((await events()).map(({ hit }) => hit?.machineReason)).toEqual([
      undefined,
      undefined,
      "many_links",
      "many_links",
      undefined,
    ]);
  });

  it("during or just after delivery are attributed to a program", async () => {
    await record([{ afterMs: -1 }, { afterMs: 500 }]);
    expect((await events()).map(({ hit }) => hit?.machineReason)).toEqual(["before_delivery", "too_early"]);
    message = await stored({ state: "queued", updatedAt: delivered });
    await record([{ afterMs: 3_600_000 }]);
    expect((await events()).map(({ hit }) => hit?.machineReason)).toEqual(["before_delivery"]);
  });

  it("of a message that bounced later are not changed", async () => {
    message = await stored({ state: "complained", updatedAt: new Date() });
    await record([{ afterMs: 10_000 }]);
    expect((await events()).map(({ hit }) => hit)).toEqual([{ first: true, userAgent: READER }]);
  });

  it("by two clients at once have a single first one", async () => {
    await Promise.all([record([{}]), record([{}]), record([{}])]);
    expect((await events()).filter(({ hit }) => hit?.first)).toHaveLength(1);
    expect((await engagement())?.opened?.count).toBe(3);
  });
});

describe("stored data of clients", () => {
  it("follows the settings", async () => {
    const all = { keepUserAgents: true, keepClientAddresses: true };
    await record([{ userAgent: `a\r\nb\u0000${"c".repeat(1_000)}` }], all);
    await record([{}], { keepUserAgents: false });
    const [kept, hidden] = (await events()).map(({ hit }) => hit);
    expect(kept).toMatchObject({ clientAddress: "192.0.2.7" });
    expect(kept?.userAgent).toMatch(/^a +b +c+/);
    expect(kept?.userAgent?.length).toBeLessThanOrEqual(300);
    expect(hidden).toEqual({});
  });
});

describe("hits", () => {
  it("of unknown messages or with invalid tokens are omitted, and the others are not", async () => {
    const gone: TrackedHit = { kind: "opened", messageId: "msg_01k9z4c3r8h2v6y0n5t7w1x3q9" };
    const answer = await record([{ of: gone }, { token: "x" }, {}]);
    expect(answer).toEqual({ recorded: 1, leftOut: 2 });
    expect(await events()).toHaveLength(1);
  });

  it("with invalid ids, or too many of them, are refused completely", async () => {
    await expect(record([{ id: "a.b" }, {}])).rejects.toMatchObject({
      errors: [{ pointer: "/hits/0/id", code: "field.invalid" }],
    });
    await expect(record(Array.from({ length: 501 }, () => ({})))).rejects.toMatchObject({
      errors: [{ pointer: "/hits", code: "field.too_many" }],
    });
    expect(await events()).toEqual([]);
    expect(await engagement()).toBeUndefined();
  });
});
