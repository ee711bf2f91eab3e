import type { Collection, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { guarded } from "./store-fault.ts";
import {
  type WebhookDeliveryDocument,
  type WebhookDeliveryState,
  webhookCollections,
} from "./webhook-delivery-documents.ts";
import type { WebhookEndpointDocument } from "./webhook-documents.ts";
import { wakeBy } from "./webhook-outbox.ts";

/** Deliveries of one write: other writes have their turn between two of them. */
const PAGE = 1_000;

type Deliveries = Collection<WebhookDeliveryDocument>;

/** How deliveries end that are not attempted. */
export interface WaitingEnd {
  readonly state: WebhookDeliveryState;
  readonly at: Date;
  readonly endReason: string;
}

interface OfEndpoint {
  readonly endpointId: string;
  /** Missing: the endpoint's id is known to be right. */
  readonly accountId?: string;
}

/** Sends or ends what waits of an account. */
export function createWaitingOfAccount(db: Db, writes: AuditedWrites, accountId: string) {
  const { deliveries, lanes } = webhookCollections(db);

  return {
    /**
     * Makes a waiting delivery due now. Attempts are counted as before.
     * @param isOrdered its endpoint keeps the order of a message's events: all that waits of the message is due as well, for the
     *   earlier events go first, and the later ones wait for the time of this one
     * @returns the delivery; undefined: it is not there, or has ended
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
        await lanes.updateOne({ _id: endpointId, accountId }, wakeBy(now), { session });
        const after = { ...before, dueAt: dueAt < now ? dueAt : now };
        const target = { kind: "webhook_delivery", id, name: before.type } as const;
        const changed = { target, before: { dueAt }, after: { dueAt: after.dueAt } };
        await writes.note(session, accountId, audit, changed);
        return after;
      }),

    /**
     * Makes all that waits for an endpoint due now, a page at a time: it can be repeated where it was interrupted.
     * @returns how many, at most `limit`; more may wait then
     */
    async retryAll(
      { _id: endpointId, url: name }: Pick<WebhookEndpointDocument, "_id" | "url">,
      { now, limit }: { readonly now: Date; readonly limit: number },
      audit: Audit,
    ): Promise<number> {
      const count = await hastenWaiting(deliveries, { accountId, endpointId, now, limit });
      await guarded(lanes.updateOne({ _id: endpointId, accountId }, wakeBy(now)));
      const target = { kind: "webhook", id: endpointId, name } as const;
      await writes.addAct(accountId, audit, { target, outcome: "changed", count });
      return count;
    },

    /**
     * Ends what waits for an endpoint that gets nothing more, a page at a time.
     * @returns how many
     */
    endWaiting: (endpointId: string, end: WaitingEnd, mostPages: number): Promise<number> =>
      endWaiting(deliveries, { accountId, endpointId }, end, mostPages),
  };
}

/**
 * Ends what waits for an endpoint, a page at a time. Each page is written whole: it can be repeated where it was interrupted.
 * @returns how many
 */
export async function endWaiting(
  deliveries: Deliveries,
  of: OfEndpoint,
  end: WaitingEnd,
  mostPages: number,
): Promise<number> {
  let count = 0;
  const { state, at: endedAt, endReason } = end;
  // An index for each: all that is pending has a time at which it is due, and nothing else has one.
  const [waiting, order] =
    "accountId" in of
      ? ([
          { ...of, state: "pending" as const },
          { at: 1, _id: 1 },
        ] as const)
      : ([{ ...of, dueAt: { $exists: true } }, { dueAt: 1 }] as const);
  const update = { $set: { state, endedAt, endReason }, $unset: { dueAt: "" as const } };
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
 * Makes what waits for an endpoint due now, the oldest events first.
 * @returns how many, at most `limit`
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
    // One that is tried and fails while this runs stays behind the place that was reached.
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
