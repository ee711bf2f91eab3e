import type { Priority } from "../../store/policy-document.ts";
import type { Destination, Feedback } from "../routing/destination-limits.ts";
import type { WaitingMessages } from "../routing/shares.ts";
import type { Capacity } from "./capacity.ts";
import type { Entry, Started } from "./entry.ts";

export interface Backlog {
  add(entry: Entry, destination: Destination): void;
  /** The next message, counted as in progress from now on; undefined: none may begin. */
  next(nowMs: number): Started | undefined;
  /** The turn of a message is over: the next one may begin. Repeated calls do nothing. */
  ended(started: Started, feedback: Feedback, nowMs: number): void;
  /** Removes a waiting message. */
  remove(id: string): Entry | undefined;
  /** Number of waiting messages by destination. */
  waiting(): Iterable<WaitingMessages>;
  /** Retries destinations at their limit, if one of their limits permits more now. */
  reconsider(permitsMore: (limitKey: string) => boolean): void;
  /** Time at which a paused destination may continue; infinity: none is paused. */
  wakesAtMs(): number;
}

/** Messages of one account to one destination, in one class: submissions take turns. */
interface Station {
  readonly destination: Destination;
  readonly line: Line;
  readonly submissions: Map<string, Map<string, Entry>>;
  /** Messages in the submissions. */
  count: number;
  /** While it takes no turns: time at which it may continue; infinity: after a delivery has ended. */
  blockedUntilMs: number;
}

/** Messages of one account in one class: destinations take turns. */
interface Line {
  readonly key: string;
  readonly priority: Priority;
  readonly stations: Map<string, Station>;
  /** Destinations that take turns; the account is in the ring of its class while there are any. */
  readonly ready: Station[];
}

export interface BacklogOptions {
  /** Concurrent deliveries. */
  readonly concurrency: number;
  readonly capacity: Capacity;
}

/** Transactional messages get four of five turns while both classes have messages. */
const turns: readonly Priority[] = [
  "transactional",
  "transactional",
  "transactional",
  "transactional",
  "bulk",
];
/** Maximum of one class in progress, so that slow servers of its messages leave capacity for the other class. */
const shareOf: Readonly<Record<Priority, number>> = { transactional: 0.9, bulk: 0.8 };
/**
 * A message that would leave too little capacity is checked again after this time, and a few of them after each end of a
 * delivery.
 */
const CAPACITY_RECHECK_MS = 50;
const CAPACITY_RECHECKS = 8;

/**
 * Decides the order: classes by weight, accounts in turn within a class, destinations in turn within an account, submissions in
 * turn within a destination, and then first come, first served. It skips destinations at their limit, and messages that would
 * leave too little capacity for others.
 */
