import { utcDay } from "../../shared/utc-day.ts";
import type { JournalEntry } from "../journal/journal-documents.ts";
import {
  type CounterDimension,
  type CounterKind,
  counterKinds,
  keyOfValue,
  startOf,
} from "./counter-documents.ts";
import { binOf } from "./latency.ts";
import { type SendingKind, type SendingProvider, type SendingTally, sendingKinds } from "./sending-days.ts";

/** Counts by dimension, key of the value and kind. */
export type DimensionCounts = Map<CounterDimension, Map<string, Map<CounterKind, number>>>;

/** Latencies by dimension, key of the value and bin of the sketch. */
export type DimensionLatencies = Map<CounterDimension, Map<string, Map<number, number>>>;

/** Increments of the counters of one account for one minute. */
export interface MinuteTally {
  readonly accountId: string;
  readonly at: Date;
  readonly counts: DimensionCounts;
  /** Each value here is also in `counts`. */
  readonly latencies: DimensionLatencies;
}

type SendingDayCounts = Map<SendingProvider, Map<SendingKind, number>>;

export type Tally = ReturnType<typeof createTally>;

const kinds: ReadonlySet<string> = new Set(counterKinds);

/** Names of `mailProvider`. */
const providers: Readonly<Record<string, SendingProvider>> = {
  google: "gmail",
  yahoo: "yahoo",
  microsoft: "outlook",
};
const kindsOfSending: ReadonlySet<string> = new Set(sendingKinds);

/** Adds up events. */
export function createTally() {
  const minutes = new Map<string, MinuteTally>();
  const sendingDays = new Map<string, SendingTally & { readonly counts: SendingDayCounts }>();

  function addSending({ accountId, sender, kind, at, provider = "" }: JournalEntry): void {
    if (!sender || !kindsOfSending.has(kind)) return;
    const day = utcDay(at);
    const key = `${accountId} ${day} ${sender}`;
    const tally = sendingDays.get(key) ?? { accountId, domain: sender, day, counts: new Map() };
    sendingDays.set(key, tally);
    const name = providers[provider] ?? "other";
    const byKind = tally.counts.get(name) ?? new Map<SendingKind, number>();
    byKind.set(kind as SendingKind, (byKind.get(kind as SendingKind) ?? 0) + 1);
    tally.counts.set(name, byKind);
  }

  function add(entry: JournalEntry): void {
    const { accountId, kind, at, category, provider, policy, source, tags = [], key: keyId } = entry;
    const { template, sender, dueAt, first = false } = entry;
    if (accountId === "" || !kinds.has(kind)) return;
    if ((kind === "opened" || kind === "clicked") && !first) return;
    const minute = startOf("minute", at);
    const key = `${minute.getTime()} ${accountId}`;
    const tally = minutes.get(key) ?? { accountId, at: minute, counts: new Map(), latencies: new Map() };
    minutes.set(key, tally);
    const bin = kind === "delivered" && dueAt ? binOf(at.getTime() - dueAt.getTime()) : undefined;
    const count = (dimension: CounterDimension, value: string | undefined) => {
      if (value === undefined) return;
      const name = keyOfValue(value);
      increment(tally.counts, dimension, name, kind as CounterKind);
      if (kind === "scheduled") increment(tally.counts, dimension, name, "accepted");
      if (bin !== undefined) increment(tally.latencies, dimension, name, bin);
    };
    count("total", "");
    count("category", category);
    count("provider", provider);
    count("policy", policy);
    count("source", source);
    count("key", keyId);
    count("template", template);
    count("sending_domain", sender);
    for (const tag of new Set(tags)) count("tag", tag);
  }

  return {
    addAll(entries: readonly JournalEntry[]): void {
      for (const entry of entries) {
        add(entry);
        if (entry.accountId !== "") addSending(entry);
      }
    },
    sendingDays: (): readonly SendingTally[] => [...sendingDays.values()],
    minutes: (): readonly MinuteTally[] => [...minutes.values()],
  };
}

/** Adds a number to a counter. */
export function increment<Counted>(
  counts: Map<CounterDimension, Map<string, Map<Counted, number>>>,
  dimension: CounterDimension,
  key: string,
  counted: Counted,
  n = 1,
): void {
  const values = counts.get(dimension) ?? new Map<string, Map<Counted, number>>();
  const by = values.get(key) ?? new Map<Counted, number>();
  by.set(counted, (by.get(counted) ?? 0) + n);
  values.set(key, by);
  counts.set(dimension, values);
}
