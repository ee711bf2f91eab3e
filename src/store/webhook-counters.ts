import type { AnyBulkWriteOperation, ClientSession, Db } from "mongodb";
import { type CounterStep, counterSteps, keptMs, startOf, stepMs } from "./counters/counter-documents.ts";
import { binOf, type LatencyBins } from "./counters/latency.ts";
import { readEach } from "./read-each.ts";
import type { WebhookAnswered, WebhookTry } from "./webhook-delivery-documents.ts";
import { answeredOf } from "./webhook-delivery-documents.ts";

/** Attempts at one endpoint in one span of time. */
export interface WebhookCounterDocument {
  /** `endpoint.step.start`. */
  readonly _id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly step: CounterStep;
  /** Start of the span, UTC. */
  readonly at: Date;
  /** By answer. An attempt with an answer `2xx` was accepted, any other has failed. */
  readonly counts: Readonly<Partial<Record<WebhookAnswered, number>>>;
  /** Durations of the attempts. */
  readonly durations: LatencyBins;
  readonly expireAt: Date;
}

/** An attempt with a stored result. */
export interface CountedAttempt {
  readonly accountId: string;
  readonly endpointId: string;
  readonly tried: Pick<WebhookTry, "at" | "durationMs" | "status">;
}

/** Selects counters of the spans that begin at or after `from` and before `until`. */
export interface WebhookCounterQuery {
  readonly endpointId: string;
  readonly step: CounterStep;
  readonly from: Date;
  readonly until: Date;
}

/** A document with the largest number of durations takes some tens of microseconds to decode. */
const BATCH = 200;

const countersOf = (db: Db) => db.collection<WebhookCounterDocument>("webhookCounters");

/** Counts attempts in the transaction that stores their results, so that each is counted once. */
export function createWebhookCounterWriter(db: Db) {
  const counters = countersOf(db);

  return async (session: ClientSession, attempts: readonly CountedAttempt[]): Promise<void> => {
    const sums = new Map<string, Sum>();
    for (const attempt of attempts) addAttempt(sums, attempt);
    const operations = [...sums].map(([_id, sum]) => incrementOf(_id, sum));
    if (operations.length > 0) await counters.bulkWrite(operations, { session, ordered: false });
  };
}

/** Counters of the endpoints of an account. */
export function createWebhookCounterStore(db: Db) {
  const counters = countersOf(db);

  return {
    forAccount: (accountId: string) => ({
      /** In the order of time. Spans without attempts are missing. */
      async read({ endpointId, step, from, until }: WebhookCounterQuery) {
        const filter = { accountId, endpointId, step, at: { $gte: from, $lt: until } };
        const { documents } = await readEach<WebhookCounterDocument>((options) =>
          counters.find(filter, { batchSize: BATCH, ...options }).sort({ at: 1 }),
        );
        return documents;
      },
    }),
  };
}

/** Increments of one document. */
interface Sum extends Pick<WebhookCounterDocument, "accountId" | "endpointId" | "step" | "at"> {
  readonly fields: Map<string, number>;
}

function addAttempt(sums: Map<string, Sum>, { accountId, endpointId, tried }: CountedAttempt): void {
  for (const step of counterSteps) {
    const at = startOf(step, tried.at);
    const id = `${endpointId}.${step}.${at.toISOString()}`;
    const sum = sums.get(id) ?? { accountId, endpointId, step, at, fields: new Map<string, number>() };
    sums.set(id, sum);
    for (const field of [`counts.${answeredOf(tried)}`, `durations.${binOf(tried.durationMs)}`])
      sum.fields.set(field, (sum.fields.get(field) ?? 0) + 1);
  }
}

function incrementOf(_id: string, sum: Sum): AnyBulkWriteOperation<WebhookCounterDocument> {
  const { accountId, endpointId, step, at, fields } = sum;
  const expireAt = new Date(at.getTime() + stepMs[step] + keptMs[step]);
  const update = {
    $inc: Object.fromEntries(fields),
    $setOnInsert: { endpointId, step, at, expireAt },
  };
  return { updateOne: { filter: { _id, accountId }, update, upsert: true } };
}
