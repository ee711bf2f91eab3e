import type { Db } from "mongodb";
import {
  type CounterDimension,
  type CounterKind,
  type CounterStep,
  countersOf,
  valueOfKey,
} from "./counters/counter-documents.ts";
import { readEach } from "./read-each.ts";

/** Which counters are read: those of the spans that begin from `from` on and before `until`. */
export interface CounterQuery {
  readonly step: CounterStep;
  readonly from: Date;
  readonly until: Date;
  readonly dimension: CounterDimension;
}

/** How often it was counted of one value, within one span. */
export interface CountedValue {
  readonly at: Date;
  /** Undefined: the values beyond the bound, together. */
  readonly value: string | undefined;
  readonly counts: Readonly<Partial<Record<CounterKind, number>>>;
}

/** A document with all values that it may have takes a third of a millisecond to decode: others have their turn in between. */
const BATCH = 100;

/** What was counted of the messages of an account. */
export function createCounterStore(db: Db) {
  const counters = countersOf(db);

  return {
    forAccount: (accountId: string) => ({
      /** In the order of time. Spans in which nothing was counted are not there. */
      async read({ step, from, until, dimension }: CounterQuery): Promise<CountedValue[]> {
        const filter = { accountId, step, at: { $gte: from, $lt: until } };
        const projection = { at: 1, [dimension]: 1 };
        const { documents } = await readEach<{ readonly _id: string } & Record<string, unknown>>((options) =>
          counters.find(filter, { projection, batchSize: BATCH, ...options }).sort({ at: 1 }),
        );
        return documents.flatMap(({ at, [dimension]: values }) =>
          Object.entries((values ?? {}) as Record<string, CountedValue["counts"]>).map(([key, counts]) => ({
            at: at as Date,
            value: valueOfKey(key),
            counts,
          })),
        );
      },
    }),
  };
}
