import type { AnyBulkWriteOperation, ClientSession, Db } from "mongodb";
import { type CounterStep, counterId, keptMs, startOf, stepMs } from "./counters/counter-documents.ts";
import { type Check, count, createShapeFault, date, fields } from "./field-checks.ts";
import { readEach } from "./read-each.ts";

/** Class of the status of a response; `429` is not in `4xx`. `none`: no such class, or the status is not known. */
export const requestAnswers = ["2xx", "3xx", "4xx", "429", "5xx", "none"] as const;
export type RequestAnswer = (typeof requestAnswers)[number];

/** Steps with counters. */
export const requestCounterSteps = ["hour", "day"] as const satisfies readonly CounterStep[];
export type RequestCounterStep = (typeof requestCounterSteps)[number];

/** Requests with the keys of one account in one span of time. */
export interface RequestCounterDocument {
  /** `account.step.start`. */
  readonly _id: string;
  readonly accountId: string;
  readonly step: RequestCounterStep;
  /** Start of the span, UTC. */
  readonly at: Date;
  readonly counts: Readonly<Partial<Record<RequestAnswer, number>>>;
  readonly expireAt: Date;
}

/** Selects counters of the spans that begin at or after `from` and before `until`. */
export interface RequestCounterQuery {
  readonly step: RequestCounterStep;
  readonly from: Date;
  readonly until: Date;
}

/** Requests of an account that are stored together. */
export interface CountedRequests {
  readonly accountId: string;
  readonly entries: readonly {
    readonly at: Date;
    readonly status: number;
    /** Number of requests. Missing: one. */
    readonly count?: number;
  }[];
}

const areCounts: Check = (value) => fields(value) && Object.values(value as object).every(count);
const counterFault = createShapeFault<RequestCounterDocument>([
  ["at", date],
  ["counts", areCounts],
]);

const countersOf = (db: Db) => db.collection<RequestCounterDocument>("requestCounters");

/** Counts requests in the transaction that stores their entries, so that each is counted once. */
export function createRequestCounterWriter(db: Db) {
  const counters = countersOf(db);

  return async (session: ClientSession, documents: readonly CountedRequests[]): Promise<void> => {
    const sums = new Map<string, Sum>();
    for (const document of documents) addRequests(sums, document);
    const operations = [...sums].map(([_id, sum]) => incrementOf(_id, sum));
    if (operations.length > 0) await counters.bulkWrite(operations, { session, ordered: false });
  };
}

/** Counters of the requests with an account's keys. */
export function createRequestCounterStore(db: Db) {
  const counters = countersOf(db);

  return {
    forAccount: (accountId: string) => ({
      /** In the order of time. Spans without requests, and damaged counters, are missing. */
      async read({ step, from, until }: RequestCounterQuery): Promise<RequestCounterDocument[]> {
        const filter = { accountId, step, at: { $gte: from, $lt: until } };
        const { documents } = await readEach<RequestCounterDocument>(
          (options) => counters.find(filter, options).sort({ at: 1 }),
          counterFault,
        );
        return documents;
      },
    }),
  };
}

function answerOf(status: number): RequestAnswer {
  if (status === 429) return "429";
  return requestAnswers.find((known) => known === `${Math.floor(status / 100)}xx`) ?? "none";
}

/** Increments of one document. */
interface Sum extends Pick<RequestCounterDocument, "accountId" | "step" | "at"> {
  readonly counts: Map<RequestAnswer, number>;
}

function addRequests(sums: Map<string, Sum>, { accountId, entries }: CountedRequests): void {
  for (const { at: time, status, count: requests = 1 } of entries) {
    const answer = answerOf(status);
    for (const step of requestCounterSteps) {
      const at = startOf(step, time);
      const id = counterId(accountId, step, at);
      const sum = sums.get(id) ?? { accountId, step, at, counts: new Map<RequestAnswer, number>() };
      sums.set(id, sum);
      sum.counts.set(answer, (sum.counts.get(answer) ?? 0) + requests);
    }
  }
}

function incrementOf(
  _id: string,
  { accountId, step, at, counts }: Sum,
): AnyBulkWriteOperation<RequestCounterDocument> {
  const expireAt = new Date(at.getTime() + stepMs[step] + keptMs[step]);
  const update = {
    $inc: Object.fromEntries([...counts].map(([answer, n]) => [`counts.${answer}`, n])),
    $setOnInsert: { step, at, expireAt },
  };
  return { updateOne: { filter: { _id, accountId }, update, upsert: true } };
}
