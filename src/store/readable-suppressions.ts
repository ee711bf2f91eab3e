import type { ClientSession, Collection, Filter, FindCursor } from "mongodb";
import type { SuppressionDocument } from "./documents.ts";
import { type Found, readEach, type UnreadableDocument } from "./read-each.ts";

type Suppressions = Collection<SuppressionDocument>;

/** Entries that a filter finds. Entries on which the decision about a message cannot rely are returned separately. */
export function readSuppressions(
  suppressions: Suppressions,
  filter: Filter<SuppressionDocument>,
  { session, arranged = (cursor) => cursor }: ReadOptions = {},
): Promise<Found<SuppressionDocument>> {
  return readEach(
    (options) => arranged(suppressions.find(filter, { ...options, ...(session && { session }) })),
    suppressionFault,
  );
}

interface ReadOptions {
  readonly session?: ClientSession;
  /** Sorts and limits. */
  readonly arranged?: (cursor: FindCursor<SuppressionDocument>) => FindCursor<SuppressionDocument>;
}

/**
 * TTL deletion lags by a minute or more, so the filter excludes expired entries. An entry with an invalid expiry
 * counts as valid: the address may be one that must not receive mail.
 */
export function live(now: Date): Filter<SuppressionDocument> {
  return { expireAt: { $not: { $lte: now } } };
}

/** All found entries in the order of ids, with placeholders for damaged ones. */
export const inOrder = (found: Found<SuppressionDocument>) => together(found, byId);

/** The same, newest first. A page without its damaged entries would be taken for the last one. */
export const inTimeOrder = (found: Found<SuppressionDocument>) =>
  together(found, (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byId(b, a));

const byId = (a: SuppressionDocument, b: SuppressionDocument) =>
  Buffer.compare(Buffer.from(a._id), Buffer.from(b._id));

function together(
  { documents, unreadable }: Found<SuppressionDocument>,
  order: (a: SuppressionDocument, b: SuppressionDocument) => number,
): SuppressionDocument[] {
  return unreadable.length === 0 ? documents : [...documents, ...unreadable.map(damagedEntry)].sort(order);
}

/** Fields on which the decision about a message relies. */
function suppressionFault(document: SuppressionDocument): string | undefined {
  const { reason, createdAt, expireAt, policy, detail } = document;
  if (typeof reason !== "string") return "reason: it is not a string";
  if (!(createdAt instanceof Date) || Number.isNaN(createdAt.getTime())) return "createdAt: it is not a date";
  if (policy !== undefined && typeof policy !== "string") return "policy: it is not a string";
  if (expireAt !== undefined && !(expireAt instanceof Date)) return "expireAt: it is not a date";
  return detail === undefined || typeof detail === "string" ? undefined : "detail: it is not a string";
}

/** Placeholder for an unreadable entry: it is effective, and keeps its position. */
export function damagedEntry({ id, reason, fields }: UnreadableDocument): SuppressionDocument {
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === "string" ? value : undefined;
  };
  // The format of `suppressionId`: an address may contain a colon.
  const [, accountId = "", addressKey = "", policy = ""] = /^([^:]*):(.*):([^:]*)$/.exec(id) ?? [];
  const createdAt = fields.get("createdAt");
  return {
    _id: id,
    accountId,
    addressKey,
    address: text("address") ?? addressKey,
    ...(policy !== "" && { policy }),
    reason: "manual",
    detail: `the entry is damaged in the database: ${reason}`,
    createdAt: createdAt instanceof Date ? createdAt : new Date(0),
  };
}
