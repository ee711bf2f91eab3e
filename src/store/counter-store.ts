import type { Db } from "mongodb";
import {
  type CounterDimension,
  type CounterDocument,
  type CounterKind,
  type CounterStep,
  countersOf,
  latencyField,
  valueOfKey,
} from "./counters/counter-documents.ts";
import type { LatencyBins } from "./counters/latency.ts";
import { readEach } from "./read-each.ts";

/** Selects counters of the spans that begin at or after `from` and before `until`. */
export interface CounterQuery {
  readonly step: CounterStep;
  readonly from: Date;
  readonly until: Date;
  readonly dimension: CounterDimension;
}

/** Count of one value within one span. */
export interface CountedValue {
  readonly at: Date;
  /** Undefined: the sum of the values beyond the limit. */
  readonly value: string | undefined;
  readonly counts: Readonly<Partial<Record<CounterKind, number>>>;
}

/** Latencies of messages that were delivered within one span. */
export interface MeasuredValue {
  readonly at: Date;
  /** Undefined: the sum of the values beyond the limit. */
  readonly value: string | undefined;
  readonly bins: LatencyBins;
}

/**
 * Batch size. A document with the maximum number of values takes a third of a millisecond to decode; other work runs
 * between batches.
 */
const BATCH = 100;

/** Counters of the messages of an account. */
export function createCounterStore(db: Db) {
  const counters = countersOf(db);

  async function find(accountId: string, { step, from, until }: CounterQuery, field: string) {
    const filter = { accountId, step, at: { $gte: from, $lt: until } };
    const { documents } = await readEach<CounterDocument>((options) =>
      counters
        .find(filter, { projection: { at: 1, [field]: 1 }, batchSize: BATCH, ...options })
        .sort({ at: 1 }),
    );
    return documents;
  }

  return {
    forAccount: (accountId: string) => ({
      /** In the order of time. Spans without counts are missing. */
      async read(query: CounterQuery): Promise<CountedValue[]> {
        const found = await find(accountId, query, query.dimension);
        return found.flatMap(({ at, [query.dimension]: values = {} }) =>
          Object.entries(values).map(([key, counts]) => ({ at, value: valueOfKey(key), counts })),
        );
      },

      /** As `read`. Spans without a measured latency are missing. */
      async readLatencies(query: CounterQuery): Promise<MeasuredValue[]> {
        const field = latencyField(query.dimension);
        const found = await find(accountId, query, field);
        return found.flatMap(({ at, [field]: values = {} }) =>
          Object.entries(values).map(([key, bins]) => ({ at, value: valueOfKey(key), bins })),
        );
      },
    }),
  };
}
