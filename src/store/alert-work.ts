import type { ClientSession, Db, Filter, FindCursor } from "mongodb";
import type { Firing, Incident } from "../alerts/incident.ts";
import type { InhibitionSource } from "../alerts/mutes.ts";
import type { NotificationLimit } from "../alerts/notification-limit.ts";
import { type AlertEnd, alertEndId } from "../alerts/occurrence.ts";
import type { FiringReading, UnitChanges } from "../alerts/unit-changes.ts";
import type { CountAlerts } from "./alert-counters.ts";
import {
  type DamagedIncident,
  soundEnds,
  soundFirings,
  soundIncidents,
  soundLimits,
} from "./alert-damage.ts";
import type { AlertDocument, AlertRuleVersionDocument } from "./alert-documents.ts";
import { eventOfAlert, eventOfIncident } from "./alert-events.ts";
import { type OfVersion, ruleVersionIds } from "./alert-rule-store.ts";
import { incidentCollections, wakeUpdate } from "./incident-collections.ts";
import type { NoteIncidents } from "./journal/note-deliveries.ts";
import { createSetAside } from "./set-aside-incidents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

export interface IncidentKey {
  readonly ruleId: string;
  readonly groupKey: string;
}

/** Reads and writes of one transaction on an account's alerts. */
export interface AlertWork {
  /** Revision of the rule set; 0: there is none. */
  revision(): Promise<number>;
  openIncidents(keys: readonly IncidentKey[]): Promise<Incident[]>;
  /** Incidents that were opened since this time. */
  incidentsSince(keys: readonly IncidentKey[], since: Date): Promise<Incident[]>;
  incidents(ids: readonly string[]): Promise<Incident[]>;
  firings(ids: readonly string[]): Promise<Firing[]>;
  /** The active alerts of an incident, in pages: the most severe first, or for `quietest` those with the oldest update first. */
  firingsOf(incidentId: string, reading: FiringReading): AsyncIterable<Firing[]>;
  firingsWith(fingerprints: readonly string[]): Promise<Firing[]>;
  alerts(ids: readonly string[]): Promise<AlertDocument[]>;
  /** Alerts of an incident, the latest first, in pages. */
  alertsOf(incidentId: string, limit: number): AsyncIterable<AlertDocument[]>;
  /** Latest report of an alert as active or resolved, in any incident or in none. */
  latestReport(fingerprint: string): Promise<AlertDocument | null>;
  sources(names: readonly string[]): Promise<InhibitionSource[]>;
  ceilings(ids: readonly string[]): Promise<NotificationLimit[]>;
  ends(fingerprints: readonly string[]): Promise<AlertEnd[]>;
  ruleVersions(of: readonly OfVersion[]): Promise<AlertRuleVersionDocument[]>;
  /** Closes damaged incidents without notification. The next alert opens a new incident. */
  setAside(damaged: readonly DamagedIncident[], at: Date): Promise<DamagedIncident[]>;
  /** Writes all changes, as the last operation of the transaction. @throws IdempotencyKeyTakenError */
  write(changes: UnitChanges, alerts: readonly AlertDocument[], at: Date): Promise<void>;
}

/** An alert with one of these idempotency keys exists already. Nothing was written. */
export class IdempotencyKeyTakenError extends Error {
  override readonly name = "IdempotencyKeyTakenError";
}

/** Active alerts that are loaded at a time. Their total number is unlimited. */
export const FIRINGS_PAGE = 500;
/** Stored alerts that are loaded at a time, each with up to 256 KB. */
const ALERTS_PAGE = 32;

export interface AlertWorkParts {
  readonly db: Db;
  readonly outbox: Pick<WebhookOutbox, "publish">;
  readonly countAlerts: CountAlerts;
  readonly noteIncidents: NoteIncidents;
}

