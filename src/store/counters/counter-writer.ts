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

/** Maximum number of account days with cached values. */
const MAX_DAYS = 1_000;

type KnownValues = ReadonlyMap<CounterDimension, ReadonlySet<string>>;

export function createCounterWriter(
  db: Db,
  sendingDays: Pick<ReturnType<typeof createSendingDays>, "add">,
): CounterWriter {
  const counters = countersOf(db);
  const accounts = db.collection<AccountDocument>("accounts");
  /** Values that were read for a day. They are never removed from it. */
  const known = new LRUCache<string, KnownValues>({ max: MAX_DAYS });

  /** Returns the values with counters on the day, and adds new ones up to the limit. */
  async function admitted(session: ClientSession, day: string, minutes: readonly MinuteTally[]) {
    const remembered = known.get(day);
    if (remembered && minutes.every(({ counts }) => isKnown(remembered, counts))) return remembered;
    // Concurrent additions of values to this day change the same document, so one of the transactions retries.
    const found = await counters.findOne({ _id: day }, { session });
    const values = new Map<CounterDimension, Set<string>>();
    for (const dimension of counterDimensions) {
      const keys = Object.keys(found?.[dimension] ?? {}).filter((key) => key !== OTHER_KEY);
      // Values that were read are stored. Values admitted below may not be, if the transaction retries.
      values.set(dimension, new Set(keys));
    }
    known.set(day, copyOf(values));
    for (const { counts } of minutes) {
      for (const [dimension, keys] of counts) {
        const has = values.get(dimension) ?? new Set<string>();
        for (const key of keys.keys()) if (has.size < MAX_VALUES) has.add(key);
      }
    }
    return values;
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
    for (const [day, ofDay] of days) {
      const values = await admitted(session, day, ofDay);
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

function isKnown(values: KnownValues, counts: DimensionCounts): boolean {
  return [...counts].every(([dimension, keys]) =>
    [...keys.keys()].every((key) => values.get(dimension)?.has(key)),
  );
}

function copyOf(values: ReadonlyMap<CounterDimension, ReadonlySet<string>>): KnownValues {
  return new Map([...values].map(([dimension, keys]) => [dimension, new Set(keys)]));
}
