import { clientNetwork } from "../../shared/client-network.ts";
import { createSessionGroups } from "../../shared/session-groups.ts";
import { createOwnerSlots, type OwnedSession } from "./owner-slots.ts";
import { type Reply, reply } from "./reply.ts";

export interface SessionSlotsOptions {
  readonly maxSessions: number;
  /** Maximum number of unauthenticated sessions of one client. */
  readonly maxUnauthenticated: number;
  /** Time limit from the connection to the authentication, regardless of other commands. */
  readonly authenticateWithinMs: number;
  /** The same limit while half of the slots for unauthenticated sessions are taken. */
  readonly authenticateUnderPressureMs: number;
  readonly onChange: (open: number) => void;
}

/** Slot of an open session. */
export interface SessionSlot {
  /**
   * Marks the session as authenticated. Without an owner it keeps its slot until it frees it.
   * @returns a reply if its owner has too many transactions in progress: the session must end
   */
  authenticated(as?: Pick<OwnedSession, "owner" | "isIdle">): Reply | undefined;
  /** Marks that the session sent a message. */
  used(): void;
  unauthenticated(): void;
  release(): void;
}

export interface SessionSlots {
  /**
   * Takes a slot for a new, unauthenticated session. If there is none, the oldest unauthenticated session of the client
   * with the most of them must end, so that silent sessions block no others. If all sessions are authenticated, an idle
   * session of the account with the most sessions ends.
   * @param end called when the session must end because it lost its slot
   */
  admit(address: string, end: (reason: Reply) => void): SessionSlot | Reply;
}

interface Guest {
  readonly client: string;
  readonly leave: (reason: Reply) => void;
}

const TOO_MANY_UNAUTHENTICATED = reply(421, "4.7.0", "Too many unauthenticated sessions. Try again later");
const TOO_LATE = reply(421, "4.7.0", "Authentication took too long");
const FULL = reply(421, "4.3.2", "Too many sessions. Try again later");

/**
 * Share of slots that new sessions may have although all slots are taken, at the cost of idle authenticated sessions.
 * With fewer slots, new sessions would displace each other before they can authenticate.
 */
const LOBBY_SHARE = 1 / 16;

/** Limits the sessions of the relay. Half of the slots are reserved for authenticated sessions. */
export function createSessionSlots(options: SessionSlotsOptions): SessionSlots {
  const { maxSessions, maxUnauthenticated, authenticateWithinMs, authenticateUnderPressureMs } = options;
  const maxGuests = Math.ceil(maxSessions / 2);
  const lobby = Math.ceil(maxSessions * LOBBY_SHARE);
  /** Unauthenticated sessions, by client, oldest first. */
  const guests = createSessionGroups<Guest>();
  const owners = createOwnerSlots(maxSessions);
  let guestCount = 0;
  let open = 0;

  function change(step: number): void {
    open += step;
    options.onChange(open);
  }

  function add(guest: Guest): void {
    guests.add(guest.client, guest);
    guestCount++;
  }

  function remove(guest: Guest): void {
    if (guests.remove(guest.client, guest)) guestCount--;
  }

  /** Ends a session so that one more session of this client may come. */
  function freeSlot(client: string): void {
    const own = guests.of(client);
    if (own.size >= maxUnauthenticated) first(own)?.leave(TOO_MANY_UNAUTHENTICATED);
    else if (guestCount < maxGuests && open < maxSessions) return;
    else if (guestCount >= lobby || !owners.freeSlot())
      guests.inLargest(first)?.leave(TOO_MANY_UNAUTHENTICATED);
  }

  function admit(address: string, end: (reason: Reply) => void): SessionSlot | Reply {
    const client = clientNetwork(address);
    freeSlot(client);
    if (open >= maxSessions) return FULL;
    let state: "guest" | "known" | "gone" = "gone";
    let timer: NodeJS.Timeout | undefined;
    let owned: OwnedSession | undefined;
    const guest: Guest = {
      client,
      leave: (reason) => {
        become("gone");
        end(reason);
      },
    };

    function become(next: typeof state): void {
      if (state === next) return;
      if (state === "gone" || next === "gone") change(next === "gone" ? -1 : 1);
      state = next;
      clearTimeout(timer);
      if (next !== "known" && owned) {
        owners.give(owned);
        owned = undefined;
      }
      if (next === "guest") {
        add(guest);
        waitFor(Math.min(authenticateUnderPressureMs, authenticateWithinMs), 0);
      } else remove(guest);
    }

    function waitFor(ms: number, waitedMs: number): void {
      timer = setTimeout(() => {
        const leftMs = authenticateWithinMs - waitedMs - ms;
        if (leftMs <= 0 || guestCount >= maxGuests / 2) guest.leave(TOO_LATE);
        else waitFor(leftMs, waitedMs + ms);
      }, ms).unref();
    }

    function authenticated(as?: Pick<OwnedSession, "owner" | "isIdle">): Reply | undefined {
      if (state !== "guest") return undefined;
      const session = as && { ...as, leave: guest.leave };
      const refusal = session && owners.take(session);
      if (refusal) return refusal;
      owned = session;
      become("known");
      return undefined;
    }

    become("guest");
    return {
      authenticated,
      used: () => owned && owners.used(owned),
      unauthenticated: () => state !== "gone" && become("guest"),
      release: () => become("gone"),
    };
  }

  return { admit };
}

function first(ofClient: ReadonlySet<Guest>): Guest | undefined {
  return ofClient.values().next().value;
}
