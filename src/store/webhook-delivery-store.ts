import type { Db, Filter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { createDeliveryQueue } from "./delivery-queue.ts";
import { date } from "./field-checks.ts";
import type { NoteDeliveries } from "./journal/note-deliveries.ts";
import type { OfAccount } from "./owner.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { deliveryFault } from "./webhook-damage.ts";
import {
  type WebhookAnswered,
  type WebhookDeliveryDocument,
  type WebhookDeliveryState,
  type WebhookQueueDocument,
  webhookCollections,
} from "./webhook-delivery-documents.ts";
import { createWebhookOutages } from "./webhook-outages.ts";
import { type WebhookOutbox, wakeBy, wakeQueues } from "./webhook-outbox.ts";
import { createWebhookResults } from "./webhook-results.ts";
import { createWaitingOfAccount } from "./webhook-waiting.ts";

export interface WebhookDeliveryFilter {
  /** Missing: all endpoints. */
  readonly endpointId?: string;
  readonly messageId?: string;
  readonly eventId?: string;
  readonly type?: string;
  /** The result also has deliveries of earlier releases: only their attempts have the answer. */
  readonly answered?: WebhookAnswered;
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

/** An index has the order for each field alone, and for an endpoint together with one state. */
function within(
  accountId: string,
  query: Omit<WebhookDeliveryFilter, "after" | "limit">,
): Filter<WebhookDeliveryDocument> & { readonly at: Filter<Date> } {
  const { endpointId, messageId, eventId, type, answered, states = [], from, until } = query;
  const [state, ...others] = states;
  return {
    accountId,
    ...withoutUndefined({ endpointId, messageId, eventId, type }),
    at: { $gte: from ?? new Date(0), ...(until && { $lt: until }) },
    // In MongoDB, null matches a missing field.
    ...(answered && { answered: { $in: [answered, null] } as Filter<WebhookAnswered> }),
    ...(state && { state: others.length === 0 ? state : { $in: [...states] } }),
  };
}

/** Maximum number of deliveries in one read of a list, with the damaged ones. */
const MOST_IN_LIST = 20_000;
/** Fields that lists do not show. */
const IN_LISTS = { body: 0, exchanges: 0, "tries.answer": 0 } as const;

/** @param noteDeliveries called with created and changed deliveries, for open event streams */
export function createWebhookDeliveryStore(
  db: Db,
  writes: AuditedWrites,
  outbox: Pick<WebhookOutbox, "publish">,
  noteDeliveries: NoteDeliveries,
) {
  const { deliveries, lanes: queues } = webhookCollections(db);

  return {
    forAccount: (accountId: string) => ({
      /** Adds a due delivery. */
      async add(delivery: OfAccount<WebhookDeliveryDocument>): Promise<void> {
        const added = { ...delivery, accountId };
        await guarded(deliveries.insertOne(added));
        await wakeQueues(queues, [added]);
        noteDeliveries([added]);
      },

      findQueue: (endpointId: string) => guarded(queues.findOne({ _id: endpointId, accountId })),

      /** Start of the current failure of each endpoint that fails. An account has few endpoints. */
      async failingSince(): Promise<ReadonlyMap<string, Date>> {
        const found = await readEach<Pick<WebhookQueueDocument, "_id" | "failingSince">>((options) =>
          queues.find({ accountId }, { projection: { failingSince: 1 }, ...options }),
        );
        return new Map(
          found.documents.flatMap(({ _id, failingSince }) =>
            date(failingSince) ? [[_id, failingSince as Date]] : [],
          ),
        );
      },

      /** Resets the failure state of the endpoint. */
      async forgetFailures(endpointId: string): Promise<void> {
        const unset = { failingSince: "", failedAt: "", failingPublishedAt: "" } as const;
        await guarded(queues.updateOne({ _id: endpointId, accountId }, { $unset: unset }));
      },

      find: (id: string) => guarded(deliveries.findOne({ _id: id, accountId })),

      /** The latest events first. */
      async list({ after, limit, ...query }: WebhookDeliveryFilter) {
        const of = within(accountId, query);
        const behind = after && [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after._id } }];
        const filter = behind ? { ...of, at: { ...of.at, $lte: after.at }, $or: behind } : of;
        // Damaged deliveries are left out. They must not end a list.
        for (let most = limit; ; most *= 2) {
          const { documents, unreadable } = await readEach<WebhookDeliveryDocument>(
            (options) =>
              deliveries
                .find(filter, { projection: IN_LISTS, ...options })
                .sort({ at: -1, _id: -1 })
                .limit(most),
            deliveryFault,
          );
          const isAll = documents.length + unreadable.length < most;
          if (isAll || documents.length >= limit || most >= MOST_IN_LIST) return documents.slice(0, limit);
        }
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
          $unset: { endedAt: "" as const, endReason: "" as const, endReasonParts: "" as const },
        };
        await guarded(deliveries.updateMany(ended, update));
        await guarded(queues.updateOne({ _id: endpointId, accountId }, wakeBy(now)));
        noteDeliveries([{ accountId, endpointId }]);
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
            .find({ accountId, messageId }, { projection: IN_LISTS, ...options })
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
          const { endedAt: _, endReason: __, endReasonParts: ___, ...kept } = before;
          const after = { ...kept, state: "pending" as const, attempts: 0, dueAt: now };
          await deliveries.replaceOne(filter, after, { session });
          await queues.updateOne({ _id: before.endpointId, accountId }, wakeBy(now), { session });
          const target = { kind: "webhook_delivery", id, name: before.type } as const;
          const [was, is] = [before, after].map(({ state, attempts }) => ({ state, attempts }));
          await writes.note(session, accountId, audit, { target, before: was ?? {}, after: is ?? {} });
          noteDeliveries([after]);
          return after;
        }),

      ...createWaitingOfAccount(db, writes, accountId, noteDeliveries),
    }),

    acrossAccounts: {
      ...createDeliveryQueue({ deliveries, lanes: queues }, noteDeliveries),

      ...createWebhookOutages(db, writes, outbox),

      ...createWebhookResults(db, writes, outbox, noteDeliveries),
    },
  };
}
