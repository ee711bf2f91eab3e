import fc from "fast-check";
import { Binary, type Document, Long, MinKey, ObjectId } from "mongodb";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createDeliver, type Deliver } from "../../src/delivery/deliver.ts";
import { createCheckSuppression } from "../../src/delivery/queue/check-suppression.ts";
import { createLoadBody } from "../../src/delivery/queue/load-body.ts";
import { createQuarantine } from "../../src/delivery/queue/quarantine.ts";
import type { Transport } from "../../src/delivery/transports/transport.ts";
import { createLogger } from "../../src/shared/logger.ts";
import { isFinal } from "../../src/shared/message-state.ts";
import type { MessageDocument, QuarantineDocument } from "../../src/store/message-documents.ts";
import { messageFault } from "../../src/store/message-fault.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { testAudit } from "../harness/audit.ts";
import { queuedMessage } from "../harness/queued-message.ts";
import { repetitions } from "../harness/repetitions.ts";
import { testSealing } from "../harness/sealing.ts";
import { openTestStore, type TestStore } from "../harness/test-store.ts";
import { createTestTime, type TestTime } from "../harness/test-time.ts";
import { createTestWorker, passSecond, passUntil, type TestWorker } from "../harness/test-worker.ts";

const DAY_MS = 24 * 3_600_000;
const MINUTE_S = 60;
const BODY = "cnt_of_all";

let opened: TestStore;
let store: Store;
let time: TestTime;
let worker: TestWorker;
let quarantined: number;
/** Messages that were given to a server, each time. */
let sent: string[];
/** Called while a server has the message. */
let meanwhile: (messageId: string) => Promise<void>;

beforeAll(async () => {
  opened = await openTestStore();
  store = createStore(opened.db, testSealing);
});
afterAll(() => opened.close());
beforeEach(() => begin());
afterEach(() => worker.stop(0));

const now = () => time.clock.now();
const documents = () => opened.db.collection<Document & { _id: string }>("messages");

async function begin(): Promise<void> {
  time = createTestTime();
  quarantined = 0;
  sent = [];
  meanwhile = async () => undefined;
  for (const name of ["messages", "events", "partitions", "workers", "quarantine", "contents", "journal"]) {
    await opened.db.collection(name).deleteMany({});
  }
  const content = { from: { address: "ada@example.com" }, to: [], subject: "Hello", text: "Hello." };
  const createdAt = now();
  const expireAt = new Date(createdAt.getTime() + DAY_MS);
  const body = {
    kind: "composed",
    content: { ...content, replyTo: [], headers: [], attachments: [] },
  } as const;
  await store.acrossAccounts.contents.insertMany([
    { id: BODY, accountId: "acc_test", body, sizeBytes: 100, createdAt, expireAt },
  ]);
}

/** A real attempt, except for the server, which defers mail to `later@…` and accepts all other mail. */
function deliverTo(): Deliver {
  const { clock } = time;
  const transport: Transport = {
    deliver: async ({ message, mayFinish }) => {
      if (mayFinish?.() === false) return { kind: "abandoned", reply: { via: "test", detail: "left" } };
      sent.push(message._id);
      await meanwhile(message._id);
      if (message.recipient.startsWith("later"))
        return { kind: "deferred", reply: { via: "test", code: 450, detail: "450 later" } };
      return { kind: "delivered", reply: { via: "test", code: 250, detail: "250 ok" } };
    },
    close: () => undefined,
  };
  return createDeliver({
    checkSuppression: createCheckSuppression({ suppressions: store.acrossAccounts.suppressions, clock }),
    suppressionMs: DAY_MS,
    loadBody: createLoadBody({ contents: store.acrossAccounts.contents }),
    findPolicy: async (accountId, name) => ({
      _id: "p",
      accountId,
      name,
      default: true,
      transports: [{ kind: "sandbox" }],
      updatedAt: now(),
    }),
    findSigners: async () => [],
    returnPathOf: (message) => message.from,
    unsubscribeUrl: undefined,
    trackHtml: undefined,
    transportFor: () => transport,
    clock,
    maxAgeMs: DAY_MS,
    maxHops: 100,
    retentionMs: DAY_MS,
  });
}

async function startWorker(): Promise<void> {
  worker = createTestWorker({
    db: opened.db,
    time,
    deliver: deliverTo(),
    changes: {
      quarantine: createQuarantine({
        store: store.acrossAccounts,
        clock: time.clock,
        log: createLogger("silent"),
        retentionMs: DAY_MS,
        onQuarantined: () => quarantined++,
      }),
    },
  });
  await worker.start();
}

async function insert(count: number, changes: Partial<MessageDocument> = {}): Promise<string[]> {
  const messages = Array.from({ length: count }, (_, n) =>
    queuedMessage(now(), {
      contentId: BODY,
      keyId: "key_test",
      metadata: { order: "7" },
      tags: ["news"],
      template: { name: "welcome", version: 1 },
      tracking: { opens: false },
      source: "http",
      recipientDomain: `d${n % 7}.example.net`,
      ...changes,
    }),
  );
  await store.acrossAccounts.messages.insertMany(messages);
  return messages.map(({ _id }) => _id);
}

