import type { ClientSession, Db } from "mongodb";
import { entryId, HISTORY_MS } from "../alerts/unit-of-work.ts";
import { detailFields, phrase, phrases } from "../shared/phrase.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { createDeliveryQueue } from "./delivery-queue.ts";
import { createDeliveryResults, type WebhookResult } from "./delivery-results.ts";
import { incidentCollections } from "./incident-collections.ts";
import { insertMissing } from "./insert-missing.ts";
import type { NoteIncidents } from "./journal/note-deliveries.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import {
  type TargetDeliveryDocument,
  type TargetQueueDocument,
  targetCollections,
} from "./target-documents.ts";
import type { UndeliveredAlerts } from "./undelivered-alert-store.ts";
import { deliveryFault } from "./webhook-damage.ts";
import { triedPhrase, webhookDeliveryId } from "./webhook-delivery-documents.ts";
import { wakeQueues } from "./webhook-outbox.ts";

/** Maximum number of deliveries of one incident that are shown with its history. */
const MAX_OF_INCIDENT = 2_000;
/** Characters of an answer in the history of an incident. */
const MAX_ANSWER = 100;

/** Fields that lists do not show. */
const IN_LISTS = { body: 0, exchanges: 0 } as const;
const WITH_HISTORY = { ...IN_LISTS, "tries.answer": 0 } as const;

/** A delivery to store; its other fields follow. */
export type NewTargetDelivery = Pick<
  TargetDeliveryDocument,
  | "endpointId"
  | "eventId"
  | "type"
  | "at"
  | "body"
  | "targetName"
  | "targetKind"
  | "ruleName"
  | "incidentId"
  | "number"
  | "expireAt"
>;

/**
 * Deliveries of alert notices to targets: the queue of webhook deliveries, in collections of their own.
 * @param noteIncidents notes that the history of incidents shows other states of deliveries
 */
