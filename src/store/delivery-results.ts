import type { AnyBulkWriteOperation, ClientSession, Collection } from "mongodb";
import type { Phrase } from "../shared/phrase.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { NoteDeliveries } from "./journal/note-deliveries.ts";
import { readEach } from "./read-each.ts";
import {
  answeredOf,
  endReasonFields,
  type WebhookDeliveryDocument,
  type WebhookDeliveryState,
  type WebhookExchange,
  type WebhookTry,
} from "./webhook-delivery-documents.ts";

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

export interface DeliveryResultsOptions {
  readonly deliveries: Collection<WebhookDeliveryDocument>;
  readonly writes: Pick<AuditedWrites, "transact">;
  /** Writes the consequences of results, in the transaction that stores them. */
  readonly follow: (session: ClientSession, stored: readonly WebhookResult[]) => Promise<void>;
  readonly noteDeliveries: NoteDeliveries;
}

/** Stores the results of attempts, each once. */
export function createDeliveryResults({
  deliveries,
  writes,
  follow,
  noteDeliveries,
}: DeliveryResultsOptions) {
  /** The results of deliveries that have not changed since they were read. */
  async function withoutChanged(
    session: ClientSession,
    results: readonly WebhookResult[],
  ): Promise<readonly WebhookResult[]> {
    const _id = { $in: results.map(({ delivery }) => delivery._id) };
    const endpointId = { $in: [...new Set(results.map(({ delivery }) => delivery.endpointId))] };
    const options = { projection: { attempts: 1, state: 1 }, session };
    const found = await readEach<Pick<WebhookDeliveryDocument, "_id" | "attempts" | "state">>((reading) =>
      deliveries.find({ _id, endpointId }, { ...options, ...reading }),
    );
    const present = new Map(found.documents.map((one) => [one._id, one]));
    return results.filter(({ delivery: { _id, attempts }, state }) => {
      const now = present.get(_id);
      return now?.attempts === attempts && formerStates(state).includes(now.state);
    });
  }

  return {
    /**
     * Writes the ends of attempts and their consequences, in one transaction: each attempt counts once. A delivery
     * that has changed since it was read stays unchanged: the result of the other worker counts.
     * @throws Fault store.unavailable: repeating the write is safe
     */
    async record(results: readonly WebhookResult[]): Promise<void> {
      if (results.length === 0) return;
      const stored = await writes.transact(async (session) => {
        const current = await withoutChanged(session, results);
        if (current.length === 0) return current;
        await deliveries.bulkWrite(current.map(updateOf), { session, ordered: false });
        await follow(session, current);
        return current;
      });
      noteDeliveries(stored.map(({ delivery }) => delivery));
    },
  };
}

/** The endpoint may have been disabled during the request. An accepted delivery still counts as delivered. */
function formerStates(state: WebhookDeliveryState): readonly WebhookDeliveryState[] {
  return state === "delivered" ? ["pending", "failed"] : ["pending"];
}

function updateOf(result: WebhookResult): AnyBulkWriteOperation<WebhookDeliveryDocument> {
  const { delivery, state, at, tried, exchange, body, dueAt, endReason, expireAt } = result;
  const { _id, endpointId, attempts, tries, exchanges = [] } = delivery;
  const isOver = state !== "pending";
  return {
    updateOne: {
      filter: { _id, endpointId, attempts, state: { $in: [...formerStates(state)] } },
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
