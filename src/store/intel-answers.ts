import { Binary, type ClientSession, type Db } from "mongodb";
import { fault } from "../shared/fault.ts";
import { bytesOf } from "./chunk-store.ts";
import { intelCollections } from "./intel-collections.ts";

/** A request with an idempotency key. */
export interface Keyed<Result> {
  readonly workspaceId: string;
  readonly operation: string;
  readonly key: string;
  /** Of all that was asked. */
  readonly fingerprint: string;
  readonly now: Date;
  /** From then on the key is free again. */
  readonly expireAt: Date;
  /** What the request is answered with, as gRPC encodes it. */
  readonly answerOf: (result: Result) => Uint8Array;
}

export type IntelAnswers = ReturnType<typeof createIntelAnswers>;

/**
 * Answers to requests with idempotency keys. Each is written in the transaction that does what was asked: both are there, or
 * none, and of two at once the second finds what the first has answered.
 */
export function createIntelAnswers(db: Db) {
  const { answers } = intelCollections(db);

  return {
    /**
     * What the same request was answered with before; undefined: nothing, or so long ago that the key is free again.
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
