import type { AnyBulkWriteOperation, ClientSession, Db } from "mongodb";
import { newId } from "../shared/ids.ts";
import type { Phrase } from "../shared/phrase.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { NoteDeliveries } from "./journal/note-deliveries.ts";
import { readEach } from "./read-each.ts";
import { createWebhookCounterWriter } from "./webhook-counters.ts";
import {
  answeredOf,
  endReasonFields,
  type OutboxEvent,
  type WebhookDeliveryDocument,
  type WebhookDeliveryState,
  type WebhookExchange,
  type WebhookTry,
  webhookCollections,
} from "./webhook-delivery-documents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** The end of one attempt, or of a delivery without an attempt. */
export interface WebhookResult {
  readonly delivery: Pick<
    WebhookDeliveryDocument,
    "_id" | "accountId" | "endpointId" | "eventId" | "type" | "attempts" | "tries" | "exchanges"
  >;
  readonly state: WebhookDeliveryState;
  readonly at: Date;
  /** Missing: there was no attempt. */
  readonly tried?: WebhookTry;
  /** Headers of the attempt. */
  readonly exchange?: WebhookExchange;
  /** The sent body. */
  readonly body?: string;
  /** For `pending`. */
  readonly dueAt?: Date;
  /** Reason of its end, if no attempt contains it. */
  readonly endReason?: Phrase;
  /** For final states: time of its removal. */
  readonly expireAt?: Date;
  /** URL of the endpoint if the attempt was the last one, and failed. */
  readonly exhaustedAt?: string;
}

/** Maximum number of stored attempts: all regular ones, and some of replays. */
const MAX_TRIES = 12;
/** Number of attempts with stored headers. Those of one attempt take up to 10 KB. */
const MAX_EXCHANGES = 5;

/** Stores the results of attempts, counts them, and publishes exhausted deliveries. */
export function createWebhookResults(
  db: Db,
  writes: Pick<AuditedWrites, "transact">,
  outbox: Pick<WebhookOutbox, "publish">,
  noteDeliveries: NoteDeliveries,
) {
  const { deliveries } = webhookCollections(db);
  const count = createWebhookCounterWriter(db);

  /** The results of deliveries that have not changed since they were read. */
  async function withoutChanged(
    session: ClientSession,
    results: readonly WebhookResult[],
  ): Promise<readonly WebhookResult[]> {
    const ids = results.map(({ delivery: { _id } }) => _id);
    const options = { projection: { attempts: 1, state: 1 }, session };
    const found = await readEach<Pick<WebhookDeliveryDocument, "_id" | "attempts" | "state">>((reading) =>
      deliveries.find({ _id: { $in: ids } }, { ...options, ...reading }),
    );
    const present = new Map(found.documents.map((one) => [one._id, one]));
    return results.filter(({ delivery: { _id, attempts }, state }) => {
      const now = present.get(_id);
      return now?.attempts === attempts && formerStates(state).includes(now.state);
    });
  }

  return {
    /**
     * Writes the ends of attempts, and counts the attempts, in one transaction: each attempt is counted once. A
     * delivery that has changed since it was read stays unchanged: the result of the other worker counts.
     * @throws Fault store.unavailable: repeating the write is safe
     */
    async record(results: readonly WebhookResult[]): Promise<void> {
      if (results.length === 0) return;
      const stored = await writes.transact(async (session) => {
        const current = await withoutChanged(session, results);
        if (current.length === 0) return current;
        await deliveries.bulkWrite(current.map(updateOf), { session, ordered: false });
        await count(
          session,
          current.flatMap(({ delivery, tried }) => (tried ? { ...delivery, tried } : [])),
        );
        const exhausted = new Map<string, OutboxEvent[]>();
        for (const result of current) {
          const event = exhaustedEvent(result);
          const { accountId } = result.delivery;
          if (event) exhausted.set(accountId, [...(exhausted.get(accountId) ?? []), event]);
        }
        for (const [accountId, events] of exhausted) await outbox.publish(session, accountId, events);
        return current;
      });
      noteDeliveries(stored.map(({ delivery }) => delivery));
    },
  };
}

/** Undefined: there is none. Events about endpoints cause no further events, so that no loop begins. */
function exhaustedEvent({ delivery, at, tried, exhaustedAt: url }: WebhookResult): OutboxEvent | undefined {
  const { _id: deliveryId, endpointId, eventId: exhaustedId, type: eventType, attempts } = delivery;
  if (url === undefined || eventType.startsWith("webhook.")) return undefined;
  const subject = {
    kind: "webhook_exhausted" as const,
    endpointId,
    // The rest of the URL may be a secret.
    host: new URL(url).host,
    deliveryId,
    exhaustedId,
    eventType,
    attempts: attempts + 1,
    detail: tried?.detail ?? "",
  };
  return { eventId: newId("evt", at), type: "webhook.exhausted", at, subject };
}

/** The endpoint may have been disabled during the request. An accepted delivery still counts as delivered. */
function formerStates(state: WebhookDeliveryState): readonly WebhookDeliveryState[] {
  return state === "delivered" ? ["pending", "failed"] : ["pending"];
}

function updateOf(result: WebhookResult): AnyBulkWriteOperation<WebhookDeliveryDocument> {
  const { delivery, state, at, tried, exchange, body, dueAt, endReason, expireAt } = result;
  const { _id, attempts, tries, exchanges = [] } = delivery;
  const isOver = state !== "pending";
  return {
    updateOne: {
      filter: { _id, attempts, state: { $in: [...formerStates(state)] } },
      update: {
        $set: {
          state,
          ...(tried && {
            attempts: attempts + 1,
            tries: [...tries, tried].slice(-MAX_TRIES),
            answered: answeredOf(tried),
          }),
          ...(exchange && { exchanges: [...exchanges, exchange].slice(-MAX_EXCHANGES) }),
          ...(body !== undefined && { body }),
          ...(dueAt && { dueAt }),
          ...(isOver && { endedAt: at }),
          ...(endReason && endReasonFields(endReason)),
          ...(expireAt && { expireAt }),
        },
        ...(isOver && {
          $unset: {
            dueAt: "" as const,
            ...(!endReason && { endReason: "" as const, endReasonParts: "" as const }),
          },
        }),
      },
    },
  };
}
