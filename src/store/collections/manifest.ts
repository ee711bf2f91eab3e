import type { Document, IndexDescription } from "mongodb";
import type { AnyClasses, Classes } from "../audit/classes.ts";
import type { SealedFields } from "../sealing/sealing.ts";

/** Declares each collection of an area. `Documents` maps names to the types of their documents. */
export type Manifest<Documents> = {
  readonly [C in keyof Documents]: CollectionOfAccount<Documents[C]> | SharedCollection<Documents[C]>;
};

/** Name of a resource in an audit entry. */
export interface AuditedName {
  readonly name: string;
  /** User with the entry in the own list, too. */
  readonly userId?: string;
}

interface Collection<T> {
  /** Created at start; existing indexes stay. A sealed collection also has an index on `sealedWith`. */
  readonly indexes: readonly IndexDescription[];
  /** Kinds of audit targets that are documents of the collection, with the class of every field; `{}`: none. */
  readonly audited: Readonly<Record<string, Classes<T>>>;
  /** Kinds of audit targets that are a part of a document, or several documents. */
  readonly auditedInPart?: Readonly<Record<string, AnyClasses>>;
  /** Names of targets by kind, if documents contain them. Other entries get their names from the writer. */
  readonly named?: Readonly<Record<string, (document: T) => AuditedName>>;
  /**
   * The key on which a large installation shards a collection that grows with the mail or the requests. Missing: the
   * collection stays on one shard.
   */
  readonly shardKey?: Readonly<Record<string, 1 | "hashed">>;
  /** Missing: no field is encrypted. */
  readonly sealed?: SealedFields;
}

/** Every document belongs to one account, which its `accountId` names. */
interface CollectionOfAccount<T> extends Collection<T> {
  readonly deletion: Deletion;
  /**
   * How the account's export includes the documents: as lines, within lines of another kind, or omitted with a
   * reason.
   */
  readonly export: Walk<T> | { readonly within: string } | { readonly omitted: string };
}

/** Documents without a single owning account: of a user, who may be a member of several, or of the installation. */
interface SharedCollection<T> extends Collection<T> {
  readonly owner: "user" | "installation";
}

/**
 * Time of removal for the documents of a deleted account:
 *
 * - `begin`: with the account itself
 * - `access`: first, because they grant access or send data
 * - `settings`: after the messages, which need them
 * - `messages`: with the messages, see `message-removal.ts`
 * - `index`: with the traces of its messages in the search index and in the journal
 * - `kept`: when they expire
 */
export type Deletion = "begin" | "access" | "settings" | "messages" | "index" | "kept";

/** How an export reads the documents of an account, page by page. */
export interface Walk<T = unknown> {
  /** One index contains the account, `fixed`, and these fields, which identify one document of the account. */
  readonly by: readonly [By<T>] | readonly [By<T>, By<T>];
  readonly fixed?: Document;
  /** Fields that exports omit. `sealedWith` is stored beside encrypted fields. */
  readonly without?: readonly (FieldOf<T> | "sealedWith")[];
  /** Page size. One answer of the server contains 100 documents, so that no database cursor can be lost. */
  readonly limit?: number;
  readonly faultOf?: (document: never) => string | undefined;
}
/** A field, ascending, or with `-` descending: documents created during the walk are excluded, however many there are. */
export type By<T> = FieldOf<T> | `-${FieldOf<T>}`;
type FieldOf<T> = unknown extends T ? string : keyof T & string;

/** The limit for documents of several hundred kilobytes. */
export const FEW = 10;

/** Removes a document at its `expireAt`. */
export const EXPIRES = { key: { expireAt: 1 }, expireAfterSeconds: 0 } as const;

/** MongoDB's own index. It creates the collection at start: concurrent writes that create it would conflict. */
export const ID_ONLY = { key: { _id: 1 }, name: "_id_" } as const;

/** Messages, their contents and events: a message and its first event are on the same shard. */
export const BY_BUCKET = { bucket: 1 } as const;

/** Documents that are read and written by their ids. */
export const BY_HASHED_ID = { _id: "hashed" } as const;

/** Documents that are read by account: those of a small one are on one shard, those of a large one on several. */
export const BY_ACCOUNT = { accountId: 1, _id: 1 } as const;

/** Limits an index to documents that have the field. */
export const ifPresent = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

export const byName = ({ name }: { readonly name: string }): AuditedName => ({ name });
export const unnamed = (_document: object): AuditedName => ({ name: "" });
