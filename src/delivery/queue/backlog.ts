import type { MessageBody } from "../../message/body.ts";
import type { MessageDocument } from "../../store/documents.ts";
import type { Priority } from "../../store/policy-document.ts";
import type { Destination, Feedback } from "../routing/destination-limits.ts";

/** A message that waits in memory for its turn. */
export interface Entry {
  readonly message: MessageDocument;
  /** When it is at hand. */
  readonly content: MessageBody | undefined;
  /** Of the lease under which it was read: under any other one it may be old news, and is not begun. */
  readonly epoch: number;
}

/** A message whose turn has come. */
export interface Started extends Entry {
  readonly destination: Destination;
  readonly startedMs: number;
}

export interface Backlog {
  add(entry: Entry, destination: Destination): void;
  /** The message that goes next, counted as under way from now on; undefined: none may go. */
  next(nowMs: number): Started | undefined;
  ended(started: Started, feedback: Feedback, nowMs: number): void;
  /** Takes a message out that waits. */
  remove(id: string): Entry | undefined;
  /** When a destination that asked to wait may be asked again; infinity: none does. */
  wakesAtMs(): number;
}

/** Messages of one class to one destination: accounts take turns. */
interface Station {
  readonly destination: Destination;
  readonly priority: Priority;
  readonly accounts: Map<string, Map<string, Entry>>;
  /** While it does not take its turns: when it may be asked again; infinity: once a delivery has ended. */
  blockedUntilMs: number;
}

/** Of five turns, four are for transactional messages while both classes have some. */
const turns: readonly Priority[] = [
  "transactional",
  "transactional",
  "transactional",
  "transactional",
  "bulk",
];
/** What one class may have under way, so that slow servers of its messages leave room for the other class. */
const shareOf: Readonly<Record<Priority, number>> = { transactional: 0.9, bulk: 0.8 };

/**
 * Decides whose turn it is: classes by weight, destinations in turn within a class, accounts in turn within a
 * destination, and then first come, first served. What a destination does not bear now is passed over.
 */
export function createBacklog({ concurrency }: { readonly concurrency: number }): Backlog {
  const stations = new Map<string, Station>();
  const stationOf = new Map<string, Station>();
  const rings: Readonly<Record<Priority, Station[]>> = { transactional: [], bulk: [] };
  const blocked = new Set<Station>();
  const underWay: Record<Priority, number> = { transactional: 0, bulk: 0 };
  let wakesAtMs = Number.POSITIVE_INFINITY;
  let turn = 0;

  function stationFor({ message }: Entry, destination: Destination): Station {
    const key = `${message.priority} ${destination.key}`;
    const known = stations.get(key);
    if (known) return known;
    const { priority } = message;
    const station: Station = { destination, priority, accounts: new Map(), blockedUntilMs: 0 };
    stations.set(key, station);
    rings[priority].push(station);
    return station;
  }

  function block(station: Station, untilMs: number): void {
    station.blockedUntilMs = untilMs;
    blocked.add(station);
    wakesAtMs = Math.min(wakesAtMs, untilMs);
  }

  function wake(nowMs: number): void {
    if (nowMs < wakesAtMs) return;
    wakesAtMs = Number.POSITIVE_INFINITY;
    for (const station of [...blocked]) {
      if (station.blockedUntilMs <= nowMs) unblock(station);
      else wakesAtMs = Math.min(wakesAtMs, station.blockedUntilMs);
    }
  }

  function unblock(station: Station): void {
    blocked.delete(station);
    rings[station.priority].push(station);
  }

  function takeFrom(station: Station): Entry | undefined {
    for (const [accountId, entries] of station.accounts) {
      // The account goes to the end of the line.
      station.accounts.delete(accountId);
      for (const [id, entry] of entries) {
        entries.delete(id);
        stationOf.delete(id);
        if (entries.size > 0) station.accounts.set(accountId, entries);
        return entry;
      }
    }
    return undefined;
  }

  function nextOf(priority: Priority, nowMs: number): Started | undefined {
    const most = Math.max(1, Math.floor(concurrency * shareOf[priority]));
    if (underWay[priority] >= most) return undefined;
    const ring = rings[priority];
    for (let station = ring.shift(); station; station = ring.shift()) {
      const startsAtMs = station.accounts.size > 0 ? station.destination.startsAtMs(nowMs) : nowMs;
      if (startsAtMs > nowMs) {
        block(station, startsAtMs);
        continue;
      }
      const entry = takeFrom(station);
      if (!entry) {
        stations.delete(`${priority} ${station.destination.key}`);
        continue;
      }
      ring.push(station);
      underWay[priority]++;
      station.destination.started(nowMs);
      return { ...entry, destination: station.destination, startedMs: nowMs };
    }
    return undefined;
  }

  return {
    add: (entry, destination) => {
      const station = stationFor(entry, destination);
      const { _id: id, accountId } = entry.message;
      const entries = station.accounts.get(accountId) ?? new Map<string, Entry>();
      entries.set(id, entry);
      station.accounts.set(accountId, entries);
      stationOf.set(id, station);
    },
    next: (nowMs) => {
      wake(nowMs);
      const first = turns[turn++ % turns.length] ?? "transactional";
      return nextOf(first, nowMs) ?? nextOf(first === "bulk" ? "transactional" : "bulk", nowMs);
    },
    ended: ({ message, destination, startedMs }, feedback, nowMs) => {
      underWay[message.priority]--;
      destination.ended(feedback, startedMs, nowMs);
      // A limit may be shared by several destinations (policies to one provider), so all are asked again.
      for (const station of [...blocked]) {
        if (station.blockedUntilMs === Number.POSITIVE_INFINITY) unblock(station);
      }
    },
    remove: (id) => {
      const station = stationOf.get(id);
      stationOf.delete(id);
      if (!station) return undefined;
      for (const [accountId, entries] of station.accounts) {
        const entry = entries.get(id);
        if (!entry) continue;
        entries.delete(id);
        if (entries.size === 0) station.accounts.delete(accountId);
        return entry;
      }
      return undefined;
    },
    wakesAtMs: () => wakesAtMs,
  };
}
