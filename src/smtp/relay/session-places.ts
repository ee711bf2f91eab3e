import { clientNetwork } from "./client-network.ts";
import { type Reply, reply } from "./reply.ts";

export interface SessionPlacesOptions {
  readonly maxSessions: number;
  /** Of one client, before they authenticate. */
  readonly maxUnauthenticated: number;
  /** How long a session may take from its connection until it has authenticated, whatever it does meanwhile. */
  readonly authenticateWithinMs: number;
  /** The same while half of the places for those who have not are taken. */
  readonly authenticateUnderPressureMs: number;
  readonly onChange: (open: number) => void;
}

/** A session's place among those that are open. */
export interface SessionPlace {
  authenticated(): void;
  unauthenticated(): void;
  release(): void;
}

export interface SessionPlaces {
  /**
   * A place for a session that has not authenticated yet. Where there is none, the oldest of those who have not, of
   * the client with the most of them, has to make room: silent sessions keep nobody out.
   * @param end called when the session is to end, its place being gone
   */
  admit(address: string, end: (reason: Reply) => void): SessionPlace | Reply;
}

interface Guest {
  readonly client: string;
  readonly leave: (reason: Reply) => void;
}

const MAKE_ROOM = reply(421, "4.7.0", "Too many sessions that have not authenticated; try again later");
const TOO_LATE = reply(421, "4.7.0", "Authentication took too long");
const FULL = reply(421, "4.3.2", "Too many sessions; try again later");

/** Bounds the sessions of the relay. Half of the places are only for those who have authenticated. */
export function createSessionPlaces(options: SessionPlacesOptions): SessionPlaces {
  const { maxSessions, maxUnauthenticated, authenticateWithinMs, authenticateUnderPressureMs } = options;
  const maxGuests = Math.ceil(maxSessions / 2);
  /** Those who have not authenticated, by client, oldest first. */
  const guests = new Map<string, Set<Guest>>();
  let guestCount = 0;
  let open = 0;

  function change(step: number): void {
    open += step;
    options.onChange(open);
  }

  function add(guest: Guest): void {
    const ofClient = guests.get(guest.client) ?? new Set();
    guests.set(guest.client, ofClient.add(guest));
    guestCount++;
  }

  function remove(guest: Guest): void {
    const ofClient = guests.get(guest.client);
    if (!ofClient?.delete(guest)) return;
    if (ofClient.size === 0) guests.delete(guest.client);
    guestCount--;
  }

  /** Who has to go so that one more of this client may come; undefined: nobody. */
  function oneTooMany(client: string): Guest | undefined {
    const own = guests.get(client);
    if (own && own.size >= maxUnauthenticated) return first(own);
    if (guestCount < maxGuests && open < maxSessions) return undefined;
    let most: Set<Guest> | undefined;
    for (const ofClient of guests.values()) if (ofClient.size > (most?.size ?? 0)) most = ofClient;
    return most && first(most);
  }

  function admit(address: string, end: (reason: Reply) => void): SessionPlace | Reply {
    const client = clientNetwork(address);
    oneTooMany(client)?.leave(MAKE_ROOM);
    if (open >= maxSessions) return FULL;
    let state: "guest" | "known" | "gone" = "gone";
    let timer: NodeJS.Timeout | undefined;
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

    become("guest");
    return {
      authenticated: () => state !== "gone" && become("known"),
      unauthenticated: () => state !== "gone" && become("guest"),
      release: () => become("gone"),
    };
  }

  return { admit };
}

function first(ofClient: ReadonlySet<Guest>): Guest | undefined {
  return ofClient.values().next().value;
}
