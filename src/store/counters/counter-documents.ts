import type { Db } from "mongodb";
import type { EventDocument } from "../message-documents.ts";
import type { LatencyBins } from "./latency.ts";

/** Counts of message events of one account in one span of time, by dimension and value. */
export type CounterDocument = CounterHead & {
  readonly [D in CounterDimension]?: Counts;
} & {
  /**
   * Latencies of messages delivered in the span. Missing, or partly missing: none were delivered, or an earlier
   * release counted them.
   */
  readonly [D in CounterDimension as LatencyField<D>]?: Readonly<Record<string, LatencyBins>>;
};

/** A separate field, so that a query of counts reads no latencies. */
type LatencyField<D extends CounterDimension> = `latency_${D}`;

export function latencyField<D extends CounterDimension>(dimension: D): LatencyField<D> {
  return `latency_${dimension}`;
}

interface CounterHead {
  /** `account.step.start`. */
  readonly _id: string;
  readonly accountId: string;
  readonly step: CounterStep;
  /** Start of the span, UTC. */
  readonly at: Date;
  readonly expireAt: Date;
}

/** By the key of the value (see `keyOfValue`), then by kind. */
export type Counts = Readonly<Record<string, Readonly<Partial<Record<CounterKind, number>>>>>;

export const counterSteps = ["minute", "hour", "day"] as const;
export type CounterStep = (typeof counterSteps)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const stepMs: Readonly<Record<CounterStep, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
};

/** Retention of the counters of a step, after their span. */
export const keptMs: Readonly<Record<CounterStep, number>> = {
  minute: 2 * DAY_MS,
  hour: 90 * DAY_MS,
  day: 731 * DAY_MS,
};

/**
 * - `total`: all messages
 * - `category`: subject of a refusal, for events that have one
 * - `provider`: the large provider of the recipient's address, or its domain
 * - `policy`, `source`: those of the message
 * - `tag`: each of the message's tags; a message with three tags counts three times
 * - `key`: id of the API key or SMTP credential
 * - `template`: name of the template, for messages that have one
 * - `sending_domain`: domain of the From address
 */
export const counterDimensions = [
  "total",
  "category",
  "provider",
  "policy",
  "tag",
  "source",
  "key",
  "template",
  "sending_domain",
] as const;
export type CounterDimension = (typeof counterDimensions)[number];

/**
 * Counted events of messages, named by the resulting state. `accepted` includes `scheduled`. `opened` and `clicked`
 * count messages with a first open or click by a person, without programs and repetitions.
 */
export const counterKinds = [
  "accepted",
  "scheduled",
  "delivered",
  "captured",
  "deferred",
  "bounced",
  "complained",
  "suppressed",
  "expired",
  "failed",
  "cancelled",
  "opened",
  "clicked",
  "unsubscribed",
] as const satisfies readonly EventDocument["kind"][];
export type CounterKind = (typeof counterKinds)[number];

/** Kinds and dimensions that earlier releases did not count: see `countersMigration`. */
export const laterKinds: ReadonlySet<CounterKind> = new Set(["opened", "clicked", "unsubscribed"]);
export const laterDimensions: ReadonlySet<CounterDimension> = new Set(["key", "template", "sending_domain"]);

/**
 * Maximum number of values of one dimension with separate counters, per account and day (UTC). Further values share
 * one counter.
 */
export const MAX_VALUES = 200;
/** Significant length of a value in characters. Values with the same beginning of this length count as one. */
export const MAX_VALUE_LENGTH = 200;

/** Key of the values beyond the limit. Keys of values begin with another letter. */
export const OTHER_KEY = "o";

/** Encodes a value as a field name, uniquely and safely for any value of a sender. */
export function keyOfValue(value: string): string {
  const wellFormed = Buffer.from([...value].slice(0, MAX_VALUE_LENGTH).join("")).toString();
  return `v${wellFormed.replace(/[%.$\0]/g, (character) => `%${hex(character)}`)}`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, "0");
}

/** Undefined: the sum of the values beyond the limit. */
export function valueOfKey(key: string): string | undefined {
  if (key === OTHER_KEY) return undefined;
  return key.slice(1).replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

export function counterId(accountId: string, step: CounterStep, at: Date): string {
  return `${accountId}.${step}.${at.toISOString()}`;
}

/** Start of the span that contains a time. */
export function startOf(step: CounterStep, at: Date): Date {
  return new Date(Math.floor(at.getTime() / stepMs[step]) * stepMs[step]);
}

export function countersOf(db: Db) {
  return db.collection<CounterDocument>("counters");
}