export function createTargetDeliveryStore(
  db: Db,
  writes: Pick<AuditedWrites, "transact">,
  undelivered: Pick<UndeliveredAlerts, "addUnmade">,
  noteIncidents: NoteIncidents,
) {
  const { deliveries, queues, queued } = targetCollections(db);
  const { incidents, history } = incidentCollections(db);

  /** Records the last accepted delivery and the last failure of each target. */
  async function noteStates(session: ClientSession, stored: readonly WebhookResult[]): Promise<void> {
    const states = new Map<string, Pick<TargetQueueDocument, "deliveredAt" | "lastFailure">>();
    for (const { delivery, state, at, tried } of stored) {
      if (!tried) continue;
      const { endpointId } = delivery;
      const failure = { lastFailure: { at, ...detailFields(triedPhrase(tried)) } };
      states.set(endpointId, {
        ...states.get(endpointId),
        ...(state === "delivered" ? { deliveredAt: at } : failure),
      });
    }
    for (const [_id, state] of states) await queues.updateOne({ _id }, { $set: state }, { session });
  }

  /** Records a notice that its target did not accept: in the history of the incident, and for the account's owners. */
  async function noteExhausted(
    session: ClientSession,
    { accountId, incidentId, number, ruleName, targetName, endpointId, eventId }: TargetDeliveryDocument,
    { delivery, at, tried }: WebhookResult,
  ): Promise<void> {
    const { detail = "", answer = "" } = tried ?? {};
    const words = answer.replace(/\s+/g, " ").trim().slice(0, MAX_ANSWER).toWellFormed();
    const reason = words === "" ? detail : `${detail}: ${words}`;
    const unmade = { key: delivery._id, ruleName, target: targetName, detail: reason };
    await undelivered.addUnmade(session, accountId, [unmade], at);
    if (incidentId === undefined) return;
    const counted = await incidents.findOneAndUpdate(
      { _id: incidentId, accountId },
      { $inc: { entries: 1, revision: 1 } },
      { session, returnDocument: "after", projection: { entries: 1 } },
    );
    if (!counted) return;
    const attempts = delivery.attempts + 1;
    const beginning =
      attempts === 1
        ? phrase("notice.not_accepted_once", { number, target: targetName })
        : phrase("notice.not_accepted", { number, target: targetName, attempts });
    const failure = phrases(
      beginning,
      tried && triedPhrase(tried),
      words !== "" && phrase("notice.answer", { detail: words }),
    );
    await history.insertOne(
      {
        _id: entryId(incidentId, counted.entries),
        accountId,
        incidentId,
        at,
        kind: "notice_failed",
        ...detailFields(failure),
        posts: [{ targetId: endpointId, eventId }],
        expireAt: new Date(at.getTime() + HISTORY_MS),
      },
      { session },
    );
  }

  const results = createDeliveryResults({
    deliveries: queued.deliveries,
    writes,
    noteDeliveries: () => undefined,
    async follow(session, stored) {
      await noteStates(session, stored);
      const exhausted = new Map(
        stored.flatMap((one) => (one.exhaustedAt === undefined ? [] : [[one.delivery._id, one] as const])),
      );
      if (exhausted.size === 0) return;
      const ids = [...exhausted.keys()];
      for (const delivery of await deliveries.find({ _id: { $in: ids } }, { session }).toArray()) {
        const result = exhausted.get(delivery._id);
        if (result) await noteExhausted(session, delivery, result);
      }
    },
  });

  return {
    forAccount: (accountId: string) => ({
      /** Adds due deliveries. Existing ones stay unchanged: a repetition after a crash changes nothing. */
      async add(added: readonly NewTargetDelivery[]): Promise<void> {
        if (added.length === 0) return;
        const documents = added.map(
          (delivery): TargetDeliveryDocument => ({
            _id: webhookDeliveryId(delivery.endpointId, delivery.eventId),
            accountId,
            ...delivery,
            state: "pending",
            attempts: 0,
            dueAt: delivery.at,
            tries: [],
            answered: "untried",
          }),
        );
        await insertMissing(deliveries, documents);
        await wakeQueues(queued.lanes, documents);
      },

      /** States of the queues of these targets. */
      async queuesOf(targetIds: readonly string[]): Promise<ReadonlyMap<string, TargetQueueDocument>> {
        if (targetIds.length === 0) return new Map();
        const filter = { _id: { $in: [...targetIds] }, accountId };
        const { documents } = await readEach<TargetQueueDocument>((options) => queues.find(filter, options));
        return new Map(documents.map((one) => [one._id, one]));
      },

      /** Deliveries of a target, the latest notice first: ids contain the time of the notice. */
      list: (targetId: string, page: ListPage): Promise<TargetDeliveryDocument[]> =>
        readPage(deliveries, { accountId, endpointId: targetId }, page, "-_id", { projection: IN_LISTS }),

      /** Deliveries of the notices of an incident, the earliest first. */
      async listOfIncident(incidentId: string): Promise<TargetDeliveryDocument[]> {
        const { documents } = await readEach<TargetDeliveryDocument>(
          (options) =>
            deliveries
              .find({ accountId, incidentId }, { projection: WITH_HISTORY, ...options })
              .sort({ _id: 1 })
              .limit(MAX_OF_INCIDENT),
          deliveryFault,
        );
        return documents;
      },
    }),

    acrossAccounts: {
      ...createDeliveryQueue(queued, () => undefined),

      /** Records the start and the last time of a failure; undefined: a delivery was accepted. */
      async setFailing(
        { _id, accountId }: { readonly _id: string; readonly accountId: string },
        failing: { readonly since: Date; readonly at: Date } | undefined,
        _now: Date,
      ): Promise<void> {
        const update = failing
          ? { $set: { failingSince: failing.since, failedAt: failing.at } }
          : { $unset: { failingSince: "" as const, failedAt: "" as const } };
        await guarded(queues.updateOne({ _id, accountId }, update));
      },

      /** The list of targets shows a failure; no event is published. */
      publishFailing: async (): Promise<void> => undefined,

      /** Stores the results of attempts, each once. @throws Fault store.unavailable: repeating the write is safe */
      async record(ended: readonly WebhookResult[]): Promise<void> {
        await results.record(ended);
        const filter = {
          _id: { $in: ended.map(({ delivery }) => delivery._id) },
          incidentId: { $exists: true },
        };
        const projection = { accountId: 1, incidentId: 1 } as const;
        const found = await readEach<Pick<TargetDeliveryDocument, "_id" | "accountId" | "incidentId">>(
          (options) => deliveries.find(filter, { projection, ...options }),
        );
        for (const { accountId, incidentId = "" } of found.documents) noteIncidents(accountId, [incidentId]);
      },
    },
  };
}
