import type { Collection, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { Phrase } from "../shared/phrase.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { NoteDeliveries } from "./journal/note-deliveries.ts";
import { guarded } from "./store-fault.ts";
import {
  endReasonFields,
  type WebhookDeliveryDocument,
  type WebhookDeliveryState,
  webhookCollections,
} from "./webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "./webhook-documents.ts";
import { wakeBy } from "./webhook-outbox.ts";

/** Deliveries per write. Other writes run in between. */
const PAGE = 1_000;

type Deliveries = Collection<WebhookDeliveryDocument>;

/** End of deliveries without an attempt. */
export interface WaitingEnd {
  readonly state: WebhookDeliveryState;
  readonly at: Date;
  readonly endReason: Phrase;
}

interface OfEndpoint {
  readonly endpointId: string;
  /** Missing: the endpoint's id is known to be valid. */
  readonly accountId?: string;
}

/** Sends or ends the waiting deliveries of an account. */
export function createWaitingOfAccount(
  db: Db,
  writes: AuditedWrites,
  accountId: string,
  noteDeliveries: NoteDeliveries,
) {
  const { deliveries, lanes: queues } = webhookCollections(db);

  return {
    /**
     * Makes a waiting delivery due now, and keeps the count of attempts.
     * @param isOrdered its endpoint keeps the order of a message's events: all waiting deliveries of the message
     * become due, because earlier events go first, and later ones wait for this one
     * @returns the delivery; undefined: there is none, or it has ended
     */
    retry: (
      id: string,
      { now, isOrdered }: { readonly now: Date; readonly isOrdered: boolean },
      audit: Audit,
    ): Promise<WebhookDeliveryDocument | undefined> =>
      writes.transact(async (session) => {
        const filter = { _id: id, accountId, state: "pending" as const };
        const before = await deliveries.findOne(filter, { session });
        if (!before) return undefined;
        const { endpointId, messageId, dueAt = now } = before;
        const due = { $set: { dueAt: now } };
        const later = { state: "pending" as const, dueAt: { $gt: now } };
        if (isOrdered && messageId !== undefined)
          await deliveries.updateMany({ accountId, messageId, endpointId, ...later }, due, { session });
        else await deliveries.updateOne({ ...filter, ...later }, due, { session });
        await queues.updateOne({ _id: endpointId, accountId }, wakeBy(now), { session });
        const after = { ...before, dueAt: dueAt < now ? dueAt : now };
        const target = { kind: "webhook_delivery", id, name: before.type } as const;
        const changed = { target, before: { dueAt }, after: { dueAt: after.dueAt } };
        await writes.note(session, accountId, audit, changed);
        noteDeliveries([after]);
        return after;
      }),

    /**
     * Makes all waiting deliveries of an endpoint due now, in pages. It can be repeated after an interruption.
     * @returns the number, at most `limit`; more may be waiting then
     */
    async retryAll(
      { _id: endpointId, url: name }: Pick<WebhookEndpointDocument, "_id" | "url">,
      { now, limit }: { readonly now: Date; readonly limit: number },
      audit: Audit,
    ): Promise<number> {
      const count = await hastenWaiting(deliveries, { accountId, endpointId, now, limit });
      await guarded(queues.updateOne({ _id: endpointId, accountId }, wakeBy(now)));
      const target = { kind: "webhook", id: endpointId, name } as const;
      await writes.addAct(accountId, audit, { target, outcome: "changed", count });
      if (count > 0) noteDeliveries([{ accountId, endpointId }]);
      return count;
    },

    /**
     * Ends the waiting deliveries of an endpoint that receives nothing more, in pages.
     * @returns the number
     */
    endWaiting: async (endpointId: string, end: WaitingEnd, mostPages: number): Promise<number> => {
      const count = await endWaiting(deliveries, { accountId, endpointId }, end, mostPages);
      if (count > 0) noteDeliveries([{ accountId, endpointId }]);
      return count;
    },
  };
}

/**
 * Ends the waiting deliveries of an endpoint, in pages. Each page is written completely, so that it can be repeated
 * after an interruption.
 * @returns the number
 */
export async function endWaiting(
  deliveries: Deliveries,
  of: OfEndpoint,
  end: WaitingEnd,
  mostPages: number,
): Promise<number> {
  let count = 0;
  const { state, at: endedAt, endReason } = end;
  // One index for each: pending deliveries have a due time, and others have none.
  const [waiting, order] =
    "accountId" in of
      ? ([
          { ...of, state: "pending" as const },
          { at: 1, _id: 1 },
        ] as const)
      : ([{ ...of, dueAt: { $exists: true } }, { dueAt: 1 }] as const);
  const update = { $set: { state, endedAt, ...endReasonFields(endReason) }, $unset: { dueAt: "" as const } };
  for (let page = 0; page < mostPages; page++) {
    const found = await guarded(
      deliveries
        .find(waiting, { projection: { _id: 1 } })
        .sort(order)
        .limit(PAGE)
        .toArray(),
    );
    if (found.length === 0) break;
    const ids = found.map(({ _id }) => _id);
    const stillWaiting = { ...of, _id: { $in: ids }, dueAt: { $exists: true } };
    const { modifiedCount } = await guarded(deliveries.updateMany(stillWaiting, update));
    count += modifiedCount;
  }
  return count;
}

/**
 * Makes the waiting deliveries of an endpoint due now, the oldest events first.
 * @returns the number, at most `limit`
 */
async function hastenWaiting(
  deliveries: Deliveries,
  { now, limit, ...of }: Required<OfEndpoint> & { readonly now: Date; readonly limit: number },
): Promise<number> {
  const later = { ...of, state: "pending" as const, dueAt: { $gt: now } };
  let count = 0;
  let last: Pick<WebhookDeliveryDocument, "_id" | "at"> | undefined;
  while (count < limit) {
    const { at, _id = "" } = last ?? {};
    // A delivery that is attempted and fails in the meantime stays behind the current position.
    const rest = at
      ? { ...later, at: { $gte: at }, $or: [{ at: { $gt: at } }, { at, _id: { $gt: _id } }] }
      : later;
    const page = Math.min(PAGE, limit - count);
    const found = await guarded(
      deliveries
        .find(rest, { projection: { at: 1 } })
        .sort({ at: 1, _id: 1 })
        .limit(page)
        .toArray(),
    );
    last = found.at(-1);
    if (!last) break;
    const ids = found.map(({ _id }) => _id);
    await guarded(deliveries.updateMany({ ...later, _id: { $in: ids } }, { $set: { dueAt: now } }));
    count += found.length;
  }
  return count;
}
