import type { Db, Filter } from "mongodb";
import { idBound } from "../shared/ids.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import { type AuditEntryDocument, type AuditOutcome, auditOutcomes } from "./audit/entry-document.ts";
import { readEach, type UnreadableDocument } from "./read-each.ts";

/** Requested entries, newest first. */
export interface AuditPage {
  readonly actorId?: string | undefined;
  /** Any of these actions. */
  readonly actions?: readonly string[] | undefined;
  readonly targetId?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
  /** The last entry of the previous page. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

type Within = Pick<AuditPage, "from" | "until" | "beforeId" | "limit">;

/** The audit log: `AuditLog` writes entries, and this store reads them. Every query names the owner. */
export function createAuditStore(db: Db, log: AuditLog) {
  const entries = db.collection<AuditEntryDocument>("auditEntries");

  async function find(filter: Filter<AuditEntryDocument>, page: Within): Promise<AuditEntryDocument[]> {
    const whole = { ...filter, ...rangeOf(page) };
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
        // Always filtered by outcome, so that eight indexes instead of sixteen serve every combination.
        outcome: outcome === undefined ? { $in: [...auditOutcomes] } : outcome,
      };
      return find(filter, page);
    },
  });

  return {
    forAccount: of,
    /** Entries without an account, and entries of a person. */
    own: {
      installation: of(""),
      /** Entries about a user's own sessions and factors, newest first. */
      listOfUser: (userId: string, page: Within) => find({ userId }, page),
    },
  };
}

/** Placeholder for a damaged entry. It keeps its position, so that lists continue after it. */
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

/** Ids begin with their time, so a time range and a list position are ranges of ids. */
function rangeOf({ from, until, beforeId }: Within): Filter<AuditEntryDocument> {
  const ends = [beforeId, until && idBound("aud", until)].filter((end) => end !== undefined);
  const end = ends.toSorted().at(0);
  const start = from && idBound("aud", from);
  if (end === undefined && start === undefined) return {};
  return { _id: { ...(end !== undefined && { $lt: end }), ...(start !== undefined && { $gte: start }) } };
}
