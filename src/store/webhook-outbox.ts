import type { ClientSession, Db } from "mongodb";
import { webhookTypeOf } from "../shared/webhook-types.ts";
import type { EventLog } from "./event-log.ts";
import { insertMissing } from "./insert-missing.ts";
import { eventIdOf, type JournalEntry } from "./journal/journal-documents.ts";
import type { NoteDeliveries } from "./journal/note-deliveries.ts";
import { readEach } from "./read-each.ts";
import { guarded, isDuplicateKey, storeFault } from "./store-fault.ts";
import {
  type OutboxEvent,
  WEBHOOK_SLOTS,
  type WebhookDeliveryDocument,
  webhookCollections,
  webhookDeliveryId,
} from "./webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "./webhook-documents.ts";

type Queues = ReturnType<typeof webhookCollections>["lanes"];

/** Fields that determine which events an endpoint receives. */
type Listener = Pick<
  WebhookEndpointDocument,
  "_id" | "accountId" | "types" | "tags" | "policies" | "disabled" | "createdAt"
>;

/** Batch size. Storing of mail waits while a batch is written. */
const AT_ONCE = 250;
const DAY_MS = 86_400_000;
/** Retention of deliveries: attempts end after four days, which leaves time to inspect and replay them. */
const KEPT_MS = 30 * DAY_MS;

export interface WebhookOutbox {
  /**
   * Creates the deliveries of message events to subscribed endpoints. Idempotent.
   * @throws Fault store.unavailable: some may exist
   */
  add(happened: readonly JournalEntry[]): Promise<void>;
  /**
   * Creates the deliveries of changes, and adds the changes to the event log, within the transaction of the changes.
   * Endpoints that filter messages by tag or policy receive them, too.
   */
  publish(session: ClientSession, accountId: string, changes: readonly OutboxEvent[]): Promise<void>;
}

/**
 * Turns message events into deliveries to the endpoints of their accounts.
 * @param noteDeliveries called with new deliveries
 */
export function createWebhookOutbox(
  db: Db,
  eventLog: Pick<EventLog, "addChanges">,
  noteDeliveries: NoteDeliveries = () => undefined,
): WebhookOutbox {
  const { endpoints, deliveries, lanes: queues } = webhookCollections(db);

  async function listenersOf(
    accountIds: readonly string[],
    session?: ClientSession,
  ): Promise<readonly Listener[]> {
    const [accountId = "", ...others] = accountIds;
    const owner = { accountId: others.length === 0 ? accountId : { $in: [...accountIds] } };
    const filter = { ...owner, disabled: { $exists: false } };
    const projection = { accountId: 1, types: 1, tags: 1, policies: 1, createdAt: 1 };
    const found = await readEach<Listener>((options) =>
      endpoints
        .find(filter, { projection, ...(session && { session }), ...options })
        .sort({ accountId: 1, _id: 1 }),
    );
    return found.documents;
  }

  return {
    async publish(session, accountId, changes) {
      if (changes.length === 0) return;
      const listeners = await listenersOf([accountId], session);
      const added = listeners.flatMap(({ _id, types, createdAt }) =>
        changes
          // An endpoint receives no events about itself.
          .filter(({ subject }) => !("endpointId" in subject && subject.endpointId === _id))
          .filter(({ type, at }) => at >= createdAt && types?.includes(type) !== false)
          .map((change) => waitingDelivery({ ...change, accountId, endpointId: _id })),
      );
      if (added.length > 0) {
        await deliveries.insertMany(added, { session });
        await queues.bulkWrite(wakes(added), { session });
        noteDeliveries(added);
      }
      await eventLog.addChanges(session, accountId, changes);
    },

    async add(happened) {
      const accountIds = [...new Set(happened.map(({ accountId }) => accountId))].filter((id) => id !== "");
      if (accountIds.length === 0) return;
      const listeners = await listenersOf(accountIds);
      if (listeners.length === 0) return;
      const of = new Map<string, Listener[]>();
      for (const one of listeners) of.set(one.accountId, [...(of.get(one.accountId) ?? []), one]);
      const added = happened.flatMap((entry) =>
        (of.get(entry.accountId) ?? []).flatMap((listener) => deliveryOf(entry, listener) ?? []),
      );
      if (added.length === 0) return;
      for (let from = 0; from < added.length; from += AT_ONCE)
        await insertMissing(deliveries, added.slice(from, from + AT_ONCE));
      await wakeQueues(queues, added);
      noteDeliveries(added);
    },
  };
}

/** Wakes the worker of an endpoint, which then searches for due deliveries. */
export const wakeBy = (at: Date) => ({ $min: { wakeAt: at }, $inc: { additions: 1 } });

/** Called after deliveries are stored: a worker that is processing the endpoint searches again. */
export async function wakeQueues(queues: Queues, added: readonly WebhookDeliveryDocument[]): Promise<void> {
  const updates = wakes(added);
  try {
    await queues.bulkWrite(updates, { ordered: false });
  } catch (error) {
    if (!isDuplicateKey(error)) throw storeFault(error);
    // Another process has just created one of them. A repeated wake-up is harmless.
    await guarded(queues.bulkWrite(updates, { ordered: false }));
  }
}

function wakes(added: readonly WebhookDeliveryDocument[]) {
  const earliest = new Map<string, WebhookDeliveryDocument>();
  for (const one of added) {
    const known = earliest.get(one.endpointId);
    if (!known || one.at < known.at) earliest.set(one.endpointId, one);
  }
  return [...earliest.values()].map(({ endpointId: _id, accountId, at }) => ({
    updateOne: {
      filter: { _id, accountId },
      update: {
        ...wakeBy(at),
        $setOnInsert: { slot: slotOf(_id) },
      },
      upsert: true,
    },
  }));
}

/** A delivery without attempts. */
function waitingDelivery(
  delivery: Pick<WebhookDeliveryDocument, "accountId" | "endpointId" | "eventId" | "type" | "at"> &
    Pick<Partial<WebhookDeliveryDocument>, "messageId" | "subject" | "addressKey">,
): WebhookDeliveryDocument {
  const { endpointId, eventId, at } = delivery;
  return {
    _id: webhookDeliveryId(endpointId, eventId),
    ...delivery,
    state: "pending",
    attempts: 0,
    dueAt: at,
    tries: [],
    answered: "untried",
    expireAt: new Date(at.getTime() + KEPT_MS),
  };
}

/** Undefined: the endpoint does not receive it. */
function deliveryOf(entry: JournalEntry, listener: Listener): WebhookDeliveryDocument | undefined {
  const { messageId, accountId, kind, at, tags = [], policy = "" } = entry;
  const type = webhookTypeOf(kind);
  if (type === undefined || at < listener.createdAt) return undefined;
  if (listener.types && !listener.types.includes(type)) return undefined;
  if (listener.policies && !listener.policies.includes(policy)) return undefined;
  if (listener.tags && !listener.tags.some((tag) => tags.includes(tag))) return undefined;
  const eventId = eventIdOf(entry);
  return waitingDelivery({ accountId, endpointId: listener._id, eventId, type, messageId, at });
}

/** Endpoint ids are random: their last characters spread the endpoints. */
function slotOf(endpointId: string): number {
  let hash = 0;
  for (const byte of Buffer.from(endpointId)) hash = (Math.imul(hash, 31) + byte) >>> 0;
  return hash % WEBHOOK_SLOTS;
}
