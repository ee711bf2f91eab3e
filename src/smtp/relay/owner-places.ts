import { createSessionGroups } from "../../shared/session-groups.ts";
import { type Reply, reply } from "./reply.ts";

/** The key and account that a session has authenticated with. */
export interface SessionOwner {
  readonly accountId: string;
  readonly keyId: string;
}

/** A session that has authenticated. */
export interface OwnedSession {
  readonly owner: SessionOwner;
  /** Whether it may end: no transaction is under way. */
  readonly isIdle: () => boolean;
  /** Ends it, and gives its place back at once. */
  readonly leave: (reason: Reply) => void;
}

export interface OwnerPlaces {
  /**
   * Takes a place. An owner who may have no more gives one up for it, that of the session that has been idle longest.
   * A reply: all of them have transactions under way, and no place is taken.
   */
  take(session: OwnedSession): Reply | undefined;
  /** It has sent a message: others have been idle longer. */
  used(session: OwnedSession): void;
  /** Gives its place back; a second time nothing. */
  give(session: OwnedSession): void;
  /** Ends an idle session of the account with the most; false: none has two, or those with two have none that is idle. */
  makeRoom(): boolean;
}

/** What one key, and one account, may have, as a multiple of what that leaves free for others: 1/2 and 3/4 of all. */
const KEY_PER_FREE = 1;
const ACCOUNT_PER_FREE = 3;

const OWN_ROOM = reply(421, "4.3.2", "This idle session was closed in favor of a newer session");
const ROOM_FOR_OTHERS = reply(421, "4.3.2", "This idle session was closed to free capacity for others");

/** Shares places among those who have authenticated: whoever has none gets one, whatever one account does. */
export function createOwnerPlaces(maxSessions: number): OwnerPlaces {
  /** Those who have been idle longest first. */
  const byAccount = createSessionGroups<OwnedSession>();
  const byKey = createSessionGroups<OwnedSession>();
  let count = 0;

  /** Whether the owner of these may have one more. */
  function mayGrow(own: ReadonlySet<OwnedSession>, perFree: number): boolean {
    return own.size === 0 || own.size + 1 <= (maxSessions - count - 1) * perFree;
  }

  function replace(own: ReadonlySet<OwnedSession>, what: string): Reply | undefined {
    const idle = firstIdle(own);
    idle?.leave(OWN_ROOM);
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
    makeRoom: () => {
      const idle = byAccount.inLargest((own) => (own.size > 1 ? firstIdle(own) : undefined));
      idle?.leave(ROOM_FOR_OTHERS);
      return idle !== undefined;
    },
  };
}

function firstIdle(own: ReadonlySet<OwnedSession>): OwnedSession | undefined {
  for (const session of own) if (session.isIdle()) return session;
  return undefined;
}
