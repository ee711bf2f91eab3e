import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { newId } from "../shared/ids.ts";
import type { AccountTransactions } from "./account-transactions.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { createFindChecks } from "./find-checks.ts";
import { createFindFindings } from "./find-findings.ts";
import { createFindWatchHistory } from "./find-watch-history.ts";
import { createFindWatches } from "./find-watches.ts";
import type { IntelAnswers, Keyed } from "./intel-answers.ts";
import { intelCollections } from "./intel-collections.ts";
import type { DomainStanding, WatchedDomainDocument, WatchSettings } from "./intel-documents.ts";
import type { NoteWatch } from "./journal/note-deliveries.ts";
import type { CheckUse, ResourceUsers } from "./resource-users.ts";
import { watchRevision } from "./revisions.ts";
import { domainKeys } from "./search-keys.ts";
import { guarded } from "./store-fault.ts";
import { createSubjectWatches } from "./subject-watches.ts";
import { createTallies } from "./tallies.ts";
import { createWatchRuns } from "./watch-runs.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** Maximum number of domains of one workspace. */
export const MAX_DOMAINS = 10_000;

export interface NewWatch extends WatchSettings {
  /** Missing: a new one. */
  readonly id?: string;
  readonly workspaceId: string;
  readonly clientId: string;
  readonly name: string;
  readonly nameUnicode: string;
  readonly subjects: readonly string[];
}

/** A change of some settings of a domain. Missing ones stay. */
export interface WatchAmendment {
  readonly paused?: boolean;
  readonly clientId?: string;
  /** Returns the new tags, or throws a Fault: then nothing is changed. */
  readonly tags?: (former: readonly string[]) => readonly string[];
  readonly notes?: string;
}

/** A mute of a check. */
export interface WantedMute {
  readonly checkId: string;
  /** Missing: the check is no longer muted. */
  readonly until?: Date | undefined;
  /** Empty: none. */
  readonly reason?: string;
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
  repairs: [],
  listings: 0,
  lastError: null,
  lastErrorParts: [],
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
    readonly noteWatch: NoteWatch;
  },
) {
  const { answers, transact, users } = parts;
  const { clients, domains, checks, points, changes } = intelCollections(db);
  const audited = writes.of("watched_domain", domains);
  const tallies = createTallies(db);
  const runs = createWatchRuns(db, { ...parts, tallies });
  const finder = createFindWatches(domains);
  const { watch } = createSubjectWatches(db);
  const findings = createFindFindings(domains);
  const history = createFindWatchHistory(points, changes);

  return {
    acrossAccounts: runs,

    forAccount: (accountId: string) => {
      const inOne = <T>(work: (session: ClientSession) => Promise<T>) => transact(accountId, work);

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
          if (after === before) return before;
          const counts = { revision: before.revision + 1, edits: (before.edits ?? 0) + 1 };
          const written = { ...after, ...counts, updatedAt: audit.now() };
          await audited.update(session, audit, before, written);
          const at = audit.now();
          if (before.clientId === after.clientId)
            await tallies.count(session, { of: after, before, after, at });
          else {
            await tallies.count(session, { of: before, before, at });
            await tallies.count(session, { of: after, after, at });
          }
          return written;
        });
      }

      return {
        ...finder(accountId),
        ...createFindChecks(checks, accountId),
        ...tallies.forAccount(accountId),
        ...findings(accountId),
        ...history(accountId),

        /**
         * @returns the domain, or the stored answer of the same request
         * @throws Fault client.unknown, client.archived, domain.duplicate, watched_domain.too_many,
         * idempotency.key_reused
         */
        add: (
          { id, nameUnicode, ...asked }: NewWatch,
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
              _id: id ?? newId("dom", at),
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
            await tallies.count(session, { of: domain, after: domain, at });
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

        /**
         * Pauses or resumes a domain, moves it to another client of its workspace, or changes its tags and notes. A domain
         * that is so already stays as it is.
         * @returns null: there is none
         * @throws Fault client.unknown, client.archived, those of `tags`
         */
        amend: (
          id: string,
          { paused, clientId, tags, notes }: WatchAmendment,
          audit: Audit,
        ): Promise<WatchedDomainDocument | null> =>
          change(id, audit, undefined, async (session, before) => {
            const isSwitched = paused !== undefined && paused !== before.paused;
            const isNoted = notes !== undefined;
            const owner = clientId ?? before.clientId;
            const former = {
              ...(tags && { tags: before.tags ?? [] }),
              ...(isNoted && { notes: before.notes ?? "" }),
            };
            const texts = { ...(tags && { tags: tags(before.tags ?? []) }), ...(isNoted && { notes }) };
            const isRewritten = !isDeepStrictEqual(texts, former);
            if (owner === before.clientId && !isSwitched && !isRewritten) return before;
            if (owner !== before.clientId) await findOwner(session, owner, before.workspaceId);
            const amended = { ...before, clientId: owner, ...(isRewritten && texts) };
            if (!isSwitched) return amended;
            const { dueAt: _, ...kept } = amended;
            return before.paused
              ? { ...kept, paused: false, status: "pending" as const, dueAt: audit.now() }
              : { ...kept, paused: true, status: "paused" as const };
          }),

        /** @returns null: there is no such domain. @param wanted without an end: the mute is removed */
        mute: (id: string, wanted: WantedMute, audit: Audit, ifRevision?: string) =>
          change(id, audit, ifRevision, async (_session, before) => {
            const at = audit.now();
            const { checkId, until, reason } = wanted;
            const others = before.mutes.filter((one) => one.checkId !== checkId && one.until > at);
            const mute = until && { checkId, until, ...(reason && { reason }), by: audit.actor, at };
            const mutes = [...others, ...(mute ? [mute] : [])];
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
            const at = audit.now();
            await tallies.count(session, { of: before, before, at });
            await watch(session, before, before.subjects, [], at);
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
