import { newId, newIdInBucket } from "../../dist/src/shared/ids.js";
import { marksOf } from "../../dist/src/store/request-store.js";
import { sampleMessage, WORDS } from "./sample-message.js";

const DAYS = 30;
const DAY_MS = 86_400_000;
const TOGETHER = 4;
const BATCH = 64;
const COMPACTED = BATCH * TOGETHER * 64;
const WEBHOOKS_MAX = 20;

/** @typedef {import("./fill-lists.js").Filler} Filler */
/** @typedef {import("./fill-lists.js").FillContext} FillContext */

const later = (/** @type {FillContext} */ { now }) => new Date(now.getTime() + 60 * DAY_MS);
const momentOf = (/** @type {FillContext} */ { now }, /** @type {number} */ share) =>
  new Date(now.getTime() - (1 - share) * DAYS * DAY_MS);

/** @param {number} number */
function stateOf(number) {
  const rare = number % 1_000;
  if (rare < 30) return "bounced";
  if (rare < 40) return "deferred";
  if (rare < 45) return "complained";
  if (rare < 60) return "suppressed";
  if (rare < 65) return "queued";
  if (rare < 100) return "captured";
  return "delivered";
}

/** @param {FillContext} context @param {number} number @param {Date} at */
function message(context, number, at) {
  const { filled, now } = context;
  const state = stateOf(number);
  const waits = state === "queued" || state === "deferred";
  return {
    ...sampleMessage(number, at, state),
    accountId: filled.accountId,
    keyId: filled.keyId,
    attempts: state === "queued" ? 0 : 1,
    ...(waits ? { nextAttemptAt: new Date(now.getTime() + 30 * DAY_MS) } : { expireAt: later(context) }),
  };
}

/** @param {FillContext} context @param {any} message */
const eventOf = (context, { _id, bucket, accountId, traceId, state, attempts, createdAt: at }) => ({
  _id: `${_id}.${attempts}.${state}`,
  bucket,
  messageId: _id,
  accountId,
  traceId,
  kind: state,
  attempt: attempts,
  at,
  expireAt: later(context),
  replyCode: 250,
  detail: "2.0.0 Ok: queued as 4Xyz",
});

/** @param {FillContext} context @param {number} count @param {number} from @param {number} size */
async function addMessages(context, count, from, size) {
  const { store, filled } = context;
  const parts = Array.from({ length: Math.ceil(size / BATCH) }, (_, part) => {
    const first = from + part * BATCH;
    return Array.from({ length: Math.min(BATCH, from + size - first) }, (_, index) =>
      message(context, first + index, momentOf(context, (first + index) / count)),
    );
  });
  await Promise.all(
    parts.map(async (part) => {
      await store.acrossAccounts.messages.insertMany(/** @type {any} */ (part));
      const events = part.filter(({ attempts }) => attempts > 0).map((one) => eventOf(context, one));
      await context.db.collection("events").insertMany(/** @type {any} */ (events));
    }),
  );
  filled.messageId = parts.at(-1)?.at(-1)?._id ?? "";
  filled.traceId = parts.at(-1)?.at(-1)?.traceId ?? "";
  if ((from + size) % COMPACTED === 0 || from + size >= count)
    await store.acrossAccounts.search.compact(new Date(), new AbortController().signal);
}

