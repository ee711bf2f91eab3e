import type { AnyBulkWriteOperation, ClientSession, Db } from "mongodb";
import { type Severity, severities } from "../alerts/alert.ts";
import type { AlertDocument } from "./alert-documents.ts";
import {
  type CounterStep,
  counterId,
  keptMs,
  keyOfValue,
  MAX_VALUES,
  OTHER_KEY,
  startOf,
  stepMs,
} from "./counters/counter-documents.ts";
import { type Check, count, createShapeFault, date, fields, optional } from "./field-checks.ts";
import { readEach } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

/** Steps with counters. */
export const alertCounterSteps = ["hour", "day"] as const satisfies readonly CounterStep[];
export type AlertCounterStep = (typeof alertCounterSteps)[number];

export type AlertCounts = Readonly<Partial<Record<Severity, number>>>;

/** Active alerts of one account in one span of time. Several processes count in documents of their own. */
export interface AlertCounterDocument {
  /** `account.step.start.part`. */
  readonly _id: string;
  readonly accountId: string;
  readonly step: AlertCounterStep;
  /** Start of the span, UTC. */
  readonly at: Date;
  readonly counts: AlertCounts;
  /** Those that no rule matched. Missing: none. */
  readonly unmatched?: AlertCounts;
  /** By the key of the rule's name (see `keyOfValue`). An alert counts for each rule that matched it. Missing: none did. */
  readonly rules?: Readonly<Record<string, AlertCounts>>;
  readonly expireAt: Date;
}

/** Selects counters of the spans that begin at or after `from` and before `until`. */
export interface AlertCounterQuery {
  readonly step: AlertCounterStep;
  readonly from: Date;
  readonly until: Date;
}

/** Documents of one span. Concurrent processes rarely write the same one. */
const PARTS = 16;

const areCounts: Check = (value) => fields(value) && Object.values(value as object).every(count);
const areByRule: Check = (value) => fields(value) && Object.values(value as object).every(areCounts);
const counterFault = createShapeFault<AlertCounterDocument>([
  ["at", date],
  ["counts", areCounts],
  ["unmatched", optional(areCounts)],
  ["rules", optional(areByRule)],
]);

const countersOf = (db: Db) => db.collection<AlertCounterDocument>("alertCounters");

export type CountAlerts = ReturnType<typeof createAlertCounterWriter>;

/** Counts active alerts in the transaction that stores them, so that each is counted once. */
export function createAlertCounterWriter(db: Db) {
  const counters = countersOf(db);
  const part = Math.floor(Math.random() * PARTS);

  return async (
    session: ClientSession,
    accountId: string,
    added: readonly Pick<AlertDocument, "at" | "status" | "alert" | "outcome">[],
  ): Promise<void> => {
    const sums = new Map<string, Sum>();
    for (const { at: time, status, alert, outcome } of added) {
      if (status !== "firing") continue;
      for (const step of alertCounterSteps) {
        const at = startOf(step, time);
        const id = `${counterId(accountId, step, at)}.${part}`;
        const sum = sums.get(id) ?? { step, at, fields: new Map<string, number>() };
        sums.set(id, sum);
        const { severity } = alert;
        increment(sum, `counts.${severity}`);
        if (outcome.status === "unmatched") increment(sum, `unmatched.${severity}`);
        for (const rule of new Set(outcome.matchedRules))
          increment(sum, `rules.${keyOfValue(rule)}.${severity}`);
      }
    }
    if (sums.size === 0) return;
    const ids = [...sums.keys()];
    const found = await counters.find({ _id: { $in: ids }, accountId }, { session }).toArray();
    // A damaged counter must not block the notification of an alert: it begins again.
    const damaged = new Set(found.filter((one) => counterFault(one)).map(({ _id }) => _id));
    const sound = found.filter(({ _id }) => !damaged.has(_id));
    const known = new Map(sound.map(({ _id, rules = {} }) => [_id, new Set(Object.keys(rules))]));
    const operations = [...sums].map(([id, sum]) => {
      const limited = withinLimit(sum, known.get(id) ?? new Set());
      return damaged.has(id) ? replacementOf(id, accountId, limited) : incrementOf(id, accountId, limited);
    });
    await counters.bulkWrite(operations, { session, ordered: false });
  };
}

/** Counters of an account's alerts. */
export function createAlertCounterStore(db: Db) {
  const counters = countersOf(db);

  return {
    forAccount: (accountId: string) => ({
      /** In the order of time. Spans without alerts, and damaged counters, are missing. */
      async read({ step, from, until }: AlertCounterQuery): Promise<AlertCounterDocument[]> {
        const filter = { accountId, step, at: { $gte: from, $lt: until } };
        const { documents } = await readEach<AlertCounterDocument>(
          (options) => counters.find(filter, options).sort({ at: 1 }),
          counterFault,
        );
        return documents;
      },

      /** Start of the first counted span; undefined: nothing was counted. */
      async since(step: AlertCounterStep): Promise<Date | undefined> {
        const first = counters
          .find({ accountId, step }, { projection: { at: 1 } })
          .sort({ at: 1 })
          .limit(1);
        return (await guarded(first.toArray()))[0]?.at;
      },
    }),
  };
}

/** Sum of several counters. */
export function addCounts(one: AlertCounts, other: AlertCounts = {}): AlertCounts {
  const sums = severities.map((severity) => [severity, (one[severity] ?? 0) + (other[severity] ?? 0)]);
  return Object.fromEntries(sums);
}

/** Increments of one document. */
interface Sum extends Pick<AlertCounterDocument, "step" | "at"> {
  readonly fields: Map<string, number>;
}

function increment({ fields: sums }: Pick<Sum, "fields">, field: string, by = 1): void {
  sums.set(field, (sums.get(field) ?? 0) + by);
}

/** Further rules than a document has room for share one counter. */
function withinLimit(sum: Sum, known: Set<string>): Sum {
  const limited: Sum = { ...sum, fields: new Map() };
  for (const [field, by] of sum.fields) {
    const [name, key = "", severity] = field.split(".");
    if (name === "rules" && (known.has(key) || known.size < MAX_VALUES)) known.add(key);
    const isOther = name === "rules" && !known.has(key);
    increment(limited, isOther ? `rules.${OTHER_KEY}.${severity}` : field, by);
  }
  return limited;
}

function incrementOf(
  _id: string,
  accountId: string,
  { step, at, fields: sums }: Sum,
): AnyBulkWriteOperation<AlertCounterDocument> {
  const update = { $inc: Object.fromEntries(sums), $setOnInsert: { step, at, expireAt: endOf(step, at) } };
  return { updateOne: { filter: { _id, accountId }, update, upsert: true } };
}

function replacementOf(
  _id: string,
  accountId: string,
  { step, at, fields: sums }: Sum,
): AnyBulkWriteOperation<AlertCounterDocument> {
  const counts: Record<string, number> = {};
  const unmatched: Record<string, number> = {};
  const rules: Record<string, Record<string, number>> = {};
  for (const [field, by] of sums) {
    const [name, key = "", severity = ""] = field.split(".");
    if (name === "rules") rules[key] = { ...rules[key], [severity]: by };
    else Object.assign(name === "counts" ? counts : unmatched, { [key]: by });
  }
  const head = { accountId, step, at, expireAt: endOf(step, at) };
  const replacement: Omit<AlertCounterDocument, "_id"> = { ...head, counts, unmatched, rules };
  return { replaceOne: { filter: { _id, accountId }, replacement, upsert: true } };
}

function endOf(step: AlertCounterStep, at: Date): Date {
  return new Date(at.getTime() + stepMs[step] + keptMs[step]);
}
