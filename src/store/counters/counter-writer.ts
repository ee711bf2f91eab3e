import { LRUCache } from "lru-cache";
import type { AnyBulkWriteOperation, ClientSession, Db } from "mongodb";
import type { AccountDocument } from "../documents.ts";
import {
  type CounterDimension,
  type CounterDocument,
  type CounterStep,
  counterDimensions,
  counterId,
  counterSteps,
  countersOf,
  keptMs,
  latencyField,
  MAX_VALUES,
  OTHER_KEY,
  startOf,
  stepMs,
} from "./counter-documents.ts";
import type { createSendingDays } from "./sending-days.ts";
import {
  type DimensionCounts,
  type DimensionLatencies,
  increment,
  type MinuteTally,
  type Tally,
} from "./tally.ts";

export interface CounterWriter {
  /** Adds to the counters, in a transaction. Removed accounts are not counted. */
  add(session: ClientSession, tally: Tally): Promise<void>;
}

/** Maximum size of the cached values of account days: a day counts as `DAY_SIZE` values in addition to its own. */
const MAX_KNOWN = 150_000;
const DAY_SIZE = 4;
/** Maximum number of days in one read: one of a large account has some hundred kilobytes. */
const DAYS_AT_ONCE = 100;

type KnownValues = ReadonlyMap<CounterDimension, ReadonlySet<string>>;

export function createCounterWriter(
  db: Db,
  sendingDays: Pick<ReturnType<typeof createSendingDays>, "add">,
): CounterWriter {
  const counters = countersOf(db);
  const accounts = db.collection<AccountDocument>("accounts");
  /** Values that were read for a day. They are never removed from it. */
  const known = new LRUCache<string, KnownValues>({
    maxSize: MAX_KNOWN,
    sizeCalculation: (values) => [...values.values()].reduce((sum, { size }) => sum + size, DAY_SIZE),
  });

  /** Reads the values of the days that have others than the cached ones. */
  async function readDays(session: ClientSession, days: ReadonlyMap<string, readonly MinuteTally[]>) {
    const unknown = [...days].flatMap(([day, minutes]) => {
      const values = known.get(day);
      return values && minutes.every(({ counts }) => isKnown(values, counts)) ? [] : day;
    });
    const read = new Map<string, KnownValues>();
    for (let from = 0; from < unknown.length; from += DAYS_AT_ONCE) {
      const $in = unknown.slice(from, from + DAYS_AT_ONCE);
      const found = await counters.find({ _id: { $in } }, { projection: VALUES, session }).toArray();
      for (const document of found) {
        const values = valuesOf(document);
        read.set(document._id, values);
        // Values that were read are stored. Values admitted later may not be, if the transaction retries.
        known.set(document._id, values);
      }
    }
    return (day: string): KnownValues | undefined => read.get(day) ?? known.get(day);
  }

  async function add(session: ClientSession, tally: Tally): Promise<void> {
    const minutes = tally.minutes();
    if (minutes.length === 0) return;
    const ids = [...new Set(minutes.map(({ accountId }) => accountId))];
    const found = accounts.find({ _id: { $in: ids } }, { projection: { _id: 1 }, session });
    const present = new Set((await found.toArray()).map(({ _id }) => _id));
    const days = new Map<string, MinuteTally[]>();
    for (const minute of minutes) {
      if (!present.has(minute.accountId)) continue;
      const day = counterId(minute.accountId, "day", startOf("day", minute.at));
      const same = days.get(day);
      if (same) same.push(minute);
      else days.set(day, [minute]);
    }
    const spans = new Map<string, Span>();
    // Concurrent additions of values to a day change the same document, so one of the transactions retries.
    const valuesOn = await readDays(session, days);
    for (const [day, ofDay] of days) {
      const values = admitted(valuesOn(day), ofDay);
      for (const minute of ofDay) addToSpans(spans, minute, values);
    }
    const operations = [...spans].map(([id, span]) => incrementOf(id, span));
    if (operations.length > 0) await counters.bulkWrite(operations, { session, ordered: false });
    await sendingDays.add(
      session,
      tally.sendingDays().filter(({ accountId }) => present.has(accountId)),
    );
  }

  return { add };
}

/** Increments of one document. */
interface Span {
  readonly accountId: string;
  readonly step: CounterStep;
  readonly at: Date;
  readonly counts: DimensionCounts;
  readonly latencies: DimensionLatencies;
}

function addToSpans(spans: Map<string, Span>, minute: MinuteTally, values: KnownValues): void {
  const { accountId, at, counts, latencies } = minute;
  for (const step of counterSteps) {
    const start = startOf(step, at);
    const id = counterId(accountId, step, start);
    const span = spans.get(id) ?? { accountId, step, at: start, counts: new Map(), latencies: new Map() };
    spans.set(id, span);
    addAdmitted(span.counts, counts, values);
    addAdmitted(span.latencies, latencies, values);
  }
}

/** Adds up by value. Values beyond the limit share one counter. */
function addAdmitted<Counted>(
  sums: Map<CounterDimension, Map<string, Map<Counted, number>>>,
  counts: ReadonlyMap<CounterDimension, ReadonlyMap<string, ReadonlyMap<Counted, number>>>,
  values: KnownValues,
): void {
  for (const [dimension, keys] of counts) {
    for (const [key, by] of keys) {
      const admittedKey = values.get(dimension)?.has(key) ? key : OTHER_KEY;
      for (const [counted, n] of by) increment(sums, dimension, admittedKey, counted, n);
    }
  }
}

function incrementOf(
  _id: string,
  { accountId, step, at, counts, latencies }: Span,
): AnyBulkWriteOperation<CounterDocument> {
  const $inc: Record<string, number> = {};
  for (const [dimension, keys] of counts) {
    for (const [key, kinds] of keys) for (const [kind, n] of kinds) $inc[`${dimension}.${key}.${kind}`] = n;
  }
  for (const [dimension, keys] of latencies) {
    for (const [key, bins] of keys)
      for (const [bin, n] of bins) $inc[`${latencyField(dimension)}.${key}.${bin}`] = n;
  }
  const expireAt = new Date(at.getTime() + stepMs[step] + keptMs[step]);
  const update = { $inc, $setOnInsert: { accountId, step, at, expireAt } };
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

/** The dimensions of a day's document, without its latencies. */
const VALUES = Object.fromEntries(counterDimensions.map((dimension) => [dimension, 1] as const));

function valuesOf(day: CounterDocument): KnownValues {
  const values = new Map<CounterDimension, ReadonlySet<string>>();
  for (const dimension of counterDimensions) {
    const keys = Object.keys(day[dimension] ?? {}).filter((key) => key !== OTHER_KEY);
    if (keys.length > 0) values.set(dimension, new Set(keys));
  }
  return values;
}

/** The values with counters on a day, and new ones up to the limit. */
function admitted(known: KnownValues | undefined, minutes: readonly MinuteTally[]): KnownValues {
  if (known && minutes.every(({ counts }) => isKnown(known, counts))) return known;
  const values = new Map(counterDimensions.map((one) => [one, new Set(known?.get(one))]));
  for (const { counts } of minutes) {
    for (const [dimension, keys] of counts) {
      const has = values.get(dimension) ?? new Set<string>();
      for (const key of keys.keys()) if (has.size < MAX_VALUES) has.add(key);
    }
  }
  return values;
}

function isKnown(values: KnownValues, counts: DimensionCounts): boolean {
  return [...counts].every(([dimension, keys]) =>
    [...keys.keys()].every((key) => values.get(dimension)?.has(key)),
  );
}
