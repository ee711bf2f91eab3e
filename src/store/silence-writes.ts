import type { ClientSession, Db } from "mongodb";
import type { Silence } from "../alerts/mutes.ts";
import { endOfSilence, SILENCE_KEPT_MS } from "../alerts/silence-times.ts";
import type { Audit } from "../shared/audit.ts";
import { fault } from "../shared/fault.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import { checkRevision } from "./content-revision.ts";
import { incidentCollections } from "./incident-collections.ts";
import { type ListPage, readPage } from "./list-page.ts";
import { silenceRevision } from "./revisions.ts";
import { guarded } from "./store-fault.ts";

const MAX_SILENCES = 1_000;

/** A silence before its creation. */
export type NewSilence = Omit<Silence, "accountId">;

/** Content of a silence that a change replaces. */
export type SilenceContent = Omit<NewSilence, "_id" | "createdBy" | "createdAt">;

interface SilenceWritesOptions {
  readonly accountId: string;
  readonly db: Db;
  readonly writes: AuditedWrites;
  /** Increases the revision of the rule set. */
  readonly nextRevision: (session: ClientSession) => Promise<number>;
  /** Schedules suppressed incidents for evaluation. */
  readonly wakeHeld: (session: ClientSession, now: Date) => Promise<void>;
}

/** Silences of an account: a part of the rule set. */
export function createSilenceWrites({ accountId, db, writes, nextRevision, wakeHeld }: SilenceWritesOptions) {
  const { silences } = incidentCollections(db);
  const audited = writes.of("silence", silences);

  /** Silences that have not ended, at most `MAX_SILENCES` of each kind. */
  async function countRunning(session: ClientSession, now: Date): Promise<number> {
    const options = { session, limit: MAX_SILENCES };
    const once = await silences.countDocuments({ accountId, endsAt: { $gt: now } }, options);
    return once + (await silences.countDocuments({ accountId, recursUntil: { $gt: now } }, options));
  }

  return {
    /** @throws Fault silence.too_many */
    addSilence: (silence: NewSilence, audit: Audit): Promise<Silence> =>
      writes.transact(async (session) => {
        await nextRevision(session);
        if ((await countRunning(session, audit.now())) >= MAX_SILENCES) throw fault("silence.too_many");
        return audited.insert(session, audit, { ...silence, accountId });
      }),

    findSilence: (id: string) => guarded(silences.findOne({ _id: id, accountId })),

    /** Silences that have not ended or ended recently, the latest first. */
    listSilences: (page: ListPage) => readPage(silences, { accountId }, page, "-_id"),

    /**
     * Replaces the content of a silence that has not ended. Incidents that it suppresses are evaluated again at once.
     * @param contentOf called in the transaction
     * @param ifRevision the revision on which the change is based; undefined or empty: any
     * @returns null: there is no such silence
     * @throws Fault silence.ended, resource.stale
     */
    changeSilence: (
      id: string,
      contentOf: (before: Silence) => SilenceContent,
      audit: Audit,
      ifRevision?: string,
    ): Promise<Silence | null> =>
      writes.transact(async (session) => {
        const before = await silences.findOne({ _id: id, accountId }, { session });
        if (!before) return null;
        const now = audit.now();
        if (endOfSilence(before) <= now) throw fault("silence.ended");
        checkRevision(ifRevision, silenceRevision(before));
        const { createdBy, createdAt } = before;
        const after = { _id: id, accountId, createdBy, createdAt, ...contentOf(before) };
        if (silenceRevision(after) === silenceRevision(before)) return before;
        await nextRevision(session);
        const stored = await audited.update(session, audit, before, after);
        await wakeHeld(session, now);
        return stored;
      }),

    /** Ends a silence now. null: there is no such silence. An ended silence stays unchanged. */
    endSilence: (id: string, audit: Audit): Promise<Silence | null> =>
      writes.transact(async (session) => {
        const before = await silences.findOne({ _id: id, accountId }, { session });
        const now = audit.now();
        if (!before || endOfSilence(before) <= now) return before;
        await nextRevision(session);
        const end = before.weekly ? { recursUntil: now } : { endsAt: now };
        const expireAt = new Date(now.getTime() + SILENCE_KEPT_MS);
        const after = await audited.update(session, audit, before, { ...before, ...end, expireAt });
        await wakeHeld(session, now);
        return after;
      }),
  };
}