/** Mail and what follows from it. @param {number} messages @param {number} entries @returns {Filler[]} */
export function mailFillers(messages, entries) {
  const reasons = /** @type {const} */ (["hard_bounce", "manual", "unsubscribe", "complaint"]);
  return [
    {
      name: "captured mail",
      count: entries,
      step: 100,
      fill: async (context, from, size) => {
        const { store, filled } = context;
        const captured = Array.from({ length: size }, (_, index) => {
          const capturedAt = momentOf(context, (from + index) / entries);
          const id = newIdInBucket("msg", capturedAt, (from + index) % 65_536);
          filled.capturedId = id;
          const subject = `${WORDS[(from + index) % 13]} ${from + index}`;
          const envelopeTo = [`person${from + index}@mail${index % 50}.example`];
          const source = Buffer.from(
            `Subject: ${subject}\r\nTo: ${envelopeTo}\r\n\r\n${"Hello. ".repeat(500)}`,
          );
          return {
            id,
            accountId: filled.accountId,
            traceId: "sx_1",
            envelopeFrom: "a@shop.example",
            envelopeTo,
            from: "a@shop.example",
            subject,
            source,
            capturedAt,
            expireAt: later(context),
          };
        });
        await store.acrossAccounts.sandbox.insertMissing(/** @type {any} */ (captured));
      },
    },
    {
      name: "messages",
      count: messages,
      step: BATCH * TOGETHER,
      fill: (context, from, size) => addMessages(context, messages, from, size),
    },
    {
      name: "suppressions",
      count: entries,
      step: 250,
      fill: async ({ account, now, audit, filled }, from, size) => {
        const entriesOf = Array.from({ length: size }, (_, index) => {
          const number = from + index;
          const address = `person${number}@mail${number % 200}.example`;
          const at = new Date(now.getTime() - number * 60_000);
          const scope = number % 5 === 0 ? { policy: "default" } : {};
          return {
            addressKey: address,
            address,
            reason: reasons[number % 4],
            createdAt: at,
            ...scope,
            messageId: filled.messageId,
          };
        });
        await account.suppressions.addMany(/** @type {any} */ (entriesOf), now, audit("suppression.add"));
      },
    },
    {
      name: "entries of the request log",
      count: entries,
      step: 250,
      fill: async (context, from, size) => {
        const { store, filled } = context;
        const documents = Array.from({ length: size }, (_, index) => {
          const at = new Date(momentOf(context, (from + index) / entries).getTime());
          const failed = (from + index) % 20 === 0;
          const entry = {
            at,
            keyId: filled.keyId,
            method: "POST",
            route: "/v1/email/send",
            status: failed ? 422 : 202,
            ...(failed && { code: "request.validation_failed" }),
            traceId: newId("sx", at),
            durationMs: 4,
            clientAddress: "192.0.2.9",
            bodyBytes: 4_096,
          };
          return {
            _id: newId("req", at),
            accountId: filled.accountId,
            entries: [entry],
            marks: marksOf([entry]),
            expireAt: later(context),
          };
        });
        await store.acrossAccounts.requests.insertMissing(/** @type {any} */ (documents));
      },
    },
    {
      name: "webhooks",
      count: Math.min(entries, WEBHOOKS_MAX),
      step: 1,
      fill: async ({ account, now, filled, audit }, from) => {
        const _id = newId("wep", now);
        filled.endpointId ??= _id;
        const endpoint = {
          _id,
          url: `https://receiver.example/${from}`,
          description: `Receiver ${from}`,
          headers: [],
          secrets: [],
        };
        const stored = { ...endpoint, version: "2026-11-01", createdAt: now, updatedAt: now, revision: 1 };
        await account.webhooks.add(/** @type {any} */ (stored), audit("webhook.create"));
      },
    },
    {
      name: "webhook deliveries",
      count: entries,
      step: 250,
      fill: async (context, from, size) => {
        const { db, filled } = context;
        const deliveries = Array.from({ length: size }, (_, index) => {
          const number = from + index;
          const [at, eventId] = [
            momentOf(context, number / entries),
            `msg_${context.run}_${number}.1.delivered`,
          ];
          const messageId = number % 250 === 0 ? filled.messageId : `msg_${context.run}_${number}`;
          const state = number % 10 === 0 ? "failed" : "delivered";
          return {
            _id: `${filled.endpointId}.${eventId}`,
            accountId: filled.accountId,
            endpointId: filled.endpointId,
            eventId,
            messageId,
            type: "message.delivered",
            at,
            state,
            attempts: 1,
            tries: [{ at, outcome: state, durationMs: 20, status: 200 }],
            body: "{}",
            endedAt: at,
            expireAt: later(context),
          };
        });
        await db.collection("webhookDeliveries").insertMany(/** @type {any} */ (deliveries));
      },
    },
  ];
}
