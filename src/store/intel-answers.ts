import { Binary, type ClientSession, type Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import { bytesOf } from "./chunk-store.ts";
import { intelCollections } from "./intel-collections.ts";

/** A request with an idempotency key. */
export interface Keyed<Result> {
  readonly workspaceId: string;
  readonly operation: string;
  readonly key: string;
  /** Fingerprint of the whole request. */
  readonly fingerprint: string;
  readonly now: Date;
  /** End of the key's validity. The key can then be reused. */
  readonly expireAt: Date;
  /** Encodes the answer to the request for gRPC. */
  readonly answerOf: (result: Result) => Uint8Array;
}

export type IntelAnswers = ReturnType<typeof createIntelAnswers>;

/**
 * Answers to requests with idempotency keys. Each is written in the transaction of the request's changes, atomically.
 * The second of two concurrent requests finds the answer of the first.
 */
export function createIntelAnswers(db: Db) {
  const { answers } = intelCollections(db);

  return {
    /**
     * Stored answer of the same request; undefined: there is none, or it has expired.
     * @throws Fault idempotency.key_reused
     */
    async find<Result>(
      session: ClientSession,
      accountId: string,
      keyed: Keyed<Result>,
    ): Promise<Uint8Array | undefined> {
      const _id = idOf(keyed);
      const earlier = await answers.findOne({ _id, accountId }, { session });
      if (!earlier) return undefined;
      if (earlier.expireAt <= keyed.now) {
        await answers.deleteOne({ _id, accountId }, { session });
        return undefined;
      }
      if (earlier.fingerprint === keyed.fingerprint) return bytesOf(earlier.answer);
      throw fault("idempotency.key_reused");
    },

    async add<Result>(
      session: ClientSession,
      accountId: string,
      keyed: Keyed<Result>,
      result: Result,
    ): Promise<void> {
      const { fingerprint, expireAt } = keyed;
      const answer = {
        _id: idOf(keyed),
        accountId,
        fingerprint,
        answer: new Binary(keyed.answerOf(result)),
        expireAt,
      };
      await answers.insertOne(answer, { session });
    },
  };
}

function idOf({ workspaceId, operation, key }: Omit<Keyed<never>, "answerOf">): string {
  return `${workspaceId}.${operation}.${key}`;
}
