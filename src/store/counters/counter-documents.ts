import type { Db } from "mongodb";
import type { EventDocument } from "../message-documents.ts";
import type { LatencyBins } from "./latency.ts";

/** What happened to the messages of one account in one span of time, how often, by what is known of them. */
export type CounterDocument = CounterHead & {
  readonly [D in CounterDimension]?: Counts;
} & {
  /** Of messages delivered in the span. Missing, also in part: none were, or an earlier release counted them. */
  readonly [D in CounterDimension as LatencyField<D>]?: Readonly<Record<string, LatencyBins>>;
};

/** A field of its own, so that a query of counts reads no latencies. */
type LatencyField<D extends CounterDimension> = `latency_${D}`;

export function latencyField<D extends CounterDimension>(dimension: D): LatencyField<D> {
  return `latency_${dimension}`;
}

interface CounterHead {
  /** `account.step.start`. */
  readonly _id: string;
  readonly accountId: string;
  readonly step: CounterStep;
  /** When the span begins, UTC. */
  readonly at: Date;
  readonly expireAt: Date;
}

/** By the key of the value (see `keyOfValue`), by kind. */
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

/** How long counters of a step are kept after the span that they are about. */
export const keptMs: Readonly<Record<CounterStep, number>> = {
  minute: 2 * DAY_MS,
  hour: 90 * DAY_MS,
  day: 731 * DAY_MS,
};

/**
 * - `total`: all messages
 * - `category`: what a refusal was about, of those events that have one
 * - `provider`: the large provider of the recipient's address, or its domain
 * - `policy`, `source`: the message's
 * - `tag`: each of the message's tags: one with three counts three times
 * - `key`: id of the API key or SMTP credential
 * - `template`: name of the template, of messages that have one
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
 * What is counted: the events of messages by the state that they led to. `accepted` has those that are `scheduled`, too. `opened` and
 * `clicked` are the messages that a person opened or clicked in for the first time: neither programs nor repetitions count.
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

/** Values of one dimension that an account has counters of, on one day (UTC). What is more counts together. */
export const MAX_VALUES = 200;
/** Characters of a value that count: those that begin alike beyond count as one. */
export const MAX_VALUE_LENGTH = 200;

/** The key of what is beyond the bound. That of a value begins with another letter. */
export const OTHER_KEY = "o";

/** A value as the name of a field: whatever its sender wrote, it is one name, and no name of anything else. */
export function keyOfValue(value: string): string {
  const wellFormed = Buffer.from([...value].slice(0, MAX_VALUE_LENGTH).join("")).toString();
  return `v${wellFormed.replace(/[%.$\0]/g, (character) => `%${hex(character)}`)}`;
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, "0");
}

/** Undefined: the values beyond the bound, together. */
export function valueOfKey(key: string): string | undefined {
  if (key === OTHER_KEY) return undefined;
  return key.slice(1).replace(/%([0-9a-f]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

export function counterId(accountId: string, step: CounterStep, at: Date): string {
  return `${accountId}.${step}.${at.toISOString()}`;
}

/** The beginning of the span that a moment is in. */
export function startOf(step: CounterStep, at: Date): Date {
  return new Date(Math.floor(at.getTime() / stepMs[step]) * stepMs[step]);
}

export function countersOf(db: Db) {
  return db.collection<CounterDocument>("counters");
}
