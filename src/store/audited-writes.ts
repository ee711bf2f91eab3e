import { isDeepStrictEqual } from "node:util";
import type { ClientSession, Collection, Db, Filter } from "mongodb";
import type { Audit } from "../shared/audit.ts";
import type { ResourceUse } from "../shared/fault.ts";
import type { AuditedChange, AuditLog } from "./audit/audit-log.ts";
import { auditedNames, type NamedDocument, type NamedKind } from "./collections/collections.ts";
import type { AuditedName } from "./collections/manifest.ts";
import { checkRevision } from "./content-revision.ts";
import { guarded } from "./store-fault.ts";
import { inTransaction, type TransactionOptions } from "./transaction.ts";

/** Additional fields of an entry. */
export interface EntryOptions {
  /** Account of the log; empty: the installation. Missing: the document's own account. */
  readonly accountId?: string;
  /** Resources that stop working because of the change. */
  readonly use?: ResourceUse | undefined;
}

export interface WriteOptions extends EntryOptions {
  /** Revision on which the change is based; undefined or empty: any. */
  readonly ifRevision?: string | undefined;
}

/** Changes of resources by stores: in transactions, each with its audit entry. */
export type AuditedWrites = ReturnType<typeof createAuditedWrites>;

/** A document of any type. The driver's own types cannot be resolved for a type parameter. */
interface Stored {
  readonly _id: string;
  readonly accountId?: string;
}

export function createAuditedWrites(db: Db, log: AuditLog) {
  /**
   * Runs `work` in one transaction. All operations of `work` must use the session. A duplicate key retries it, because
   * `work` reads the current state. `retryDuplicates: false` is for work with a key that stays in use.
   * @throws Fault store.unavailable, and every error of `work`
   */
  const transact = <T>(
    work: (session: ClientSession) => Promise<T>,
    { retryDuplicates = true }: TransactionOptions = {},
  ): Promise<T> => guarded(inTransaction(db.client, work, { retryDuplicates }));

  /** Audit entries of one kind of resource, named by its documents. */
  function entriesOf<K extends NamedKind>(kind: K) {
    const nameOf = auditedNames[kind] as (document: NamedDocument<K>) => AuditedName;

    function change<D extends NamedDocument<K>>(before: D | undefined, after: D | undefined): AuditedChange {
      const document = (after ?? before) as D;
      const { name, userId } = nameOf(document);
      return { target: { kind, id: document._id, name }, before, after, userId };
    }

    return {
      change,
      /** Writes the entry of a change; `undefined` is a resource that does not exist. */
      async note<D extends NamedDocument<K>>(
        session: ClientSession,
        audit: Audit,
        before: D | undefined,
        after: D | undefined,
        { accountId = ((after ?? before) as Stored).accountId ?? "", use }: EntryOptions = {},
      ): Promise<void> {
        await log.changed(session, accountId, audit, { ...change(before, after), use });
      },
    };
  }

  /**
   * Writes to one collection, each with its audit entry. The first three are parts of a transaction; each of the
   * others is one.
   * @param revisionOf the revision of a document for `ifRevision`
   */
  function of<K extends NamedKind, D extends NamedDocument<K>>(
    kind: K,
    collection: Collection<D>,
    revisionOf: (document: D) => string = () => "",
  ) {
    const stored = collection as unknown as Collection<Stored>;
    const { note } = entriesOf(kind);
    const idOf = ({ _id, accountId }: Stored) => ({ _id, ...(accountId !== undefined && { accountId }) });

    async function insert(
      session: ClientSession,
      audit: Audit,
      document: D,
      options?: EntryOptions,
    ): Promise<D> {
      await stored.insertOne(document, { session });
      await note(session, audit, undefined, document, options);
      return document;
    }

    /** Writes the fields that differ, if any. */
    async function update(
      session: ClientSession,
      audit: Audit,
      before: D,
      after: D,
      options?: EntryOptions,
    ): Promise<D> {
      const difference = differenceOf(before, after);
      if (!difference) return before;
      await stored.updateOne(idOf(before), difference, { session });
      await note(session, audit, before, after, options);
      return after;
    }

    async function remove(session: ClientSession, audit: Audit, before: D, options?: EntryOptions) {
      await stored.deleteOne(idOf(before), { session });
      await note(session, audit, before, undefined, options);
    }

    async function find(session: ClientSession, filter: Filter<D>, ifRevision?: string): Promise<D | null> {
      const found = (await stored.findOne(filter as Filter<Stored>, { session })) as D | null;
      if (found) checkRevision(ifRevision, revisionOf(found));
      return found;
    }

    return {
      note,
      insert,
      update,
      remove,

      add: (document: D, audit: Audit, options?: EntryOptions): Promise<D> =>
        transact((session) => insert(session, audit, document, options), { retryDuplicates: false }),

      /**
       * @param make returns the new document; if it throws, nothing is written
       * @returns null: there is no such document
       * @throws Fault resource.stale
       */
      change: (
        filter: Filter<D>,
        audit: Audit,
        make: (before: D) => D,
        { ifRevision, ...options }: WriteOptions = {},
      ): Promise<D | null> =>
        transact(async (session) => {
          const before = await find(session, filter, ifRevision);
          return before && update(session, audit, before, make(before), options);
        }),

      /** @returns the former document; null: there was none. @throws Fault resource.stale */
      take: (
        filter: Filter<D>,
        audit: Audit,
        { ifRevision, ...options }: WriteOptions = {},
      ): Promise<D | null> =>
        transact(async (session) => {
          const before = await find(session, filter, ifRevision);
          if (before) await remove(session, audit, before, options);
          return before;
        }),
    };
  }

  return { transact, note: log.changed, noteEach: log.changedEach, addAct: log.add, entriesOf, of };
}

/** Update from `before` to `after`; undefined: they are equal. */
function differenceOf(before: object, after: object) {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...from.keys(), ...to.keys()])];
  const changed = names.filter((name) => !isDeepStrictEqual(from.get(name), to.get(name)));
  if (changed.length === 0) return undefined;
  const [gone, there] = [
    changed.filter((name) => to.get(name) === undefined),
    changed.filter((name) => to.get(name) !== undefined),
  ];
  return {
    ...(there.length > 0 && { $set: Object.fromEntries(there.map((name) => [name, to.get(name)])) }),
    ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, "" as const])) }),
  };
}