/** Moments of the damage in the life of a message. */
const moments = ["queued", "delivered", "deferred", "under way", "scheduled"] as const;
type Moment = (typeof moments)[number];

interface Damage {
  readonly moment: Moment;
  readonly field: string;
  readonly value: unknown;
}

const fields = [
  "bucket accountId keyId traceId operation source state from envelopeFrom recipient notify originalRecipient",
  "envelopeId returnContent utf8Header noticeOf resentFrom incidentId recipientDomain notDelivered subject policy contentId",
  "sizeBytes headerMessageId tags tags.0 metadata metadata.order template template.name template.version tracking",
  "tracking.opens engagement engagement.opened engagement.opened.count partition priority attempts category epoch",
  "held cancelRequestedAt cancelRequestedBy retriedBy nextAttemptAt sendAt idempotencyKey fingerprint createdAt",
  "updatedAt journal expireAt quarantinedAt",
].flatMap((line) => line.split(" "));

/** Marks a removed field. */
const MISSING = Symbol("missing");

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    MISSING,
    null,
    true,
    false,
    "",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    9e15,
    2 ** 53,
    0.1,
    -1,
  ),
  fc.constantFrom(
    Long.fromString("9007199254740993"),
    new MinKey(),
    new ObjectId(),
    new Binary(Buffer.from("x")),
  ),
  fc.constantFrom(new Date(0), new Date(-1), new Date(8.64e15), new Date(4e12), new Date()),
  fc.constantFrom(
    "delivered",
    "queued",
    "scheduled",
    "sending",
    "lost",
    "bulk",
    "urgent",
    "a\r\nb: c",
    "later@x.y",
  ),
  fc.integer(),
  fc.nat(2_000),
  fc.double(),
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.date({ noInvalidDate: true }),
  fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
  fc.dictionary(
    fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1 }),
    fc.oneof(fc.string(), fc.integer()),
  ),
);

const damage: fc.Arbitrary<Damage> = fc.record({
  moment: fc.constantFrom(...moments),
  field: fc.constantFrom(...fields),
  value,
});

/** Damages a stored field. The store refuses a field inside of a value without fields: nothing is damaged then. */
async function apply(id: string, { field, value }: Damage): Promise<void> {
  const update = value === MISSING ? { $unset: { [field]: "" } } : { $set: { [field]: value } };
  await documents()
    .updateOne({ _id: id }, update)
    .catch(() => undefined);
}

const later = { recipient: "later@example.net", recipientDomain: "example.net" };
const inAnHour = () => new Date(now().getTime() + 3_600_000);
const before: Readonly<Record<Moment, () => Partial<MessageDocument>>> = {
  queued: () => ({}),
  delivered: () => ({}),
  deferred: () => later,
  "under way": () => ({}),
  scheduled: () => ({ state: "scheduled", sendAt: inAnHour(), nextAttemptAt: inAnHour() }),
};

/** Fault of a message a minute later; undefined: none. */
function outcome(message: Document | null, isNoted: boolean, sends: number): string | undefined {
  if (sends > 1) return `it was sent ${sends} times`;
  if (!message) return undefined;
  const { state, nextAttemptAt, quarantinedAt } = message;
  if (isNoted) return nextAttemptAt === undefined ? undefined : "it is quarantined, and in the queue";
  if (nextAttemptAt instanceof Date && nextAttemptAt > now()) {
    const isFar = Number(nextAttemptAt) - Number(now()) > 60 * DAY_MS;
    return isFar && Number(nextAttemptAt) !== Number(message.sendAt) ? "it waits for ever" : undefined;
  }
  // If the next attempt came due in this minute, the message has the next minute for it.
  const isJustDue = nextAttemptAt instanceof Date && Number(now()) - Number(nextAttemptAt) < MINUTE_S * 1_000;
  if (isJustDue) return undefined;
  if (nextAttemptAt !== undefined) return "it is due, and stays in the queue";
  if (["queued", "scheduled", "deferred"].includes(state) && quarantinedAt === undefined)
    return "it waits, and nothing finds it";
  return undefined;
}

