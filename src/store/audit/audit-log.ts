import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../../shared/audit.ts";
import type { ResourceUse } from "../../shared/fault.ts";
import { createIdsInOrder } from "../../shared/ids.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { type AuditedKind, auditedFields } from "../collections/collections.ts";
import { guarded } from "../store-fault.ts";
import { changesBetween, type State } from "./changes.ts";
import type { AuditChange, AuditEntryDocument, AuditTarget } from "./entry-document.ts";

/** What a change did to one resource; both states are those that its transaction has read and written. */
export interface AuditedChange {
  readonly target: AuditTarget & { readonly kind: AuditedKind };
  /** Undefined: it was not there. */
  readonly before: State;
  /** Undefined: it is not there any more. */
  readonly after: State;
  /** The user whose own list has the entry, too. */
  readonly userId?: string | undefined;
  /** Resources that stop working by it. */
  readonly use?: ResourceUse | undefined;
}

/** What was done or refused without a change. */
export interface AuditedAct
  extends Pick<AuditEntryDocument, "target" | "outcome" | "reason" | "count" | "since" | "userId"> {
  /** It is kept no longer than this, though others are. */
  readonly keepMs?: number;
}

/** Longer texts of callers are cut. */
const MAX_TEXT_LENGTH = 512;
const DAY_MS = 24 * 3_600_000;
export const DEFAULT_AUDIT_RETENTION_MS = 400 * DAY_MS;

export interface AuditLogOptions {
  /** How long entries are kept. */
  readonly retentionMs: number;
  /** Told of a field of a stored document that `auditedFields` does not know. */
  readonly onUnclassified?: ((path: string) => void) | undefined;
}

/** Writes entries of the audit log: nothing else does, and nothing changes one. */
export interface AuditLog {
  /**
   * Writes what a transaction changes, within it: both are stored, or none. States that differ in nothing that is shown leave
   * no entry.
   * @param accountId whose log it is; empty: the installation's
   */
  changed(session: ClientSession, accountId: string, audit: Audit, change: AuditedChange): Promise<void>;
  /** The same for many changes, in one write. */
  changedEach(
    session: ClientSession,
    accountId: string,
    audit: Audit,
    changes: readonly AuditedChange[],
  ): Promise<void>;
  /**
   * Writes what changes nothing.
   * @throws Fault store.unavailable
   */
  add(accountId: string, audit: Audit, act: AuditedAct): Promise<void>;
}

export function createAuditLog(db: Db, { retentionMs, onUnclassified }: AuditLogOptions): AuditLog {
  const entries = db.collection<AuditEntryDocument>("auditEntries");
  const newId = createIdsInOrder("aud");

  function entryOf(accountId: string, audit: Audit, act: AuditedAct): Omit<AuditEntryDocument, "changes"> {
    const at = audit.now();
    const { actor, action, traceId } = audit;
    const { target, outcome, keepMs = retentionMs, reason, count, since, userId } = act;
    return {
      _id: newId(at),
      accountId,
      at,
      actor: { kind: actor.kind, id: cut(actor.id), name: cut(actor.name) },
      ...withoutUndefined({
        userId: userId || undefined,
        sessionId: audit.sessionId || undefined,
        clientAddress: audit.clientAddress || undefined,
        clientAgent: cut(audit.clientAgent) || undefined,
        reason,
        count,
        since,
      }),
      action,
      target: { kind: target.kind, id: cut(target.id), name: cut(target.name) },
      outcome,
      traceId,
      expireAt: new Date(at.getTime() + Math.min(keepMs, retentionMs)),
    };
  }

  /** Empty: nothing that is shown became different. */
  function entriesOf(accountId: string, audit: Audit, change: AuditedChange): AuditEntryDocument[] {
    const { target, before, after, userId, use } = change;
    const changes = [
      ...changesBetween(auditedFields[target.kind], before, after, onUnclassified),
      ...(use && use.count > 0 ? [usedBy(use)] : []),
    ];
    if (changes.length === 0 && before && after) return [];
    const act = { target, outcome: "changed", ...withoutUndefined({ userId }) } as const;
    return [{ ...entryOf(accountId, audit, act), changes }];
  }

  return {
    changed: async (session, accountId, audit, change) => {
      const [entry] = entriesOf(accountId, audit, change);
      if (entry) await entries.insertOne(entry, { session });
    },

    changedEach: async (session, accountId, audit, changes) => {
      const written = changes.flatMap((change) => entriesOf(accountId, audit, change));
      if (written.length > 0) await entries.insertMany(written, { session });
    },

    add: async (accountId, audit, act) => {
      await guarded(entries.insertOne({ ...entryOf(accountId, audit, act), changes: [] }));
    },
  };
}

/** As `["alert_rule pager","and 3 more"]`. */
function usedBy({ users, count }: ResourceUse): AuditChange {
  const more = count - users.length;
  const named = users.map(({ kind, name }) => `${kind} ${name}`);
  const before = JSON.stringify([...named, ...(more > 0 ? [`and ${more} more`] : [])]);
  return { field: "used_by", before };
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}
