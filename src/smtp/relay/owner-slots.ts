import { createSessionGroups } from "../../shared/session-groups.ts";
import { type Reply, reply } from "./reply.ts";

/** Key and account of an authenticated session. */
export interface SessionOwner {
  readonly accountId: string;
  readonly keyId: string;
}

/** An authenticated session. */
export interface OwnedSession {
  readonly owner: SessionOwner;
  /** Whether the session may end, because it has no transaction in progress. */
  readonly isIdle: () => boolean;
  /** Ends the session, and frees its slot immediately. */
  readonly leave: (reason: Reply) => void;
}

export interface OwnerSlots {
  /**
   * Takes a slot. An owner at its limit frees the slot of its session that has been idle longest.
   * @returns a reply: all sessions of the owner have transactions in progress, and no slot is taken
   */
  take(session: OwnedSession): Reply | undefined;
  /** Marks that the session sent a message, so others have been idle longer. */
  used(session: OwnedSession): void;
  /** Frees the slot. A second call has no effect. */
  give(session: OwnedSession): void;
  /**
   * Ends an idle session of the account with the most sessions. False: no account has two sessions, or those with two
   * have no idle one.
   */
  freeSlot(): boolean;
}

/** Slots of one key and of one account, as a multiple of the slots that this leaves free: 1/2 and 3/4 of all. */
const KEY_PER_FREE = 1;
const ACCOUNT_PER_FREE = 3;

const NEWER_SESSION = reply(421, "4.3.2", "This idle session was closed in favor of a newer session");
const CAPACITY_FOR_OTHERS = reply(421, "4.3.2", "This idle session was closed to free capacity for others");

/** Divides slots between authenticated owners: an owner without a session gets a slot, regardless of the load of one account. */
export function createOwnerSlots(maxSessions: number): OwnerSlots {
  /** Ordered by idle time, longest first. */
  const byAccount = createSessionGroups<OwnedSession>();
  const byKey = createSessionGroups<OwnedSession>();
  let count = 0;

  /** Whether the owner of these sessions may have one more. */
  function mayGrow(own: ReadonlySet<OwnedSession>, perFree: number): boolean {
    return own.size === 0 || own.size + 1 <= (maxSessions - count - 1) * perFree;
  }

  function replace(own: ReadonlySet<OwnedSession>, what: string): Reply | undefined {
    const idle = firstIdle(own);
    idle?.leave(NEWER_SESSION);
    return idle ? undefined : reply(421, "4.3.2", `Too many sessions of this ${what}. Try again later`);
  }

  function give(session: OwnedSession): void {
    const { accountId, keyId } = session.owner;
    if (!byAccount.remove(accountId, session)) return;
    byKey.remove(keyId, session);
    count--;
  }

  function add(session: OwnedSession): void {
    byAccount.add(session.owner.accountId, session);
    byKey.add(session.owner.keyId, session);
    count++;
  }

  return {
    take: (session) => {
      const ofKey = byKey.of(session.owner.keyId);
      const ofAccount = byAccount.of(session.owner.accountId);
      let refusal: Reply | undefined;
      if (!mayGrow(ofKey, KEY_PER_FREE)) refusal = replace(ofKey, "key");
      else if (!mayGrow(ofAccount, ACCOUNT_PER_FREE)) refusal = replace(ofAccount, "account");
      if (!refusal) add(session);
      return refusal;
    },
    used: (session) => {
      give(session);
      add(session);
    },
    give,
    freeSlot: () => {
      const idle = byAccount.inLargest((own) => (own.size > 1 ? firstIdle(own) : undefined));
      idle?.leave(CAPACITY_FOR_OTHERS);
      return idle !== undefined;
    },
  };
}

function firstIdle(own: ReadonlySet<OwnedSession>): OwnedSession | undefined {
  for (const session of own) if (session.isIdle()) return session;
  return undefined;
}
