import type { Db } from "mongodb";
import type { Firing, Incident } from "../alerts/incident.ts";
import type { HistoryEntry } from "../alerts/incident-history.ts";
import type { NotificationLimit } from "../alerts/notification-limit.ts";
import { createAlertCounterWriter } from "./alert-counters.ts";
import { type DamagedIncident, damagedIn } from "./alert-damage.ts";
import type { AlertDocument } from "./alert-documents.ts";
import { type AlertScan, type IncidentScan, scanAlerts, scanIncidents } from "./alert-lists.ts";
import { type AlertWork, createAlertWork, FIRINGS_PAGE, pagesOf } from "./alert-work.ts";
import { incidentCollections } from "./incident-collections.ts";
import type { NoteIncidents } from "./journal/note-deliveries.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

const MAX_HISTORY = 1_000;
/** A transaction may find damaged incidents one after the other. */
const MAX_SET_ASIDE = 100;

export interface IncidentStoreOptions {
  /** Called once for each incident that is set aside, after it is stored. */
  readonly onDamaged?: ((incident: DamagedIncident) => void) | undefined;
  /** Called with created and changed incidents, for open event streams. */
  readonly noteIncidents?: NoteIncidents | undefined;
}

export function createIncidentStore(
  db: Db,
  outbox: Pick<WebhookOutbox, "publish">,
  { onDamaged = () => undefined, noteIncidents = () => undefined }: IncidentStoreOptions = {},
) {
  const countAlerts = createAlertCounterWriter(db);
  const parts = { db, outbox, countAlerts, noteIncidents };
  const { alerts, incidents, firings, history, ceilings: limits } = incidentCollections(db);

  const inOne = <T>(accountId: string, work: (unit: AlertWork) => Promise<T>): Promise<T> =>
    guarded(
      inTransaction(db.client, (session) => work(createAlertWork(parts, session, accountId)), {
        retryDuplicates: true,
      }),
    );

  /**
   * Reads, decides and writes, atomically. Conflicting changes and damaged incidents cause a retry; damaged incidents
   * are set aside first. An unreadable earlier incident must not block the notification of an alert.
   */
  async function inUnit<T>(accountId: string, work: (unit: AlertWork) => Promise<T>): Promise<T> {
    for (let left = MAX_SET_ASIDE; ; left--) {
      try {
        return await inOne(accountId, work);
      } catch (error) {
        const damaged = damagedIn(error);
        if (damaged.length === 0 || left === 0) throw error;
        const closed = await inOne(accountId, (unit) => unit.setAside(damaged, new Date()));
        for (const one of closed) onDamaged(one);
      }
    }
  }

  async function readPages(
    accountId: string,
    incidentIds: readonly string[],
    take: (page: readonly Firing[]) => Promise<boolean>,
  ): Promise<void> {
    const found = firings.find(
      { incidentId: { $in: [...incidentIds] }, accountId },
      { batchSize: FIRINGS_PAGE },
    );
    for await (const page of pagesOf(found, FIRINGS_PAGE)) if (!(await take(page))) return;
  }

  return {
    forAccount: (accountId: string) => ({
      work: <T>(work: (unit: AlertWork) => Promise<T>) => inUnit(accountId, work),

      findByIdempotencyKey: (idempotencyKey: string) =>
        guarded(alerts.findOne({ accountId, idempotencyKey })),

      /** Removes an expired idempotency key. */
      async forgetIdempotencyKey(id: string): Promise<void> {
        const gone = { idempotencyKey: "", requestFingerprint: "" } as const;
        await guarded(alerts.updateOne({ _id: id, accountId }, { $unset: gone }));
      },

      findAlert: (id: string) => guarded(alerts.findOne({ _id: id, accountId })),

      /** The latest first. */
      listAlerts: (page: ListPage) => readPage(alerts, { accountId }, page, "-_id"),

      scanAlerts: (scan: AlertScan) => scanAlerts(alerts, accountId, scan),

      /** Existing alerts, unordered. */
      findAlerts: (ids: readonly string[]): Promise<AlertDocument[]> =>
        ids.length === 0
          ? Promise.resolve([])
          : guarded(alerts.find({ _id: { $in: [...ids] }, accountId }).toArray()),

      find: (id: string) => guarded(incidents.findOne({ _id: id, accountId })),

      /** Existing incidents, unordered. */
      findMany: (ids: readonly string[]): Promise<Incident[]> =>
        ids.length === 0
          ? Promise.resolve([])
          : guarded(incidents.find({ _id: { $in: [...ids] }, accountId }).toArray()),

      scan: (scan: IncidentScan) => scanIncidents(incidents, accountId, scan),

      /** The active alerts of an incident, the latest first. */
      listFirings: (incidentId: string, limit: number) =>
        guarded(firings.find({ incidentId, accountId }).sort({ lastAt: -1 }).limit(limit).toArray()),

      /** Reads the active alerts of incidents in pages, until `take` returns false. */
      readFirings: (
        incidentIds: readonly string[],
        take: (page: readonly Firing[]) => Promise<boolean>,
      ): Promise<void> => guarded(readPages(accountId, incidentIds, take)),

      /** The latest entries of an incident's history, the earliest of them first. */
      async listHistory(incidentId: string): Promise<HistoryEntry[]> {
        const found = history.find({ accountId, incidentId }).sort({ _id: -1 }).limit(MAX_HISTORY);
        return (await guarded(found.toArray())).reverse();
      },
    }),

    acrossAccounts: {
      /** Due incidents, the longest overdue first. Only readable ones. */
      async listDue(now: Date, limit: number): Promise<Pick<Incident, "_id" | "accountId" | "dueAt">[]> {
        const found = await readEach<Incident>((options) =>
          incidents
            .find({ dueAt: { $lte: now } }, { projection: { accountId: 1, dueAt: 1 }, ...options })
            .sort({ dueAt: 1 })
            .limit(limit),
        );
        return found.documents;
      },

      /** Recipients with due digests, in the same order. */
      async listDueLimits(
        now: Date,
        limit: number,
      ): Promise<Pick<NotificationLimit, "_id" | "accountId" | "dueAt">[]> {
        const found = await readEach<NotificationLimit>((options) =>
          limits
            .find({ dueAt: { $lte: now } }, { projection: { accountId: 1, dueAt: 1 }, ...options })
            .sort({ dueAt: 1 })
            .limit(limit),
        );
        return found.documents;
      },

      /** Claims one of them until a time; false: another worker has claimed it. */
      async claim(
        { _id, accountId, dueAt }: Pick<Incident, "_id" | "accountId" | "dueAt">,
        until: Date,
      ): Promise<boolean> {
        if (!dueAt) return false;
        const unclaimed = { _id, accountId, dueAt };
        const result = await guarded(incidents.updateOne(unclaimed, { $set: { dueAt: until } }));
        return result.matchedCount === 1;
      },

      /** Claims a digest in the same way. */
      async claimLimit(
        { _id, accountId, dueAt }: Pick<NotificationLimit, "_id" | "accountId" | "dueAt">,
        until: Date,
      ): Promise<boolean> {
        if (!dueAt) return false;
        const unclaimed = { _id, accountId, dueAt };
        const result = await guarded(limits.updateOne(unclaimed, { $set: { dueAt: until } }));
        return result.matchedCount === 1;
      },
    },
  };
}
