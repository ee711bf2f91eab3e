import type { ClientSession, Db } from "mongodb";
import { domainOf } from "../message/address/addresses.ts";
import type { Audit } from "../shared/audit.ts";
import { newId } from "../shared/ids.ts";
import { shownId } from "../shared/suppression-id.ts";
import type { AuditedWrites } from "./audited-writes.ts";
import type { SuppressionDocument } from "./documents.ts";
import type { ListedIds } from "./listed-ids.ts";
import { isLive, mergeSuppression, type NewSuppression } from "./merge-suppression.ts";
import type { OfAccount } from "./owner.ts";
import { type Addition, type AdditionPlan, planAdditions } from "./plan-additions.ts";
import type { Found } from "./read-each.ts";
import { damagedEntry, inOrder, inTimeOrder, live, readSuppressions } from "./readable-suppressions.ts";
import { guarded } from "./store-fault.ts";
import {
  pageFilter,
  type SuppressionFilter,
  type SuppressionPage,
  type SuppressionSpan,
  spanFilter,
} from "./suppression-page.ts";
import type { OutboxEvent } from "./webhook-delivery-documents.ts";
import type { WebhookOutbox } from "./webhook-outbox.ts";

/** Name of an entry: an address within a scope, which is all mail of the account without a policy. */
export interface SuppressionName {
  readonly accountId: string;
  readonly addressKey: string;
  readonly policy?: string | undefined;
}

/** `sup_` and a UUID. */
const FORMER_IDS = { $gte: "sup_", $lt: "sup`" } as const;

/** Number of entries per query. */
const READ_AT_ONCE = 1_000;

/** Neither account ids nor policy names contain a colon, so the id is as unique as its parts. */
export function suppressionId({ accountId, addressKey, policy = "" }: SuppressionName): string {
  return `${accountId}:${addressKey}:${policy}`;
}

