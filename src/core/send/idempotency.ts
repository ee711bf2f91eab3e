import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { bucketOfKey, bucketOfNames } from "../../shared/ids.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Store } from "../../store/store.ts";
import { mayUseSender } from "../access/verify-sender.ts";

/** One use of an idempotency key. */
export interface IdempotentRequest {
  /** Key of the caller. Idempotency keys belong to the account, so all of its API keys share them. */
  readonly apiKey: Pick<KeyDocument, "accountId" | "senders">;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** Bucket of the data of a request: a repetition with the same key results in the same bucket. */
export function bucketOfRequest(idempotent: IdempotentRequest | undefined, traceId: string): number {
  if (!idempotent) return bucketOfNames(traceId);
  return bucketOfKey(idempotent.apiKey.accountId, idempotent.operation, idempotent.key);
}

/** An idempotency key of one account and operation. */
type IdempotencyName = Pick<IdempotentRequest, "operation" | "key"> & {
  readonly apiKey: Pick<KeyDocument, "accountId">;
};

export interface Idempotency {
  /**
   * Runs `work` unless a request with the same key is running in this process.
   * @throws Fault idempotency.in_flight
   */
  exclusively<T>(name: IdempotencyName, work: () => Promise<T>): Promise<T>;
  /**
   * The message that an earlier request with this key stored; undefined: the key is unused or has expired, and an
   * expired one was released.
   * @throws Fault idempotency.key_reused if that request's body differs
   * @throws Fault sender.not_allowed if the message has a sender that the API key may not use
   */
  findEarlier(request: IdempotentRequest): Promise<MessageDocument | undefined>;
}

export interface IdempotencyOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly clock: Clock;
  readonly retentionMs: number;
}

const VISIBLE_ASCII = /^[!-~]{1,255}$/;

/** @throws Fault request.malformed_header */
export function checkIdempotencyKey(key: string): void {
  if (VISIBLE_ASCII.test(key)) return;
  throw fault("request.malformed_header", {
    public: say("idempotency_key_1_255_visible_ascii"),
  });
}

/** Weight of the last request in the average duration. */
const LAST_SHARE = 0.2;
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * The message stores the key under a unique index: checking the key and storing the message are one write, so that
 * neither a crash nor a second core can store a message twice. Requests in progress are known per process.
 */
export function createIdempotency({ store, clock, retentionMs }: IdempotencyOptions): Idempotency {
  /** Start times on the monotonic clock. An entry is removed when its work has ended, or no request waits for it. */
  const inFlight = new Map<string, number>();
  let averageMs = 0;

  /** Estimated remaining time of work that started at this time. */
  function retryAfterSeconds(sinceMs: number): number {
    const leftMs = sinceMs + averageMs - clock.monotonicMs();
    return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(leftMs / 1000)));
  }

  return {
    exclusively: async ({ apiKey, operation, key }, work) => {
      const name = JSON.stringify([apiKey.accountId, operation, key]);
      const earlierMs = inFlight.get(name);
      if (earlierMs !== undefined) {
        throw fault("idempotency.in_flight", { retryAfterSeconds: retryAfterSeconds(earlierMs) });
      }
      const sinceMs = clock.monotonicMs();
      inFlight.set(name, sinceMs);
      try {
        return await work();
      } finally {
        inFlight.delete(name);
        averageMs += LAST_SHARE * (clock.monotonicMs() - sinceMs - averageMs);
      }
    },

    findEarlier: async ({ apiKey, operation, key, fingerprint }) => {
      const { messages } = store.forAccount(apiKey.accountId);
      const earlier = await messages.findByIdempotencyKey(operation, key);
      if (!earlier) return undefined;
      if (earlier.createdAt.getTime() + retentionMs <= clock.now().getTime()) {
        await messages.forgetIdempotencyKey(earlier, key);
        return undefined;
      }
      const maySee = [earlier.from, earlier.envelopeFrom ?? earlier.from].every((sender) =>
        mayUseSender(apiKey, sender),
      );
      if (earlier.fingerprint !== fingerprint) {
        throw fault("idempotency.key_reused", {
          public: maySee ? say("key_of_message", { id: earlier._id }) : say("key_of_other_body"),
        });
      }
      if (maySee) return earlier;
      throw fault("sender.not_allowed", {
        public: say("idempotency_key_belongs_message_whose_sender"),
      });
    },
  };
}
