import type { ClientSession, Db, Filter } from "mongodb";
import type { Ceiling, Firing, Incident, IncidentState } from "../alerts/incident.ts";
import type { IncidentNews, LedgerChanges } from "../alerts/ledger.ts";
import type { InhibitionSource } from "../alerts/mutes.ts";
import { newId } from "../shared/ids.ts";
import type { AlertDocument, AlertRuleVersionDocument } from "./alert-documents.ts";
import { type OfVersion, ruleVersionIds } from "./alert-rule-store.ts";
import { incidentCollections, wakeUpdate } from "./incident-collections.ts";
import type { ListPage } from "./list-page.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";
import type { ToldChange } from "./webhook-delivery-documents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** A rule and a group of its alerts. */
export interface IncidentKey {
  readonly ruleId: string;
  readonly groupKey: string;
}

/** What one transaction reads and writes of an account's alerts. */
export interface AlertWork {
  /** Of the book; 0: there is none. */
  revision(): Promise<number>;
  openIncidents(keys: readonly IncidentKey[]): Promise<Incident[]>;
  /** Those that were opened since. */
  incidentsSince(keys: readonly IncidentKey[], since: Date): Promise<Incident[]>;
  incidents(ids: readonly string[]): Promise<Incident[]>;
  /** By their own ids. */
  firings(ids: readonly string[]): Promise<Firing[]>;
  firingsOf(incidentIds: readonly string[]): Promise<Firing[]>;
  firingsWith(fingerprints: readonly string[]): Promise<Firing[]>;
  sources(names: readonly string[]): Promise<InhibitionSource[]>;
  ceilings(ids: readonly string[]): Promise<Ceiling[]>;
  ruleVersions(of: readonly OfVersion[]): Promise<AlertRuleVersionDocument[]>;
  /** Writes all that was decided. The last that a transaction does. @throws IdempotencyKeyTakenError */
  write(changes: LedgerChanges, alerts: readonly AlertDocument[], at: Date): Promise<void>;
}

/** An alert with one of these idempotency keys is there already: nothing was written. */
export class IdempotencyKeyTakenError extends Error {
  override readonly name = "IdempotencyKeyTakenError";
}

/** What of incidents may be asked for. */
export interface IncidentPage extends ListPage {
  readonly state?: IncidentState | undefined;
}

const MAX_FIRINGS_READ = 1_000;
const MAX_HISTORY = 1_000;

