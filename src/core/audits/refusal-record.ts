import { addressKey } from "../../message/address/address-key.ts";
import type { Refusal } from "../../rpc/run-call.ts";
import type { Audit } from "../../shared/audit.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import type { AuditTarget } from "../../store/audit/entry-document.ts";
import type { Store } from "../../store/store.ts";
import { createRefusalWindows } from "./refusal-windows.ts";

export interface RefusalRecordOptions {
  readonly store: Pick<Store, "forAccount" | "acrossAccounts" | "audit" | "users">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

/**
 * Writes refusals to the audit log after their callers have an answer, so that the time of the answer reveals
 * nothing.
 */
export interface RefusalRecord {
  record(refusal: Refusal): void;
  /** Writes the counts of finished windows. */
  flush(): void;
  /** Writes all counts, and resolves when everything is written. */
  close(): Promise<void>;
  /** Resolves when all pending entries are written; never rejects. */
  idle(): Promise<void>;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Refusals that any client can cause have a shorter retention time. */
export const UNAUTHENTICATED_KEPT_MS = 30 * 24 * HOUR_MS;

/** Number of refusals per minute and user with entries of their own; further ones are only counted. */
const OF_MEMBERS = { free: 10, windowMs: MINUTE_MS, mostWindows: 10_000 } as const;
/** Number of unauthenticated networks with their own window in each process; all others share one. */
const UNAUTHENTICATED_LIMITS = { free: 3, windowMs: HOUR_MS, mostWindows: 100 } as const;

/** Clients without a valid session. */
const USE = "session.use";
const OTHERS = { kind: "stranger", id: "others", name: "other networks" } as const;

export function createRefusalRecord({ store, clock, log }: RefusalRecordOptions): RefusalRecord {
  const pending = new Set<Promise<void>>();
  const members = createRefusalWindows<Refusal>({ ...OF_MEMBERS, clock, onCount: countOfMember });
  const unauthenticated = createRefusalWindows<Refusal>({
    ...UNAUTHENTICATED_LIMITS,
    clock,
    onCount: countUnauthenticated,
  });

  function write(writing: Promise<void>): void {
    const settled = writing.catch((error) =>
      log.warn({ err: error }, "a refusal could not be written to the audit log"),
    );
    pending.add(settled);
    void settled.finally(() => pending.delete(settled));
  }

  async function ofMember({ audit, fault, principal, accountId, target }: Refusal): Promise<void> {
    const act = { target: targetOf(audit.action, target), outcome: "refused", reason: fault.code } as const;
    const owner = principal ? principal.accountId : accountId;
    await logOf(owner).add(audit, { ...act, ...(principal && { userId: principal.userId }) });
  }

  async function recordUnauthenticated({ audit, fault, target: named }: Refusal): Promise<void> {
    const act = { outcome: "refused", reason: fault.code, keepMs: UNAUTHENTICATED_KEPT_MS } as const;
    if (audit.action === USE) {
      const target = { kind: "action", id: named, name: named };
      return store.audit.installation.add(audit, { ...act, target });
    }
    const user = named.includes("@") ? await store.users.findByEmail(addressKey(named.trim())) : null;
    // Text that is not an address may be a password.
    const name = named.includes("@") ? named : "";
    if (!user) return store.audit.installation.add(audit, { ...act, target: targetOf(audit.action, name) });
    const [first] = await store.acrossAccounts.members.ofUser(user._id);
    const target = { kind: "user", id: user._id, name: user.email };
    await logOf(first?.accountId ?? "").add(audit, { ...act, target, userId: user._id });
  }

  function countOfMember(count: number, since: Date, { audit, fault, principal, accountId }: Refusal): void {
    const act = { target: NOTHING, outcome: "refused", reason: fault.code, count, since } as const;
    const owner = principal ? principal.accountId : accountId;
    write(logOf(owner).add(audit, { ...act, ...(principal && { userId: principal.userId }) }));
  }

  function countUnauthenticated(
    count: number,
    since: Date,
    { audit, fault }: Refusal,
    shared: boolean,
  ): void {
    const act = { target: NOTHING, outcome: "refused", reason: fault.code, count, since } as const;
    const who: Audit = shared ? { ...audit, actor: OTHERS, clientAddress: "", clientAgent: "" } : audit;
    write(store.audit.installation.add(who, { ...act, keepMs: UNAUTHENTICATED_KEPT_MS }));
  }

  const logOf = (accountId: string) =>
    accountId === "" ? store.audit.installation : store.forAccount(accountId).audit;

  async function idle(): Promise<void> {
    while (pending.size > 0) await Promise.all(pending);
  }

  return {
    record: (refusal) => {
      const { principal, audit, fault } = refusal;
      // The client sent no session: opening the page without a session causes this.
      if (fault.code === "auth.session_missing") return;
      if (principal || audit.actor.kind !== "stranger") {
        if (members.admit(principal?.userId ?? audit.actor.id, refusal)) write(ofMember(refusal));
        return;
      }
      const isUse = fault.code === "auth.session_invalid";
      const known = isUse ? { ...refusal, audit: { ...audit, action: USE }, target: audit.action } : refusal;
      const name = `${known.audit.action} ${audit.actor.id}`;
      if (unauthenticated.admit(name, known)) write(recordUnauthenticated(known));
    },
    flush: () => {
      members.flush();
      unauthenticated.flush();
    },
    close: async () => {
      members.close();
      unauthenticated.close();
      await idle();
    },
    idle,
  };
}

const NOTHING: AuditTarget = { kind: "", id: "", name: "" };

/** Target of a request: an id, a name or any other text. */
function targetOf(action: string, named: string): AuditTarget {
  const [kind = ""] = action.split(".");
  return named === "" ? NOTHING : { kind, id: named, name: named };
}
