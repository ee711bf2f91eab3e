import type { Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { date } from "./field-checks.ts";
import type { OfAccount } from "./owner.ts";
import { type Found, readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { createWebhookDamage, deliveryFault, dueDeliveryFault } from "./webhook-damage.ts";
import {
  type WebhookDeliveryDocument,
  type WebhookDeliveryState,
  type WebhookQueueDocument,
  type WebhookTry,
  webhookCollections,
} from "./webhook-delivery-documents.ts";
import { createWebhookOrder } from "./webhook-order.ts";
import { wakeBy, wakeQueues } from "./webhook-outbox.ts";
import { createWaitingOfAccount, endWaiting, type WaitingEnd } from "./webhook-waiting.ts";

/** The end of one attempt, or of a delivery without an attempt. */
export interface WebhookResult {
  readonly delivery: Pick<WebhookDeliveryDocument, "_id" | "attempts" | "tries">;
  readonly state: WebhookDeliveryState;
  readonly at: Date;
  /** Missing: there was no attempt. */
  readonly tried?: WebhookTry;
  /** The sent body. */
  readonly body?: string;
  /** For `pending`. */
  readonly dueAt?: Date;
  /** Reason of its end, if no attempt contains it. */
  readonly endReason?: string;
  /** For final states: time of its removal. */
  readonly expireAt?: Date;
}

/** Maximum number of stored attempts: all regular ones, and some of replays. */
const MAX_TRIES = 12;

interface Failing {
  readonly since: Date;
  readonly at: Date;
}

export interface WebhookDeliveryFilter {
  readonly endpointId: string;
  /** Missing: any state. */
  readonly states?: readonly WebhookDeliveryState[];
  /** Only events at or after this time. */
  readonly from?: Date;
  /** Only events before this time. */
  readonly until?: Date;
  /** Only deliveries after this one in the list: the last of the previous page. */
  readonly after?: Pick<WebhookDeliveryDocument, "_id" | "at">;
  readonly limit: number;
}

/** Final states with an existing event. */
const REPLAYABLE: WebhookDeliveryState[] = ["delivered", "failed"];

/** One state or none, so that an index provides the order. */
function within(
  accountId: string,
  { endpointId, states = [], from, until }: Omit<WebhookDeliveryFilter, "after" | "limit">,
) {
  const [state, ...others] = states;
  const of = { accountId, endpointId, at: { $gte: from ?? new Date(0), ...(until && { $lt: until }) } };
  if (state === undefined) return of;
  return { ...of, state: others.length === 0 ? state : { $in: [...states] } };
}

export function createWebhookDeliveryStore(db: Db, writes: AuditedWrites) {
  const { deliveries, lanes: queues } = webhookCollections(db);

  return {
    forAccount: (accountId: string) => ({
      /** Adds a due delivery. */
      async add(delivery: OfAccount<WebhookDeliveryDocument>): Promise<void> {
        const added = { ...delivery, accountId };
        await guarded(deliveries.insertOne(added));
        await wakeQueues(queues, [added]);
      },

      findQueue: (endpointId: string) => guarded(queues.findOne({ _id: endpointId, accountId })),

      /** Resets the failure state of the endpoint. */
      async forgetFailures(endpointId: string): Promise<void> {
        const unset = { $unset: { failingSince: "" as const, failedAt: "" as const } };
        await guarded(queues.updateOne({ _id: endpointId, accountId }, unset));
      },

      find: (id: string) => guarded(deliveries.findOne({ _id: id, accountId })),

      /** The latest events first. */
      async list({ after, limit, ...query }: WebhookDeliveryFilter) {
        const of = within(accountId, query);
        const behind = after && [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after._id } }];
        const filter = behind ? { ...of, at: { ...of.at, $lte: after.at }, $or: behind } : of;
        const found = await readEach<WebhookDeliveryDocument>(
          (options) =>
            deliveries
              .find(filter, { projection: { body: 0 }, ...options })
              .sort({ at: -1, _id: -1 })
              .limit(limit),
          deliveryFault,
        );
        return found.documents;
      },

      count: (query: Omit<WebhookDeliveryFilter, "after" | "limit">, limit: number): Promise<number> =>
        guarded(deliveries.countDocuments(within(accountId, query), { limit })),

      /**
       * Replays deliveries of an endpoint that had ended by this time, from the beginning of their schedules.
       * Idempotent.
       * @returns the deliveries that are replayed now or were replayed since
       */
      async replayMany(
        { ids, endpointId }: { readonly ids: readonly string[]; readonly endpointId: string },
        endedBy: Date,
        now: Date,
      ): Promise<ReadonlySet<string>> {
        const of = { _id: { $in: [...ids] }, accountId, endpointId };
        const ended = { ...of, state: { $in: REPLAYABLE }, endedAt: { $lte: endedBy } };
        const update = {
          $set: { state: "pending" as const, attempts: 0, dueAt: now },
          $unset: { endedAt: "" as const, endReason: "" as const },
        };
        await guarded(deliveries.updateMany(ended, update));
        await guarded(queues.updateOne({ _id: endpointId, accountId }, wakeBy(now)));
        const found = await guarded(deliveries.find(of, { projection: { state: 1, endedAt: 1 } }).toArray());
        const replayed = found.filter(
          ({ state, endedAt }) =>
            state === "pending" || (REPLAYABLE.includes(state) && endedAt !== undefined && endedAt > endedBy),
        );
        return new Set(replayed.map(({ _id }) => _id));
      },

      /** Deliveries of one message, oldest first. */
      async listOfMessage(messageId: string, limit: number) {
        const found = await readEach<WebhookDeliveryDocument>((options) =>
          deliveries
            .find({ accountId, messageId }, { projection: { body: 0 }, ...options })
            .sort({ at: 1, _id: 1 })
            .limit(limit),
        );
        return found.documents;
      },

      /**
       * Replays a delivery from the beginning of its schedule, under the same id.
       * @returns the new delivery; undefined: there is none, it is already waiting, or its event no longer exists
       */
      replay: (id: string, now: Date, audit: Audit): Promise<WebhookDeliveryDocument | undefined> =>
        writes.transact(async (session) => {
          const filter = { _id: id, accountId, state: { $in: REPLAYABLE } };
          const before = await deliveries.findOne(filter, { session });
          if (!before) return undefined;
          const { endedAt: _, endReason: __, ...kept } = before;
          const after = { ...kept, state: "pending" as const, attempts: 0, dueAt: now };
          await deliveries.replaceOne(filter, after, { session });
          await queues.updateOne({ _id: before.endpointId, accountId }, wakeBy(now), { session });
          const target = { kind: "webhook_delivery", id, name: before.type } as const;
          const [was, is] = [before, after].map(({ state, attempts }) => ({ state, attempts }));
          await writes.note(session, accountId, audit, { target, before: was ?? {}, after: is ?? {} });
          return after;
        }),

      ...createWaitingOfAccount(db, writes, accountId),
    }),

    acrossAccounts: {
      /** Endpoints with due deliveries, the longest waiting first. */
      async dueQueues(slots: readonly number[], now: Date, limit: number): Promise<WebhookQueueDocument[]> {
        if (slots.length === 0) return [];
        const filter = { slot: { $in: [...slots] }, wakeAt: { $lte: now } };
        const found = await readEach<WebhookQueueDocument>((options) =>
          queues.find(filter, options).sort({ wakeAt: 1 }).limit(limit),
        );
        return found.documents;
      },

      findQueue: (endpointId: string) => guarded(queues.findOne({ _id: endpointId })),

      /** Due deliveries of one endpoint, the longest due first, and the damaged ones among them. */
      async due(
        endpointId: string,
        now: Date,
        { except, limit }: { readonly except: readonly string[]; readonly limit: number },
      ): Promise<Found<WebhookDeliveryDocument>> {
        const filter = { endpointId, dueAt: { $lte: now } };
        const { documents, unreadable } = await readEach<WebhookDeliveryDocument>(
          (options) =>
            deliveries
              .find(filter, options)
              .sort({ dueAt: 1 })
              .limit(limit + except.length),
          dueDeliveryFault,
        );
        const known = new Set(except);
        return {
          documents: documents.filter(({ _id }) => !known.has(_id)).slice(0, limit),
          unreadable: unreadable.filter(({ id }) => !known.has(id)),
        };
      },

      ...createWebhookDamage(deliveries),

      ...createWebhookOrder(deliveries),

      /**
       * Records that an endpoint has no due delivery now, and the time of the next one.
       * @param lane as read before the search for due deliveries
       * @returns false: a delivery was added in the meantime, which may be due
       */
      async rest({ _id, additions }: Pick<WebhookQueueDocument, "_id" | "additions">): Promise<boolean> {
        const waiting = deliveries.find({ endpointId: _id, dueAt: { $exists: true } });
        const [next] = await guarded(
          waiting.sort({ dueAt: 1 }).limit(1).project<{ dueAt: Date }>({ dueAt: 1 }).toArray(),
        );
        // An invalid time counts as due: the next turn ends damaged deliveries.
        const update = next
          ? { $set: { wakeAt: date(next.dueAt) ? next.dueAt : new Date(0) } }
          : { $unset: { wakeAt: "" as const } };
        const { matchedCount } = await guarded(queues.updateOne({ _id, additions }, update));
        return matchedCount === 1;
      },

      /** Moves an endpoint with due deliveries behind the other waiting ones. */
      async requeue(endpointId: string, now: Date): Promise<void> {
        const filter = { _id: endpointId, wakeAt: { $lt: now } };
        await guarded(queues.updateOne(filter, { $set: { wakeAt: now } }));
      },

      /** Records the start and the last time of a failure; undefined: a delivery was accepted. */
      async setFailing(endpointId: string, failing: Failing | undefined): Promise<void> {
        const update = failing
          ? { $set: { failingSince: failing.since, failedAt: failing.at } }
          : { $unset: { failingSince: "" as const, failedAt: "" as const } };
        await guarded(queues.updateOne({ _id: endpointId }, update));
      },

      /**
       * Writes the ends of attempts. A delivery that has changed since it was read stays unchanged: the result of the
       * other worker counts.
       * @throws Fault store.unavailable: repeating the write is safe
       */
      async record(results: readonly WebhookResult[]): Promise<void> {
        const updates = results.map(({ delivery, state, at, tried, body, dueAt, endReason, expireAt }) => {
          const { _id, attempts, tries } = delivery;
          const isOver = state !== "pending";
          // The endpoint may have been disabled during the request. An accepted delivery still counts as delivered.
          const from =
            state === "delivered" ? { $in: ["pending" as const, "failed" as const] } : ("pending" as const);
          return {
            updateOne: {
              filter: { _id, attempts, state: from },
              update: {
                $set: {
                  state,
                  ...(tried && { attempts: attempts + 1, tries: [...tries, tried].slice(-MAX_TRIES) }),
                  ...(body !== undefined && { body }),
                  ...(dueAt && { dueAt }),
                  ...(isOver && { endedAt: at }),
                  ...(endReason !== undefined && { endReason }),
                  ...(expireAt && { expireAt }),
                },
                ...(isOver && {
                  $unset: { dueAt: "" as const, ...(endReason === undefined && { endReason: "" as const }) },
                }),
              },
            },
          };
        });
        if (updates.length > 0) await guarded(deliveries.bulkWrite(updates, { ordered: false }));
      },

      /** Ends all waiting deliveries of an endpoint that receives nothing more. */
      async endAll(endpointId: string, end: WaitingEnd): Promise<void> {
        await endWaiting(deliveries, { endpointId }, end, Number.POSITIVE_INFINITY);
      },

      /** For a removed endpoint. */
      async removeQueue(endpointId: string): Promise<void> {
        await guarded(queues.deleteOne({ _id: endpointId }));
      },
    },
  };
}
