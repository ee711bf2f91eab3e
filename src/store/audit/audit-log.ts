import type { ClientSession, Db } from "mongodb";
import type { Audit } from "../../shared/audit.ts";
import type { ResourceUse } from "../../shared/fault.ts";
import { createIdsInOrder } from "../../shared/ids.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { type AuditedKind, auditedFields } from "../collections/collections.ts";
import { guarded } from "../store-fault.ts";
import { changesBetween, type State } from "./changes.ts";
import type { AuditChange, AuditEntryDocument, AuditTarget } from "./entry-document.ts";

/** A change of one resource. Both states were read and written by its transaction. */
export interface AuditedChange {
  readonly target: AuditTarget & { readonly kind: AuditedKind };
  /** Undefined: the resource did not exist. */
  readonly before: State;
  /** Undefined: the resource no longer exists. */
  readonly after: State;
  /** User with the entry in the own list, too. */
  readonly userId?: string | undefined;
  /** Resources that stop working because of the change. */
  readonly use?: ResourceUse | undefined;
}

/** An action, or a refusal, without a change. */
export interface AuditedAct
  extends Pick<AuditEntryDocument, "target" | "outcome" | "reason" | "count" | "since" | "userId"> {
  /** Maximum retention of the entry, if shorter than that of others. */
  readonly keepMs?: number;
}

/** Longer texts of callers are cut. */
const MAX_TEXT_LENGTH = 512;
const DAY_MS = 24 * 3_600_000;
export const DEFAULT_AUDIT_RETENTION_MS = 400 * DAY_MS;

export interface AuditLogOptions {
  /** Retention of entries. */
  readonly retentionMs: number;
  /** Called for a field of a stored document that `auditedFields` does not contain. */
  readonly onUnclassified?: ((path: string) => void) | undefined;
}

/** Writes entries of the audit log. No other code writes them, and entries never change. */
export interface AuditLog {
  /**
   * Writes the entry of a transaction's change within the transaction: both are stored, or none. States without a
   * visible difference leave no entry.
   * @param accountId owner of the log; empty: the installation
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
   * Writes the entry of an action without a change.
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

  /** Empty: no visible field has changed. */
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

/** Such as `["alert_rule pager","and 3 more"]`. */
function usedBy({ users, count }: ResourceUse): AuditChange {
  const more = count - users.length;
  const named = users.map(({ kind, name }) => `${kind} ${name}`);
  const before = JSON.stringify([...named, ...(more > 0 ? [`and ${more} more`] : [])]);
  return { field: "used_by", before };
}

function cut(text: string): string {
  return text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH - 1)}…`;
}