export function createIncidentStore(db: Db, outbox: Pick<WebhookOutbox, "tell">) {
  const collections = incidentCollections(db);
  const { alerts, books, versions, incidents, firings, history, ceilings, sources } = collections;

  function workIn(session: ClientSession, accountId: string): AlertWork {
    const byIds = (ids: readonly string[]) => ({ _id: { $in: [...ids] }, accountId });

    async function incidentsOf(keys: readonly IncidentKey[], which: Filter<Incident>): Promise<Incident[]> {
      if (keys.length === 0) return [];
      const nameOf = ({ ruleId, groupKey }: IncidentKey) => `${ruleId} ${groupKey}`;
      const asked = new Set(keys.map(nameOf));
      const ruleId = { $in: [...new Set(keys.map((key) => key.ruleId))] };
      const groupKey = { $in: [...new Set(keys.map((key) => key.groupKey))] };
      const found = await incidents.find({ accountId, ruleId, groupKey, ...which }, { session }).toArray();
      return found.filter((one) => asked.has(nameOf(one)));
    }

    async function refuseTakenKeys(added: readonly AlertDocument[]): Promise<void> {
      const keys = added.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
      if (keys.length === 0) return;
      const known = await alerts.findOne({ accountId, idempotencyKey: { $in: keys } }, { session });
      if (known || new Set(keys).size < keys.length) throw new IdempotencyKeyTakenError();
    }

    /** Ends what sources inhibited, and has looked at what they held back. */
    async function endSources(fingerprints: readonly string[], at: Date): Promise<void> {
      if (fingerprints.length === 0) return;
      const ended = { accountId, fingerprint: { $in: [...fingerprints] } };
      const { deletedCount } = await sources.deleteMany(ended, { session });
      if (deletedCount === 0) return;
      const held = { accountId, heldBy: "inhibited" as const, open: true as const };
      await incidents.updateMany(held, wakeUpdate(at), { session });
    }

    return {
      revision: async () => (await books.findOne({ _id: accountId, accountId }, { session }))?.revision ?? 0,

      openIncidents: (keys) => incidentsOf(keys, { open: true }),

      incidentsSince: (keys, since) => incidentsOf(keys, { openedAt: { $gt: since } }),

      incidents: async (ids) => (ids.length === 0 ? [] : incidents.find(byIds(ids), { session }).toArray()),

      firings: async (ids) => (ids.length === 0 ? [] : firings.find(byIds(ids), { session }).toArray()),

      async firingsOf(incidentIds) {
        const found: Firing[] = [];
        for (const incidentId of incidentIds) {
          const all = firings.find({ incidentId, accountId }, { session }).limit(MAX_FIRINGS_READ);
          found.push(...(await all.toArray()));
        }
        return found;
      },

      firingsWith: async (fingerprints) =>
        fingerprints.length === 0
          ? []
          : firings.find({ accountId, fingerprint: { $in: [...fingerprints] } }, { session }).toArray(),

      sources: async (names) =>
        names.length === 0
          ? []
          : sources.find({ accountId, name: { $in: [...names] } }, { session }).toArray(),

      ceilings: async (ids) => (ids.length === 0 ? [] : ceilings.find(byIds(ids), { session }).toArray()),

      async ruleVersions(of) {
        const ids = ruleVersionIds(of);
        return ids.length === 0 ? [] : versions.find(byIds(ids), { session }).toArray();
      },

      async write(changes, added, at) {
        const options = { session };
        await refuseTakenKeys(added);
        if (added.length > 0) await alerts.insertMany([...added], options);
        await replaceAll(
          incidents,
          changes.incidents.map(({ after }) => after),
          session,
        );
        await replaceAll(firings, changes.firings, session);
        if (changes.removedFirings.length > 0)
          await firings.deleteMany(byIds(changes.removedFirings), options);
        await replaceAll(ceilings, changes.ceilings, session);
        await replaceAll(sources, changes.sources, session);
        await endSources(changes.endedSources, at);
        if (changes.history.length > 0) await history.insertMany([...changes.history], options);
        await outbox.tell(session, accountId, [
          ...added.map(toldOfAlert),
          ...changes.news.map(toldOfIncident),
        ]);
      },
    };
  }

  /** Reads, decides and writes: all of it, or nothing. What others have changed meanwhile makes it begin again. */
  const inTurn = <T>(accountId: string, work: (unit: AlertWork) => Promise<T>): Promise<T> =>
    guarded(
      inTransaction(db.client, (session) => work(workIn(session, accountId)), { retryDuplicates: true }),
    );

  return {
    forAccount: (accountId: string) => ({
      work: <T>(work: (unit: AlertWork) => Promise<T>) => inTurn(accountId, work),

      findByIdempotencyKey: (idempotencyKey: string) =>
        guarded(alerts.findOne({ accountId, idempotencyKey })),

      /** Lets an idempotency key go that is remembered no longer. */
      async forgetIdempotencyKey(id: string): Promise<void> {
        const gone = { idempotencyKey: "", requestFingerprint: "" } as const;
        await guarded(alerts.updateOne({ _id: id, accountId }, { $unset: gone }));
      },

      findAlert: (id: string) => guarded(alerts.findOne({ _id: id, accountId })),

      /** The latest first. */
      listAlerts: ({ after, limit }: ListPage) =>
        guarded(
          alerts
            .find({ accountId, ...(after !== undefined && { _id: { $lt: after } }) })
            .sort({ _id: -1 })
            .limit(limit)
            .toArray(),
        ),

      find: (id: string) => guarded(incidents.findOne({ _id: id, accountId })),

      /** The latest first. */
      list: ({ after, limit, state }: IncidentPage) =>
        guarded(
          incidents
            .find({
              accountId,
              ...(state && { state }),
              ...(after !== undefined && { _id: { $lt: after } }),
            })
            .sort({ _id: -1 })
            .limit(limit)
            .toArray(),
        ),

      /** What fires of an incident. */
      listFirings: (incidentId: string) =>
        guarded(firings.find({ incidentId, accountId }).limit(MAX_FIRINGS_READ).toArray()),

      /** What happened to an incident, the earliest first. */
      listHistory: (incidentId: string) =>
        guarded(history.find({ accountId, incidentId }).sort({ _id: 1 }).limit(MAX_HISTORY).toArray()),
    }),

    acrossAccounts: {
      /** Incidents that are to be looked at, the longest overdue first; those that can be read. */
      async listDue(now: Date, limit: number): Promise<Pick<Incident, "_id" | "accountId" | "dueAt">[]> {
        const found = await readEach<Incident>((options) =>
          incidents
            .find({ dueAt: { $lte: now } }, { projection: { accountId: 1, dueAt: 1 }, ...options })
            .sort({ dueAt: 1 })
            .limit(limit),
        );
        return found.documents;
      },

      /** Recipients whose digests are due, in the same way. */
      async listDueCeilings(
        now: Date,
        limit: number,
      ): Promise<Pick<Ceiling, "_id" | "accountId" | "dueAt">[]> {
        const found = await readEach<Ceiling>((options) =>
          ceilings
            .find({ dueAt: { $lte: now } }, { projection: { accountId: 1, dueAt: 1 }, ...options })
            .sort({ dueAt: 1 })
            .limit(limit),
        );
        return found.documents;
      },

      /** Takes one of them, so that nobody else does until then; false: somebody else has. */
      async claim(
        { _id, accountId, dueAt }: Pick<Incident, "_id" | "accountId" | "dueAt">,
        until: Date,
      ): Promise<boolean> {
        if (!dueAt) return false;
        const unclaimed = { _id, accountId, dueAt };
        const result = await guarded(incidents.updateOne(unclaimed, { $set: { dueAt: until } }));
        return result.matchedCount === 1;
      },

      /** The same for a digest. */
      async claimCeiling(
        { _id, accountId, dueAt }: Pick<Ceiling, "_id" | "accountId" | "dueAt">,
        until: Date,
      ): Promise<boolean> {
        if (!dueAt) return false;
        const unclaimed = { _id, accountId, dueAt };
        const result = await guarded(ceilings.updateOne(unclaimed, { $set: { dueAt: until } }));
        return result.matchedCount === 1;
      },
    },
  };
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

function toldOfAlert({ _id, at, traceId, status, alert, outcome }: AlertDocument): ToldChange {
  const { context: _, ...words } = alert;
  const told = { status: outcome.status, incidentIds: outcome.incidentIds };
  const subject = { kind: "alert", alertId: _id, traceId, status, alert: words, outcome: told } as const;
  return { eventId: `${_id}.received`, type: "alert.received", at, subject };
}

function toldOfIncident({ type, at, incident, detail }: IncidentNews): ToldChange {
  const { _id: incidentId, ruleName, state, severity, title, alerts, firing, openedAt } = incident;
  const { resolvedAt, latest } = incident;
  const told = { incidentId, ruleName, state, severity, title, alerts, firing, openedAt };
  const more = { latestAlertId: latest.alertId, detail, ...(resolvedAt && { resolvedAt }) };
  return { eventId: newId("evt", at), type, at, subject: { kind: "incident", ...told, ...more } };
}