export function createAlertWork(
  { db, outbox, countAlerts, noteIncidents }: AlertWorkParts,
  session: ClientSession,
  accountId: string,
): AlertWork {
  const {
    alerts,
    ruleSets,
    versions,
    incidents,
    firings,
    history,
    ceilings: limits,
    sources,
    ends,
  } = incidentCollections(db);
  const byIds = (ids: readonly string[]) => ({ _id: { $in: [...ids] }, accountId });

  async function incidentsOf(keys: readonly IncidentKey[], which: Filter<Incident>): Promise<Incident[]> {
    if (keys.length === 0) return [];
    const nameOf = ({ ruleId, groupKey }: IncidentKey) => `${ruleId} ${groupKey}`;
    const asked = new Set(keys.map(nameOf));
    const ruleId = { $in: [...new Set(keys.map((key) => key.ruleId))] };
    const groupKey = { $in: [...new Set(keys.map((key) => key.groupKey))] };
    const found = await incidents.find({ accountId, ruleId, groupKey, ...which }, { session }).toArray();
    return soundIncidents(found.filter((one) => asked.has(nameOf(one))));
  }

  async function refuseTakenKeys(added: readonly AlertDocument[]): Promise<void> {
    const keys = added.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    if (keys.length === 0) return;
    const known = await alerts.findOne({ accountId, idempotencyKey: { $in: keys } }, { session });
    if (known || new Set(keys).size < keys.length) throw new IdempotencyKeyTakenError();
  }

  /** Removes ended sources, and wakes the incidents that they inhibit. */
  async function endSources(fingerprints: readonly string[], at: Date): Promise<void> {
    if (fingerprints.length === 0) return;
    const ended = { accountId, fingerprint: { $in: [...fingerprints] } };
    const { deletedCount } = await sources.deleteMany(ended, { session });
    if (deletedCount === 0) return;
    await wakeInhibited(at);
  }

  /** Removes sources that are no longer an active alert, and wakes the incidents that they inhibit. */
  async function replaceSources(kept: UnitChanges["keptSources"], at: Date): Promise<void> {
    if (kept.length === 0) return;
    const fingerprint = { $in: kept.map((one) => one.fingerprint) };
    const stored = await sources.find({ accountId, fingerprint }, { session }).toArray();
    const left = new Set(kept.flatMap(({ ids }) => ids));
    const gone = stored.flatMap(({ _id }) => (left.has(_id) ? [] : [_id]));
    if (gone.length === 0) return;
    await sources.deleteMany(byIds(gone), { session });
    await wakeInhibited(at);
  }

  async function wakeInhibited(at: Date): Promise<void> {
    const held = { accountId, heldBy: "inhibited" as const, open: true as const };
    await incidents.updateMany(held, wakeUpdate(at), { session });
  }

  /**
   * Removes sources that are active in no incident any more. Two workers that end incidents of one alert concurrently write the
   * same sources: one of them retries and removes them.
   */
  async function releaseSources(released: readonly string[], at: Date): Promise<void> {
    if (released.length === 0) return;
    const filter = { accountId, fingerprint: { $in: [...released] } };
    const active = await firings.find(filter, { session, projection: { fingerprint: 1 } }).toArray();
    const left = new Set(active.map(({ fingerprint }) => fingerprint));
    const isLeft = { accountId, fingerprint: { $in: [...left] } };
    if (left.size > 0) await sources.updateMany(isLeft, { $set: { releasedAt: at } }, { session });
    await endSources(
      released.filter((fingerprint) => !left.has(fingerprint)),
      at,
    );
  }

  /** Removes the active alerts of ended incidents, of any number. */
  async function removeFirings(incidentIds: readonly string[], at: Date): Promise<void> {
    if (incidentIds.length === 0) return;
    const filter = { incidentId: { $in: [...incidentIds] }, accountId };
    const found = firings.find(filter, {
      session,
      projection: { fingerprint: 1 },
      batchSize: FIRINGS_PAGE,
    });
    const removed: string[][] = [];
    for await (const page of pagesOf(found, FIRINGS_PAGE))
      removed.push(page.map(({ fingerprint }) => fingerprint));
    await firings.deleteMany(filter, { session });
    for (const page of removed) await releaseSources(page, at);
  }

  return {
    revision: async () => (await ruleSets.findOne({ _id: accountId, accountId }, { session }))?.revision ?? 0,

    openIncidents: (keys) => incidentsOf(keys, { open: true }),

    incidentsSince: (keys, since) => incidentsOf(keys, { openedAt: { $gt: since } }),

    incidents: async (ids) =>
      ids.length === 0 ? [] : soundIncidents(await incidents.find(byIds(ids), { session }).toArray()),

    firings: async (ids) =>
      ids.length === 0 ? [] : soundFirings(await firings.find(byIds(ids), { session }).toArray()),

    async *firingsOf(incidentId, reading) {
      const filter = { incidentId, accountId, ...(reading === "untold" && { untold: true as const }) };
      const sort = reading === "quietest" ? ({ lastAt: 1 } as const) : ({ rank: -1, _id: 1 } as const);
      const found = firings.find(filter, { session, batchSize: FIRINGS_PAGE }).sort(sort);
      for await (const page of pagesOf(found, FIRINGS_PAGE)) yield soundFirings(page);
    },

    firingsWith: async (fingerprints) =>
      fingerprints.length === 0
        ? []
        : soundFirings(
            await firings.find({ accountId, fingerprint: { $in: [...fingerprints] } }, { session }).toArray(),
          ),

    alerts: async (ids) => (ids.length === 0 ? [] : alerts.find(byIds(ids), { session }).toArray()),

    alertsOf: (incidentId, limit) => {
      const filter = { accountId, "outcome.incidentIds": incidentId };
      const found = alerts.find(filter, { session, batchSize: ALERTS_PAGE }).sort({ _id: -1 }).limit(limit);
      return pagesOf(found, ALERTS_PAGE);
    },

    latestReport: async (fingerprint) => {
      const filter = { accountId, fingerprint, status: { $in: ["firing" as const, "resolved" as const] } };
      const [latest] = await alerts.find(filter, { session }).sort({ _id: -1 }).limit(1).toArray();
      return latest ?? null;
    },

    sources: async (names) =>
      names.length === 0 ? [] : sources.find({ accountId, name: { $in: [...names] } }, { session }).toArray(),

    ceilings: async (ids) =>
      ids.length === 0 ? [] : soundLimits(await limits.find(byIds(ids), { session }).toArray()),

    ends: async (fingerprints) =>
      fingerprints.length === 0
        ? []
        : soundEnds(
            await ends
              .find(byIds(fingerprints.map((one) => alertEndId(accountId, one))), { session })
              .toArray(),
          ),

    async ruleVersions(of) {
      const ids = ruleVersionIds(of);
      return ids.length === 0 ? [] : versions.find(byIds(ids), { session }).toArray();
    },

    setAside: createSetAside({ incidents, history, removeFirings, noteIncidents }, session, accountId),

    async write(changes, added, at) {
      const options = { session };
      await refuseTakenKeys(added);
      if (added.length > 0) await alerts.insertMany([...added], options);
      await countAlerts(session, accountId, added);
      await replaceAll(
        incidents,
        changes.incidents.map(({ after }) => after),
        session,
      );
      await replaceAll(firings, changes.firings, session);
      if (changes.removedFirings.length > 0) await firings.deleteMany(byIds(changes.removedFirings), options);
      for (const { severity, ids } of changes.notifiedFirings)
        await firings.updateMany(byIds(ids), { $set: { told: severity }, $unset: { untold: "" } }, options);
      await removeFirings(changes.emptied, at);
      await replaceAll(ends, changes.ends, session);
      await replaceAll(limits, changes.ceilings, session);
      await replaceSources(changes.keptSources, at);
      await replaceAll(sources, changes.sources, session);
      await endSources(changes.endedSources, at);
      await releaseSources(changes.releasedSources, at);
      if (changes.history.length > 0) await history.insertMany([...changes.history], options);
      await outbox.publish(session, accountId, [
        ...added.map(eventOfAlert),
        ...changes.news.map(eventOfIncident),
      ]);
      noteIncidents(
        accountId,
        changes.incidents.map(({ after }) => after._id),
      );
    },
  };
}

export async function* pagesOf<T>(cursor: FindCursor<T>, size: number): AsyncGenerator<T[]> {
  let page: T[] = [];
  for await (const one of cursor) {
    page.push(one);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function replaceAll<T extends { readonly _id: string; readonly accountId: string }>(
  collection: { bulkWrite(writes: never[], options: { session: ClientSession }): Promise<unknown> },
  documents: readonly T[],
  session: ClientSession,
): Promise<void> {
  if (documents.length === 0) return;
  const writes = documents.map((replacement) => ({
    replaceOne: {
      filter: { _id: replacement._id, accountId: replacement.accountId },
      replacement,
      upsert: true,
    },
  }));
  await collection.bulkWrite(writes as never[], { session });
}