/** @param listed missing: other processes also write to the database, so each lookup queries it */
export function createSuppressionStore(
  db: Db,
  writes: AuditedWrites,
  outbox: Pick<WebhookOutbox, "publish">,
  listed?: ListedIds,
) {
  const suppressions = db.collection<SuppressionDocument>("suppressions");
  const { change } = writes.entriesOf("suppression");

  /** Plans additions from the stored entries. */
  async function plan(
    added: readonly NewSuppression[],
    now: Date,
    session?: ClientSession,
  ): Promise<AdditionPlan> {
    const named = added.map((entry) => ({ _id: suppressionId(entry), ...entry }));
    const ids = [...new Set(named.map(({ _id }) => _id))];
    const known: Found<SuppressionDocument> = { documents: [], unreadable: [] };
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const $in = ids.slice(from, from + READ_AT_ONCE);
      const options = session === undefined ? {} : { session };
      const found = await readSuppressions(suppressions, { _id: { $in } }, options);
      known.documents.push(...found.documents);
      known.unreadable.push(...found.unreadable);
    }
    return planAdditions(known, named, now);
  }

  /** In one transaction: all are added, or none. */
  function addAll(
    added: readonly NewSuppression[],
    { now, accountId, audit }: { readonly now: Date; readonly accountId: string; readonly audit: Audit },
  ): Promise<readonly Addition[]> {
    return writes.transact(async (session) => {
      const { additions, writes: planned } = await plan(added, now, session);
      if (planned.length === 0) return additions;
      listed?.expect(planned.map(({ after }) => after._id));
      const replacements = planned.map(({ after: { _id, ...replacement } }) => ({
        replaceOne: { filter: { _id }, replacement, upsert: true },
      }));
      await suppressions.bulkWrite(replacements, { session });
      const changes = planned.map(({ before, after }) => change(before, after));
      await writes.noteEach(session, accountId, audit, changes);
      const fresh = planned.filter(({ before }) => !before || !isLive(before, now));
      const events = fresh.map(({ after }) => eventOf("suppression.created", after, now));
      await outbox.publish(session, accountId, events);
      return additions;
    });
  }

  /**
   * Removes entries in one transaction, and returns those that existed, including damaged ones.
   * @param isMeant missing: each of them is
   */
  function takeOff(
    ids: readonly string[],
    { now, accountId, audit }: { readonly now: Date; readonly accountId: string; readonly audit: Audit },
    isMeant: (entry: SuppressionDocument) => boolean = () => true,
  ): Promise<Map<string, SuppressionDocument>> {
    return writes.transact(async (session) => {
      const filter = { _id: { $in: [...new Set(ids)] } };
      const { documents, unreadable } = await readSuppressions(suppressions, filter, { session });
      const found = [...documents.filter((one) => isLive(one, now)), ...unreadable.map(damagedEntry)];
      const there = found.filter(isMeant);
      const gone = new Map(there.map((entry) => [entry._id, entry]));
      if (gone.size === 0) return gone;
      await suppressions.deleteMany({ _id: { $in: [...gone.keys()] } }, { session });
      const changes = there.map((entry) => change(entry, undefined));
      await writes.noteEach(session, accountId, audit, changes);
      const events = there.map((entry) => eventOf("suppression.deleted", entry, now));
      await outbox.publish(session, accountId, events);
      return gone;
    });
  }

  /**
   * The unexpired entries of the list among these. Queried by ids only: lists of accounts and addresses would compare
   * every pair.
   */
  async function findAmong(
    names: readonly SuppressionName[],
    now: Date,
  ): Promise<Found<SuppressionDocument>> {
    const ids = [...new Set(names.map(suppressionId))];
    const $in = listed ? listed.possible(ids) : ids;
    if ($in.length === 0) return { documents: [], unreadable: [] };
    return readSuppressions(suppressions, { _id: { $in }, ...live(now) });
  }

  return {
    /**
     * A single entry is queried by its id, which begins with the account's id: the owner in a damaged entry may be
     * unreadable.
     */
    forAccount: (accountId: string) => ({
      /**
       * Adds an address, or strengthens its entry: see `mergeSuppression`. Idempotent.
       * @returns the resulting entry
       */
      async add(entry: OfAccount<NewSuppression>, audit: Audit): Promise<SuppressionDocument> {
        const now = entry.createdAt;
        const [addition] = await addAll([{ ...entry, accountId }], { now, accountId, audit });
        return (addition as Addition).after;
      },

      /**
       * Adds addresses as `add` does, all or none.
       * @param entries at most 1,000
       * @returns one outcome for each
       */
      addMany(
        entries: readonly OfAccount<NewSuppression>[],
        now: Date,
        audit: Audit,
      ): Promise<readonly Addition[]> {
        const own = entries.map((entry) => ({ ...entry, accountId }));
        return addAll(own, { now, accountId, audit });
      },

      /** The outcome of `addMany` now, for any number of entries. */
      async preview(entries: readonly OfAccount<NewSuppression>[], now: Date): Promise<readonly Addition[]> {
        const own = entries.map((entry) => ({ ...entry, accountId }));
        return (await plan(own, now)).additions;
      },

      /** Removes one entry; null: there was none, or it had expired. */
      async remove(
        name: OfAccount<SuppressionName>,
        now: Date,
        audit: Audit,
      ): Promise<SuppressionDocument | null> {
        const _id = suppressionId({ ...name, accountId });
        return (await takeOff([_id], { now, accountId, audit })).get(_id) ?? null;
      },

      /**
       * Removes entries, all or none.
       * @param names at most 1,000
       * @returns one result for each; null: there was none, it had expired, or it is a duplicate
       */
      async removeMany(
        names: readonly OfAccount<SuppressionName>[],
        now: Date,
        audit: Audit,
      ): Promise<readonly (SuppressionDocument | null)[]> {
        const ids = names.map((name) => suppressionId({ ...name, accountId }));
        const gone = await takeOff(ids, { now, accountId, audit });
        return ids.map((id) => {
          const entry = gone.get(id) ?? null;
          gone.delete(id);
          return entry;
        });
      },

      /**
       * Removes the entries that still match, all or none.
       * @param names at most 1,000
       * @returns the public ids of entries that stay because they no longer match
       */
      async removeMeant(
        names: readonly OfAccount<SuppressionName>[],
        isMeant: (entry: SuppressionDocument) => boolean,
        now: Date,
        audit: Audit,
      ): Promise<ReadonlySet<string>> {
        const ids = names.map((name) => suppressionId({ ...name, accountId }));
        await takeOff(ids, { now, accountId, audit }, isMeant);
        const left = await readSuppressions(suppressions, { _id: { $in: ids }, ...live(now) });
        return new Set(inOrder(left).map(shownId));
      },

      /** Also finds a damaged entry; null: there is none, or it has expired. */
      async find(name: OfAccount<SuppressionName>, now: Date): Promise<SuppressionDocument | null> {
        const _id = suppressionId({ ...name, accountId });
        const [found] = inOrder(await readSuppressions(suppressions, { _id, ...live(now) }));
        return found ?? null;
      },

      /** The unexpired entries of the list among these. */
      findAmong: (names: readonly OfAccount<SuppressionName>[], now: Date) =>
        findAmong(
          names.map((name) => ({ ...name, accountId })),
          now,
        ),

      /** By address. */
      async list(page: SuppressionPage): Promise<SuppressionDocument[]> {
        const filter = { accountId, ...pageFilter(accountId, page), ...live(page.now) };
        const arranged: Arranged = (cursor) => cursor.sort({ _id: 1 }).limit(page.limit);
        return inOrder(await readSuppressions(suppressions, filter, { arranged }));
      },

      /** By creation time, newest first. */
      async listByTime({ limit, now, ...span }: SuppressionSpan): Promise<SuppressionDocument[]> {
        const filter = { ...spanFilter(accountId, span), ...live(now) };
        const arranged: Arranged = (cursor) => cursor.sort({ createdAt: -1, _id: -1 }).limit(limit);
        return inTimeOrder(await readSuppressions(suppressions, filter, { arranged }));
      },

      /** Number of entries with a reason, at most `limit`. */
      count: (
        { from, until, ...filter }: SuppressionFilter & Pick<SuppressionSpan, "from" | "until">,
        { limit, now }: { readonly limit: number; readonly now: Date },
      ): Promise<number> => {
        const isTimed = from !== undefined || until !== undefined;
        const span = isTimed ? spanFilter(accountId, { from, until }) : {};
        const page = pageFilter(accountId, { ...filter, limit, now });
        return guarded(
          suppressions.countDocuments({ accountId, ...page, ...span, ...live(now) } as object, { limit }),
        );
      },
    }),

    acrossAccounts: {
      /**
       * Replaces the random ids of a former release with the derived ids. Idempotent, also with concurrent calls.
       * @returns the number of such entries
       */
      async renameFormer(): Promise<number> {
        const { documents } = await readSuppressions(suppressions, { _id: FORMER_IDS });
        for (const { _id: former, ...entry } of documents) {
          const _id = suppressionId(entry);
          listed?.expect([_id]);
          await writes.transact(async (session) => {
            const { deletedCount } = await suppressions.deleteOne({ _id: former }, { session });
            if (deletedCount === 0) return;
            const known = await suppressions.findOne({ _id }, { session });
            const merged = known ? mergeSuppression(known, entry) : { _id, ...entry };
            const named = { ...merged, domain: domainOf(merged.addressKey) };
            await suppressions.replaceOne({ _id }, named, { upsert: true, session });
          });
        }
        return documents.length;
      },

      findAmong,

      /**
       * Reads the list if only this process writes to the database, so that `findAmong` sends no query for addresses
       * that are certainly not on the list. Continues where it stopped, and does nothing when it is complete.
       * @throws Fault store.unavailable: `findAmong` continues to query the database
       */
      readListed: async (signal: AbortSignal): Promise<void> => listed?.read(signal),
    },
  };
}

function eventOf(
  type: "suppression.created" | "suppression.deleted",
  { _id: _, accountId: __, domain: ___, ...entry }: SuppressionDocument,
  at: Date,
): OutboxEvent {
  const { addressKey } = entry;
  return { eventId: newId("evt", at), type, at, subject: { kind: "suppression", entry }, addressKey };
}

type Arranged = NonNullable<NonNullable<Parameters<typeof readSuppressions>[2]>["arranged"]>;
