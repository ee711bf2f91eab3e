import type { ClientSession, Db, Filter } from "mongodb";
import { intelCollections } from "./intel-collections.ts";
import type {
  BlacklistState,
  BlacklistStateDocument,
  BlacklistWatchDocument,
  ListTrustDocument,
} from "./intel-documents.ts";
import type { ListPage } from "./list-page.ts";
import { readEach } from "./read-each.ts";
import { guarded, isDuplicateKey } from "./store-fault.ts";
import { inTransaction } from "./transaction.ts";

/** Filter of a workspace's subjects. Missing fields do not filter. */
export interface BlacklistWatchFilter {
  /** Keys of states. */
  readonly keys?: readonly string[];
  readonly subject?: string;
  readonly listIds: readonly string[];
  readonly state?: BlacklistState;
}

/** Maximum number of domains that one answer names for its subjects. */
const MAX_CONCERNED = 2_000;
/** Number of domains that are woken at once. */
const WOKEN_AT_ONCE = 1_000;

/** States of subjects at blacklists, and the watches on them. */
export function createBlacklistStore(db: Db) {
  const { states, trusts, watches, domains } = intelCollections(db);

  async function watchedAmong(keys: readonly string[], session?: ClientSession): Promise<Set<string>> {
    const found = watches.find(
      { key: { $in: [...keys] } },
      {
        projection: { key: 1 },
        ...(session && { session }),
      },
    );
    return new Set((await found.toArray()).map(({ key }) => key));
  }

  /**
   * Removes states that are no longer watched. A concurrent start of a watch writes to the state, so one of the two
   * operations is retried.
   * @returns the watched ones
   */
  async function keepWatched(keys: readonly string[]): Promise<Set<string>> {
    const watched = await guarded(watchedAmong(keys));
    const others = keys.filter((key) => !watched.has(key));
    if (others.length === 0) return watched;
    const forgetting = inTransaction(db.client, async (session) => {
      const late = await watchedAmong(others, session);
      const gone = others.filter((key) => !late.has(key));
      await states.deleteMany({ _id: { $in: gone } }, { session });
      return new Set([...watched, ...late]);
    });
    return guarded(forgetting);
  }

  return {
    /** States of subjects at lists by key, of all watchers. */
    async find(keys: readonly string[]): Promise<Map<string, BlacklistStateDocument>> {
      const found = await guarded(states.find({ _id: { $in: [...keys] } }).toArray());
      return new Map(found.map((one) => [one._id, one]));
    },

    /** Trust and budget of lists, by their ids. A list that was never queried has none. */
    async findTrusts(listIds: readonly string[]): Promise<Map<string, ListTrustDocument>> {
      const found = await guarded(trusts.find({ _id: { $in: [...listIds] } }).toArray());
      return new Map(found.map((one) => [one._id, one]));
    },

    forAccount: (accountId: string) => {
      const filterOf = (
        workspaceId: string,
        { keys, subject, listIds, state }: BlacklistWatchFilter,
        after?: string,
      ): Filter<BlacklistWatchDocument> => ({
        accountId,
        workspaceId,
        listId: { $in: [...listIds] },
        ...((keys || after !== undefined) && {
          key: { ...(keys && { $in: [...keys] }), ...(after !== undefined && { $gt: after }) },
        }),
        ...(subject !== undefined && { subject }),
        ...(state !== undefined && { state }),
      });

      return {
        /** By key. */
        list: (workspaceId: string, filter: BlacklistWatchFilter, { after, limit }: ListPage) =>
          guarded(
            watches
              .find(filterOf(workspaceId, filter, after))
              .sort({ key: 1 })
              .limit(limit)
              .toArray(),
          ),

        count: (workspaceId: string, filter: BlacklistWatchFilter) =>
          guarded(watches.countDocuments(filterOf(workspaceId, filter))),

        /** The domains of a workspace that these keys concern, up to the limit of one answer. */
        async concerned(workspaceId: string, keys: readonly string[]): Promise<Map<string, string[]>> {
          const filter = { accountId, workspaceId, subjects: { $in: [...keys] } };
          const projection = { subjects: 1 };
          const found = await guarded(domains.find(filter, { projection }).limit(MAX_CONCERNED).toArray());
          const of = new Map<string, string[]>(keys.map((key) => [key, []]));
          for (const { _id, subjects } of found) for (const key of subjects) of.get(key)?.push(_id);
          return of;
        },
      };
    },

    acrossAccounts: {
      /** Claims a list until a time. undefined: another process holds it. */
      async hold(listId: string, now: Date, until: Date): Promise<ListTrustDocument | undefined> {
        try {
          const filter = { _id: listId, heldUntil: { $lte: now } };
          const options = { upsert: true, returnDocument: "before" } as const;
          // A process that ends before it releases the list may have spent the budget.
          const change = { heldUntil: until, allowance: { queries: 0, at: now } };
          const before = await trusts.findOneAndUpdate(filter, { $set: change }, options);
          return { ...before, _id: listId, heldUntil: until };
        } catch (error) {
          if (isDuplicateKey(error)) return undefined;
          return guarded(Promise.reject(error));
        }
      },

      /** Releases a list, with its new state. */
      release: (trust: ListTrustDocument) =>
        guarded(trusts.replaceOne({ _id: trust._id }, trust, { upsert: true })),

      /** Number of subjects that are checked at a list. */
      count: (listId: string) => guarded(states.countDocuments({ listId })),

      /** Due subjects, the longest waiting first. */
      async listDue(listId: string, now: Date, limit: number): Promise<BlacklistStateDocument[]> {
        const find = (options: { readonly raw?: true }) =>
          states
            .find({ listId, dueAt: { $lte: now } }, options)
            .sort({ dueAt: 1 })
            .limit(limit);
        return (await readEach<BlacklistStateDocument>(find)).documents;
      },

      /** Stores the results of checks. */
      async keep(checked: readonly BlacklistStateDocument[]): Promise<void> {
        if (checked.length === 0) return;
        await guarded(
          states.bulkWrite(
            checked.map((state) => ({ replaceOne: { filter: { _id: state._id }, replacement: state } })),
            { ordered: false },
          ),
        );
      },

      async listUntold(limit: number): Promise<BlacklistStateDocument[]> {
        const find = (options: { readonly raw?: true }) =>
          states.find({ untold: true }, options).limit(limit);
        return (await readEach<BlacklistStateDocument>(find)).documents;
      },

      /** Updates the watches of a subject with its state, and schedules a check of its domains. */
      async report({ _id: key, state }: BlacklistStateDocument, now: Date): Promise<void> {
        await guarded(watches.updateMany({ key }, { $set: { state } }));
        const asleep = { subjects: key, dueAt: { $gt: now } };
        for (;;) {
          const found = await guarded(
            domains
              .find(asleep, { projection: { _id: 1 } })
              .limit(WOKEN_AT_ONCE)
              .toArray(),
          );
          const ids = found.map(({ _id }) => _id);
          if (ids.length > 0)
            await guarded(domains.updateMany({ _id: { $in: ids } }, { $min: { dueAt: now } }));
          if (ids.length < WOKEN_AT_ONCE) break;
        }
        await guarded(states.updateOne({ _id: key, state }, { $unset: { untold: "" } }));
      },

      keepWatched,

      /**
       * Removes unwatched states among the next ones by key, including those of disabled lists.
       * @returns the last processed key; undefined: the end
       */
      async sweep(after: string, limit: number): Promise<string | undefined> {
        const next = states
          .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(limit);
        const keys = (await guarded(next.toArray())).map(({ _id }) => _id);
        await keepWatched(keys);
        return keys.length < limit ? undefined : keys.at(-1);
      },
    },
  };
}