it("sends a message with a damaged field at most once more, or quarantines and counts it within a minute", async () => {
  await startWorker();
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 60 }), async (damages) => {
      const ids = await Promise.all(
        damages.map(async ({ moment }) => (await insert(1, before[moment]()))[0] ?? ""),
      );
      const healthy = await insert(5);
      const damageOf = new Map(ids.map((id, n) => [id, damages[n] as Damage]));
      const early = ids.filter((id) => ["queued", "scheduled"].includes(damageOf.get(id)?.moment ?? ""));
      const whileUnderWay = new Set(ids.filter((id) => damageOf.get(id)?.moment === "under way"));
      const sentBefore = new Map<string, number>();
      const hit = async (id: string) => {
        sentBefore.set(id, sent.filter((one) => one === id).length);
        await apply(id, damageOf.get(id) as Damage);
      };
      meanwhile = async (id) => {
        if (whileUnderWay.delete(id)) await hit(id);
      };
      for (const id of early) await hit(id);
      await passSecond(time, [worker]);
      await passUntil(
        time,
        () => [worker],
        async () => {
          const waiting = ids.filter((id) =>
            ["delivered", "deferred"].includes(damageOf.get(id)?.moment ?? ""),
          );
          const ended = { _id: { $in: waiting }, attempts: 1 };
          return (await documents().countDocuments(ended)) === waiting.length;
        },
      );
      for (const id of ids) if (!sentBefore.has(id) && !whileUnderWay.has(id)) await hit(id);
      const counted = quarantined;
      const noted = async () =>
        new Set(
          (await store.acrossAccounts.quarantine.list({ afterId: undefined, limit: 10_000 })).map(
            ({ _id }) => _id,
          ),
        );
      for (let second = 0; second < MINUTE_S; second++) await passSecond(time, [worker]);
      const notes = await noted();
      const wrong: string[] = [];
      for (const [id, one] of damageOf) {
        const sends = sent.filter((each) => each === id).length - (sentBefore.get(id) ?? 0);
        const found = await documents().findOne({ _id: id });
        const reason = outcome(found, notes.has(id), sends);
        if (reason) wrong.push(`${one.moment}, ${one.field}: ${String(one.value)}: ${reason}`);
      }
      expect(wrong).toEqual([]);
      expect(quarantined).toBeGreaterThanOrEqual(counted);
      expect(notes.size).toBe(quarantined);
      const neighbours = await store.acrossAccounts.messages.findByIds(healthy);
      expect(neighbours.map(({ state }) => state)).toEqual(healthy.map(() => "delivered"));
    }),
    { numRuns: repetitions(6, 12) },
  );
}, 240_000);

/** Damages of messages that earlier releases sent without end, or silently left in the queue. */
const known: readonly Damage[] = [
  { moment: "delivered", field: "nextAttemptAt", value: new Date() },
  { moment: "scheduled", field: "epoch", value: 9e15 },
  { moment: "queued", field: "priority", value: "urgent" },
  { moment: "queued", field: "partition", value: 5_000 },
  { moment: "queued", field: "partition", value: "7" },
  { moment: "queued", field: "nextAttemptAt", value: MISSING },
  { moment: "scheduled", field: "nextAttemptAt", value: "soon" },
  { moment: "scheduled", field: "nextAttemptAt", value: new Date(4e12) },
  { moment: "queued", field: "attempts", value: 2 ** 53 },
  { moment: "queued", field: "attempts", value: 0.1 },
  { moment: "queued", field: "sizeBytes", value: Number.POSITIVE_INFINITY },
  { moment: "queued", field: "bucket", value: { a: 1 } },
  { moment: "under way", field: "epoch", value: 9e15 },
  { moment: "under way", field: "bucket", value: 0 },
  { moment: "under way", field: "bucket", value: "delivered" },
  { moment: "queued", field: "metadata", value: null },
];

it.each(known)(
  "quarantines and counts a message ($moment) with $field: $value, and does not send it again",
  async (one) => {
    await startWorker();
    const [id = ""] = await insert(1, before[one.moment]());
    if (one.moment === "delivered") {
      await passUntil(
        time,
        () => [worker],
        () => sent.length === 1,
      );
      await passUntil(
        time,
        () => [worker],
        async () => isFinal((await documents().findOne({ _id: id }))?.state),
      );
    }
    const sends = sent.length;
    if (one.moment === "under way") meanwhile = () => apply(id, one);
    else await apply(id, one);
    if (one.field === "epoch" && one.moment === "scheduled")
      await documents().updateOne({ _id: id }, { $set: { nextAttemptAt: now() } });
    let seconds = 0;
    await passUntil(
      time,
      () => [worker],
      () => quarantined > 0 || seconds++ > MINUTE_S,
    );
    const mayBeSent = one.moment === "under way" ? 1 : 0;
    expect({ quarantined, sends: sent.length - sends }).toEqual({ quarantined: 1, sends: mayBeSent });
    for (let second = 0; second < MINUTE_S; second++) await passSecond(time, [worker]);
    expect({ quarantined, sends: sent.length - sends }).toEqual({ quarantined: 1, sends: mayBeSent });
  },
);

it("sends a released message with a damaged epoch", async () => {
  await startWorker();
  const [id = ""] = await insert(1);
  await documents().updateOne({ _id: id }, { $set: { epoch: 9e15 } });
  await passUntil(
    time,
    () => [worker],
    () => quarantined === 1,
  );
  const note = await store.acrossAccounts.quarantine.find(id);
  await store.acrossAccounts.quarantine.release(note as QuarantineDocument, now(), testAudit);
  await passUntil(
    time,
    () => [worker],
    () => sent.length === 1,
  );
  expect(messageFault((await documents().findOne({ _id: id })) as never)).toBeUndefined();
});
