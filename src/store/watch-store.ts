import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { newId } from "../shared/ids.ts";
import { MAX_HISTORY_POINTS } from "../shared/intel-retention.ts";
import type { AccountTransactions } from "./account-transactions.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { createFindChecks } from "./find-checks.ts";
import type { IntelAnswers, Keyed } from "./intel-answers.ts";
import { intelCollections } from "./intel-collections.ts";
import type {
  DomainStanding,
  ScorePointDocument,
  WatchedDomainDocument,
  WatchSettings,
} from "./intel-documents.ts";
import { type ListPage, readPage } from "./list-page.ts";
import type { CheckUse, ResourceUsers } from "./resource-users.ts";
import { watchRevision } from "./revisions.ts";
import { domainKeys } from "./search-keys.ts";
import { guarded } from "./store-fault.ts";
import { createSubjectWatches } from "./subject-watches.ts";
import { type Counted, tallyUpdate } from "./tally.ts";
import { createListWatches, type WatchFilter, type WatchOrder, type WatchPage } from "./watch-list.ts";
import { createWatchRuns } from "./watch-runs.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** Maximum number of domains of one workspace. */
export const MAX_DOMAINS = 10_000;

export interface NewWatch extends WatchSettings {
  readonly workspaceId: string;
  readonly clientId: string;
  readonly name: string;
  readonly nameUnicode: string;
  readonly subjects: readonly string[];
}

/** State of a domain without any results. */
const untouched: DomainStanding = {
  status: "pending",
  score: null,
  grade: null,
  coverage: null,
  scoreModel: null,
  findings: { critical: 0, warning: 0, info: 0 },
  findingIds: [],
  topFindings: [],
  listings: 0,
  lastError: null,
};

const NEVER_CHECKED = { mutes: [], scoreRank: -1, checkedRank: new Date(0), failures: 0, revision: 1 };

