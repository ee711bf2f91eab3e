import type { Document, IndexDescription } from "mongodb";
import type { AnyClasses, Classes } from "../audit/classes.ts";
import type { SealedFields } from "../sealing/sealing.ts";

/** Declares each collection of an area. `Documents` names them, with the type of their documents. */
export type Manifest<Documents> = {
  readonly [C in keyof Documents]: CollectionOfAccount<Documents[C]> | SharedCollection<Documents[C]>;
};

/** How an audit entry names a resource. */
export interface AuditedName {
  readonly name: string;
  /** The user whose own list has the entry, too. */
  readonly userId?: string;
}

interface Collection<T> {
  /** Created at start: creating an index that exists changes nothing. A sealed collection has one of `sealedWith` besides. */
  readonly indexes: readonly IndexDescription[];
  /** Kinds of targets in the audit log that are documents of the collection, with the class of every field; `{}`: none. */
  readonly audited: Readonly<Record<string, Classes<T>>>;
  /** Kinds of targets that are a part of a document, or a number of documents. */
  readonly auditedInPart?: Readonly<Record<string, AnyClasses>>;
  /** Names of targets, by kind, where documents say them. Entries of other kinds are named where they are written. */
  readonly named?: Readonly<Record<string, (document: T) => AuditedName>>;
  /** Missing: no field is encrypted. */
  readonly sealed?: SealedFields;
}

/** Every document belongs to one account, which its `accountId` names. */
interface CollectionOfAccount<T> extends Collection<T> {
  readonly deletion: Deletion;
  /** Lines of the account's export: from its documents, within lines of another kind, or a reason why they are omitted. */
  readonly export: Walk<T> | { readonly within: string } | { readonly omitted: string };
}

/** Documents that no single account owns: those of a user, who may be a member of several, or of the installation. */
interface SharedCollection<T> extends Collection<T> {
  readonly owner: "user" | "installation";
}

/**
 * When the documents of a deleted account go:
 *
 * - `begin`: with the account itself
 * - `access`: first, because they let somebody in or anything out
 * - `settings`: after the messages, which need them
 * - `messages`: with the messages, see `message-removal.ts`
 * - `index`: with the traces of its messages in the index of searches and in the journal
 * - `kept`: when they expire
 */
export type Deletion = "begin" | "access" | "settings" | "messages" | "index" | "kept";

/** How an export reads the documents of an account, page by page. */
export interface Walk<T = unknown> {
  /** One index has the account, `fixed`, and these fields, which name one document of the account. */
  readonly by: readonly [By<T>] | readonly [By<T>, By<T>];
  readonly fixed?: Document;
  /** Fields that no export has; `sealedWith` is stored beside fields that are encrypted. */
  readonly without?: readonly (FieldOf<T> | "sealedWith")[];
  /** Documents that are read at once; a hundred come in one answer of the server, so that no cursor can be lost. */
  readonly limit?: number;
  readonly faultOf?: (document: never) => string | undefined;
}
/** A field, ascending; `-` descending: documents that are created meanwhile are left out, however fast they come. */
export type By<T> = FieldOf<T> | `-${FieldOf<T>}`;
type FieldOf<T> = unknown extends T ? string : keyof T & string;

/** The limit for documents that may have some hundred kilobytes. */
export const FEW = 10;

/** Removes a document at its `expireAt`. */
export const EXPIRES = { key: { expireAt: 1 }, expireAfterSeconds: 0 } as const;

/** MongoDB's own index, named to create the collection at start: writes that create it together conflict. */
export const ID_ONLY = { key: { _id: 1 }, name: "_id_" } as const;

/** Limits an index to documents that have the field. */
export const ifPresent = (field: string) => ({ partialFilterExpression: { [field]: { $exists: true } } });

export const byName = ({ name }: { readonly name: string }): AuditedName => ({ name });
export const unnamed = (_document: object): AuditedName => ({ name: "" });
