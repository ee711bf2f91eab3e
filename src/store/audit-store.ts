import type { Db, Filter } from "mongodb";
import { idBound } from "../shared/ids.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import { type AuditEntryDocument, type AuditOutcome, auditOutcomes } from "./audit/entry-document.ts";
import { readEach, type UnreadableDocument } from "./read-each.ts";

/** Entries that are asked for, newest first. */
export interface AuditPage {
  readonly actorId?: string | undefined;
  /** Any of these. */
  readonly actions?: readonly string[] | undefined;
  readonly targetId?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** From this time on. */
  readonly from?: Date | undefined;
  /** Before this time. */
  readonly until?: Date | undefined;
  /** The last entry of the page before. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

type Within = Pick<AuditPage, "from" | "until" | "beforeId" | "limit">;

/** The audit log: entries come in by `AuditLog`, and are read here. Whose they are is part of every query. */
export function createAuditStore(db: Db, log: AuditLog) {
  const entries = db.collection<AuditEntryDocument>("auditEntries");

  async function find(filter: Filter<AuditEntryDocument>, page: Within): Promise<AuditEntryDocument[]> {
    const whole = { ...filter, ...placeOf(page) };
    const { documents, unreadable } = await readEach<AuditEntryDocument>((options) =>
      entries.find(whole, options).sort({ _id: -1 }).limit(page.limit),
    );
    return [...documents, ...unreadable.map(damagedEntry)].sort((a, b) => (a._id > b._id ? -1 : 1));
  }

  const of = (accountId: string) => ({
    add: (...[audit, act]: Tail<Parameters<AuditLog["add"]>>) => log.add(accountId, audit, act),

    /** Newest first. */
    list({ actorId, actions, targetId, outcome, ...page }: AuditPage): Promise<AuditEntryDocument[]> {
      const filter = {
        accountId,
        ...(actorId !== undefined && { "actor.id": actorId }),
        ...(targetId !== undefined && { "target.id": targetId }),
        ...(actions !== undefined && { action: { $in: [...actions] } }),
        // Named in any case: so is every combination served by one of eight indexes instead of sixteen.
        outcome: outcome === undefined ? { $in: [...auditOutcomes] } : outcome,
      };
      return find(filter, page);
    },
  });

  return {
    forAccount: of,
    /** What is of no account, and what belongs to a person. */
    own: {
      installation: of(""),
      /** What concerns a user's own sessions and factors, newest first. */
      listOfUser: (userId: string, page: Within) => find({ userId }, page),
    },
  };
}

/** What is left of an entry that is damaged: it has its place among the others, so that lists go on behind it. */
function damagedEntry({ id, reason, fields }: UnreadableDocument): AuditEntryDocument {
  const [accountId, at] = [fields.get("accountId"), fields.get("at")];
  return {
    _id: id,
    accountId: typeof accountId === "string" ? accountId : "",
    at: at instanceof Date ? at : new Date(0),
    actor: { kind: "system", id: "", name: "" },
    action: "",
    target: { kind: "damaged", id: "", name: `the entry is damaged in the database: ${reason}` },
    changes: [],
    outcome: "changed",
    traceId: "",
    expireAt: new Date(0),
  };
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;

/** Ids begin with their time: a span of time, and a place in the list, are a range of ids. */
function placeOf({ from, until, beforeId }: Within): Filter<AuditEntryDocument> {
  const ends = [beforeId, until && idBound("aud", until)].filter((end) => end !== undefined);
  const end = ends.toSorted().at(0);
  const start = from && idBound("aud", from);
  if (end === undefined && start === undefined) return {};
  return { _id: { ...(end !== undefined && { $lt: end }), ...(start !== undefined && { $gte: start }) } };
}