export function createBacklog({ concurrency, capacity }: BacklogOptions): Backlog {
  const lines = new Map<string, Line>();
  const stationOf = new Map<string, Station>();
  const rings: Readonly<Record<Priority, Line[]>> = { transactional: [], bulk: [] };
  const blocked = new Set<Station>();
  /** Destinations that wait until a delivery under one of these limits ends. */
  const waitingFor = new Map<string, Set<Station>>();
  /** Destinations that would leave too little capacity. */
  const cramped = new Set<Station>();
  /** Messages in their turn. */
  const underWay: Readonly<Record<Priority, Set<Started>>> = { transactional: new Set(), bulk: new Set() };
  let wakesAtMs = Number.POSITIVE_INFINITY;
  let turn = 0;

  function stationFor({ message }: Entry, destination: Destination): Station {
    const { priority, accountId } = message;
    const key = `${priority} ${accountId}`;
    const line = lines.get(key) ?? { key, priority, stations: new Map(), ready: [] };
    lines.set(key, line);
    const known = line.stations.get(destination.key);
    if (known) return known;
    const station: Station = { destination, line, submissions: new Map(), count: 0, blockedUntilMs: 0 };
    line.stations.set(destination.key, station);
    getReady(station);
    return station;
  }

  function getReady(station: Station): void {
    const { line } = station;
    line.ready.push(station);
    if (line.ready.length === 1) rings[line.priority].push(line);
  }

  function block(station: Station, untilMs: number): void {
    station.blockedUntilMs = untilMs;
    blocked.add(station);
    wakesAtMs = Math.min(wakesAtMs, untilMs);
    if (untilMs !== Number.POSITIVE_INFINITY) return;
    for (const { key } of station.destination.limits) {
      const stations = waitingFor.get(key);
      if (stations) stations.add(station);
      else waitingFor.set(key, new Set([station]));
    }
  }

  function unblock(station: Station): void {
    if (!blocked.delete(station)) return;
    cramped.delete(station);
    for (const { key } of station.destination.limits) {
      const stations = waitingFor.get(key);
      stations?.delete(station);
      if (stations?.size === 0) waitingFor.delete(key);
    }
    getReady(station);
  }

  function wake(nowMs: number): void {
    if (nowMs < wakesAtMs) return;
    wakesAtMs = Number.POSITIVE_INFINITY;
    for (const station of [...blocked]) {
      if (station.blockedUntilMs <= nowMs) unblock(station);
      else wakesAtMs = Math.min(wakesAtMs, station.blockedUntilMs);
    }
  }

  /** The destination has no more waiting messages. */
  function dismiss({ line, destination }: Station): void {
    line.stations.delete(destination.key);
    if (line.stations.size === 0) lines.delete(line.key);
  }

  function takeFrom(station: Station, nowMs: number): Started | undefined {
    const { submissions, destination } = station;
    const pace = destination.pace(nowMs);
    for (const [traceId, entries] of submissions) {
      for (const [id, entry] of entries) {
        if (!capacity.allows(entry.message, pace)) break;
        entries.delete(id);
        stationOf.delete(id);
        station.count--;
        // The submission moves to the end of the queue.
        submissions.delete(traceId);
        if (entries.size > 0) submissions.set(traceId, entries);
        const started = { ...entry, destination, startedMs: nowMs };
        capacity.begin(started, pace);
        return started;
      }
    }
    return undefined;
  }

  function nextOfLine(line: Line, nowMs: number): Started | undefined {
    for (let station = line.ready.shift(); station; station = line.ready.shift()) {
      if (station.submissions.size === 0) {
        dismiss(station);
        continue;
      }
      const startsAtMs = station.destination.startsAtMs(nowMs);
      if (startsAtMs > nowMs) {
        block(station, startsAtMs);
        continue;
      }
      const started = takeFrom(station, nowMs);
      if (!started) {
        block(station, nowMs + CAPACITY_RECHECK_MS);
        cramped.add(station);
        continue;
      }
      line.ready.push(station);
      return started;
    }
    return undefined;
  }

  function nextOf(priority: Priority, nowMs: number): Started | undefined {
    const most = Math.max(1, Math.floor(concurrency * shareOf[priority]));
    if (underWay[priority].size >= most) return undefined;
    const ring = rings[priority];
    for (let line = ring.shift(); line; line = ring.shift()) {
      const started = nextOfLine(line, nowMs);
      if (!started) continue;
      ring.push(line);
      underWay[priority].add(started);
      started.destination.started(nowMs);
      return started;
    }
    return undefined;
  }

  return {
    add: (entry, destination) => {
      const station = stationFor(entry, destination);
      const { submissions } = station;
      const { traceId, _id: id } = entry.message;
      stationOf.set(id, station);
      station.count++;
      const entries = submissions.get(traceId);
      if (entries) entries.set(id, entry);
      else submissions.set(traceId, new Map([[id, entry]]));
    },
    next: (nowMs) => {
      capacity.age(nowMs);
      if (!capacity.hasSlot()) return undefined;
      wake(nowMs);
      const first = turns[turn++ % turns.length] ?? "transactional";
      return nextOf(first, nowMs) ?? nextOf(first === "bulk" ? "transactional" : "bulk", nowMs);
    },
    ended: (started, feedback, nowMs) => {
      const { message, destination, startedMs } = started;
      if (!underWay[message.priority].delete(started)) return;
      capacity.end(started);
      destination.ended(feedback, startedMs, nowMs);
      for (const { key } of destination.limits) {
        for (const station of [...(waitingFor.get(key) ?? [])]) unblock(station);
      }
      let rechecks = 0;
      for (const station of cramped) {
        if (rechecks++ === CAPACITY_RECHECKS) break;
        unblock(station);
      }
    },
    remove: (id) => {
      const station = stationOf.get(id);
      stationOf.delete(id);
      if (!station) return undefined;
      for (const [traceId, entries] of station.submissions) {
        const entry = entries.get(id);
        if (!entry) continue;
        entries.delete(id);
        station.count--;
        if (entries.size === 0) station.submissions.delete(traceId);
        return entry;
      }
      return undefined;
    },
    waiting: function* () {
      for (const { stations } of lines.values()) {
        for (const { destination, count } of stations.values()) {
          if (count > 0) yield { limits: destination.limits, count };
        }
      }
    },
    reconsider: (permitsMore) => {
      for (const station of [...blocked]) {
        if (station.destination.limits.some(({ key }) => permitsMore(key))) unblock(station);
      }
    },
    wakesAtMs: () => wakesAtMs,
  };
}
