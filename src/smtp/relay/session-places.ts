import { clientNetwork } from "../../shared/client-network.ts";
import { createSessionGroups } from "../../shared/session-groups.ts";
import { createOwnerPlaces, type OwnedSession } from "./owner-places.ts";
import { type Reply, reply } from "./reply.ts";

export interface SessionPlacesOptions {
  readonly maxSessions: number;
  /** Sessions of one client before they authenticate, at most. */
  readonly maxUnauthenticated: number;
  /** How long a session may take from its connection until it has authenticated, whatever it does meanwhile. */
  readonly authenticateWithinMs: number;
  /** The same while half of the places for those who have not are taken. */
  readonly authenticateUnderPressureMs: number;
  readonly onChange: (open: number) => void;
}

/** A session's place among those that are open. */
export interface SessionPlace {
  /**
   * It has authenticated; without an owner it keeps its place until it gives it back.
   * @returns a reply when its owner has too many transactions under way: it has to end then
   */
  authenticated(as?: Pick<OwnedSession, "owner" | "isIdle">): Reply | undefined;
  /** It has sent a message. */
  used(): void;
  unauthenticated(): void;
  release(): void;
}

export interface SessionPlaces {
  /**
   * A place for a session that has not authenticated yet. Where there is none, the oldest of those who have not, of
   * the client with the most of them, has to make room: silent sessions keep nobody out. Where all have authenticated,
   * it is an idle one of the account with the most.
   * @param end called when the session is to end, its place being gone
   */
  admit(address: string, end: (reason: Reply) => void): SessionPlace | Reply;
}

interface Guest {
  readonly client: string;
  readonly leave: (reason: Reply) => void;
}

const MAKE_ROOM = reply(421, "4.7.0", "Too many unauthenticated sessions. Try again later");
const TOO_LATE = reply(421, "4.7.0", "Authentication took too long");
const FULL = reply(421, "4.3.2", "Too many sessions. Try again later");

/**
 * Those who come may have so many places though all are taken, at the cost of idle sessions that have authenticated:
 * with fewer they would displace each other before they can authenticate.
 */
const LOBBY_SHARE = 1 / 16;

/** Bounds the sessions of the relay. Half of the places are only for those who have authenticated. */
export function createSessionPlaces(options: SessionPlacesOptions): SessionPlaces {
  const { maxSessions, maxUnauthenticated, authenticateWithinMs, authenticateUnderPressureMs } = options;
  const maxGuests = Math.ceil(maxSessions / 2);
  const lobby = Math.ceil(maxSessions * LOBBY_SHARE);
  /** Those who have not authenticated, by client, oldest first. */
  const guests = createSessionGroups<Guest>();
  const owners = createOwnerPlaces(maxSessions);
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

  /** Ends who has to go so that one more of this client may come. */
  function makeRoom(client: string): void {
    const own = guests.of(client);
    if (own.size >= maxUnauthenticated) first(own)?.leave(MAKE_ROOM);
    else if (guestCount < maxGuests && open < maxSessions) return;
    else if (guestCount >= lobby || !owners.makeRoom()) guests.inLargest(first)?.leave(MAKE_ROOM);
  }

  function admit(address: string, end: (reason: Reply) => void): SessionPlace | Reply {
    const client = clientNetwork(address);
    makeRoom(client);
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