/** Watched domains, their results, and their changes. */
export function createWatchStore(
  db: Db,
  writes: AuditedWrites,
  parts: {
    readonly answers: IntelAnswers;
    readonly outbox: Pick<WebhookOutbox, "publish">;
    readonly transact: AccountTransactions;
    readonly users: ResourceUsers;
  },
) {
  const { answers, transact, users } = parts;
  const { workspaces, clients, domains, checks, points, changes } = intelCollections(db);
  const audited = writes.of("watched_domain", domains);
  const runs = createWatchRuns(db, parts);
  const list = createListWatches(domains);
  const { watch } = createSubjectWatches(db);

  return {
    acrossAccounts: runs,

    forAccount: (accountId: string) => {
      const inOne = <T>(work: (session: ClientSession) => Promise<T>) => transact(accountId, work);

      async function count(
        session: ClientSession,
        { workspaceId, clientId }: Pick<WatchedDomainDocument, "workspaceId" | "clientId">,
        before: Counted | undefined,
        after: Counted | undefined,
      ): Promise<void> {
        const update = tallyUpdate(before, after);
        if (!update) return;
        await workspaces.updateOne({ _id: workspaceId, accountId }, update, { session });
        await clients.updateOne({ _id: clientId, accountId }, update, { session });
      }

      /** @throws Fault client.unknown, client.archived */
      async function findOwner(session: ClientSession, clientId: string, workspaceId: string) {
        const owner = await clients.findOne({ _id: clientId, accountId }, { session });
        if (!owner || owner.workspaceId !== workspaceId) throw fault("client.unknown");
        if (owner.status === "archived") throw fault("client.archived");
        return owner;
      }

      /** Changes a domain with an audit entry. null: there is none. @throws Fault resource.stale */
      function change(
        id: string,
        audit: Audit,
        ifRevision: string | undefined,
        work: (session: ClientSession, before: WatchedDomainDocument) => Promise<WatchedDomainDocument>,
      ): Promise<WatchedDomainDocument | null> {
        return inOne(async (session) => {
          const before = await domains.findOne({ _id: id, accountId }, { session });
          if (!before) return null;
          checkRevision(ifRevision, watchRevision(before));
          const after = await work(session, before);
          const counts = { revision: before.revision + 1, edits: (before.edits ?? 0) + 1 };
          const written = { ...after, ...counts, updatedAt: audit.now() };
          await audited.update(session, audit, before, written);
          if (before.clientId === after.clientId) await count(session, after, before, after);
          else {
            await count(session, before, before, undefined);
            await count(session, after, undefined, after);
          }
          return written;
        });
      }

      return {
        find: (id: string) => guarded(domains.findOne({ _id: id, accountId })),

        /** In one of the orders. */
        list: (workspaceId: string, filter: WatchFilter, order: WatchOrder, page: WatchPage) =>
          list({ accountId, workspaceId }, filter, order, page),

        /** The names among these that a workspace watches. */
        async findNames(workspaceId: string, names: readonly string[]): Promise<Set<string>> {
          const asked = { accountId, workspaceId, name: { $in: [...names] } };
          const found = domains.find(asked, { projection: { name: 1 } });
          return new Set((await guarded(found.toArray())).map(({ name }) => name));
        },

        /** Subjects of the domains of a client: keys of states, without duplicates. */
        async subjectsOfClient(workspaceId: string, clientId: string): Promise<string[]> {
          const found = domains.find({ accountId, workspaceId, clientId }, { projection: { subjects: 1 } });
          return [...new Set((await guarded(found.toArray())).flatMap(({ subjects }) => subjects))];
        },

        ...createFindChecks(checks, accountId),

        /** The latest points of a domain since a time, the earliest first. */
        async history(domainId: string, since?: Date): Promise<ScorePointDocument[]> {
          const from = since && { at: { $gte: since } };
          const latest = points
            .find({ accountId, domainId, ...from })
            .sort({ at: -1 })
            .limit(MAX_HISTORY_POINTS);
          return (await guarded(latest.toArray())).reverse();
        },

        /** The last point before a time; null: there is none. */
        pointBefore: (domainId: string, at: Date): Promise<ScorePointDocument | null> =>
          guarded(points.findOne({ accountId, domainId, at: { $lte: at } }, { sort: { at: -1 } })),

        /** Changes of a domain since a time, the earliest first; at most the latest `most`. */
        async changesSince(workspaceId: string, domainId: string, since: Date, most: number) {
          const latest = changes
            .find({ accountId, workspaceId, domainId, at: { $gte: since } })
            .sort({ _id: -1 })
            .limit(most);
          return (await guarded(latest.toArray())).reverse();
        },

        /** Changes, the latest first. */
        listChanges: (workspaceId: string, domainId: string | undefined, page: ListPage) =>
          readPage(
            changes,
            { accountId, workspaceId, ...(domainId !== undefined && { domainId }) },
            page,
            "-_id",
          ),

        /**
         * @returns the domain, or the stored answer of the same request
         * @throws Fault client.unknown, client.archived, domain.duplicate, watched_domain.too_many,
         * idempotency.key_reused
         */
        add: (
          { nameUnicode, ...asked }: NewWatch,
          audit: Audit,
          keyed?: Keyed<WatchedDomainDocument>,
        ): Promise<{ readonly domain: WatchedDomainDocument } | { readonly answer: Uint8Array }> =>
          inOne(async (session) => {
            const earlier = keyed && (await answers.find(session, accountId, keyed));
            if (earlier) return { answer: earlier };
            const { workspaceId, clientId, name } = asked;
            const twin = await domains.findOne({ accountId, workspaceId, name }, { session });
            if (twin) throw duplicate(twin);
            await findOwner(session, clientId, workspaceId);
            const options = { session, limit: MAX_DOMAINS };
            if ((await domains.countDocuments({ accountId, workspaceId }, options)) >= MAX_DOMAINS)
              throw fault("watched_domain.too_many");
            const at = audit.now();
            const domain: WatchedDomainDocument = {
              _id: newId("dom", at),
              accountId,
              ...asked,
              ...untouched,
              ...(asked.paused ? { status: "paused" as const } : { dueAt: at }),
              searchKeys: domainKeys(name, nameUnicode),
              createdAt: at,
              updatedAt: at,
              ...NEVER_CHECKED,
            };
            await audited.insert(session, audit, domain);
            await watch(session, domain, [], domain.subjects, at);
            await count(session, domain, undefined, domain);
            if (keyed) await answers.add(session, accountId, keyed, domain);
            return { domain };
          }),

        /**
         * Replaces the settings of a domain, which is then checked immediately.
         * @param clientId another client of the same workspace; undefined: unchanged
         * @returns null: there is none
         * @throws Fault client.unknown, client.archived, resource.stale
         */
        update: (
          id: string,
          settings: WatchSettings & Pick<NewWatch, "subjects">,
          clientId: string | undefined,
          audit: Audit,
          ifRevision?: string,
        ): Promise<WatchedDomainDocument | null> =>
          change(id, audit, ifRevision, async (session, before) => {
            if (clientId !== undefined && clientId !== before.clientId)
              await findOwner(session, clientId, before.workspaceId);
            const { dueAt: _, ...kept } = before;
            const at = audit.now();
            await watch(session, before, before.subjects, settings.subjects, at);
            const wasPaused = before.paused && !settings.paused;
            const status = settings.paused ? "paused" : wasPaused ? "pending" : before.status;
            const due = settings.paused ? {} : { dueAt: at };
            return { ...kept, ...settings, ...due, status, clientId: clientId ?? before.clientId };
          }),

        /** @param until undefined: the mute is removed; null: there is no such domain */
        mute: (id: string, checkId: string, until: Date | undefined, audit: Audit, ifRevision?: string) =>
          change(id, audit, ifRevision, async (_session, before) => {
            const at = audit.now();
            const others = before.mutes.filter((one) => one.checkId !== checkId && one.until > at);
            const mutes = [...others, ...(until ? [{ checkId, until }] : [])];
            return { ...before, mutes, ...(!before.paused && { dueAt: at }) };
          }),

        /** Records a request for a check; false: another one was recorded since the domain was read. */
        async ask({ _id, askedAt }: WatchedDomainDocument, at: Date): Promise<boolean> {
          const unchanged = { _id, accountId, askedAt: askedAt ?? { $exists: false } };
          const result = await guarded(domains.updateOne(unchanged, { $set: { askedAt: at } }));
          return result.matchedCount === 1;
        },

        /** Removes a domain with all its data. False: there is none. */
        remove: (id: string, audit: Audit, check?: CheckUse, ifRevision?: string): Promise<boolean> =>
          inOne(async (session) => {
            await users.exclude(session, accountId);
            const before = await domains.findOne({ _id: id, accountId }, { session });
            if (!before) return false;
            checkRevision(ifRevision, watchRevision(before));
            const use = await users.ofWatch(session, accountId, id);
            check?.(use);
            await audited.remove(session, audit, before, { use });
            await checks.deleteOne({ _id: id, accountId }, { session });
            await points.deleteMany({ accountId, domainId: id }, { session });
            await changes.deleteMany(
              { accountId, workspaceId: before.workspaceId, domainId: id },
              { session },
            );
            await count(session, before, before, undefined);
            await watch(session, before, before.subjects, [], audit.now());
            return true;
          }),
      };
    },
  };
}

function duplicate({ _id, clientId, name }: WatchedDomainDocument) {
  return fault("domain.duplicate", {
    public: say("workspace_watches_already", { name }),
    existing: { id: _id, clientId },
  });
}
