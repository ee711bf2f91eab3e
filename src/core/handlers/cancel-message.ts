import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CancelMessageRequest,
  CancelMessageResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { isFinal } from "../../shared/message-state.ts";
import { cancelledEvent } from "../../store/cancelled-event.ts";
import type { MessageDocument } from "../../store/documents.ts";
import type { Store } from "../../store/store.ts";
import { findMessage } from "../find-message.ts";
import type { HandlerContext } from "../handler-context.ts";
import { toMessage } from "../to-proto.ts";

export interface CancelMessageOptions {
  readonly store: Pick<Store, "messages" | "queue" | "events">;
  readonly clock: Clock;
  /** How long cancelled messages are kept. */
  readonly retentionMs: number;
  /** How long the decision of the partition's owner is waited for. */
  readonly waitMs?: number;
}

/** Nobody has a message in hand that is due only after this; more than clocks differ. */
const OUT_OF_REACH_MS = 5_000;
const WAIT_MS = 10_000;
const ASK_MS = 250;
const RETRY_AFTER_SECONDS = 10;

/**
 * Withdraws a message. One that is due later is taken out of the queue here; whether another one is too late is
 * decided by the owner of its partition, who alone knows what is under way.
 */
export function createCancelMessage(options: CancelMessageOptions) {
  const { store, clock, retentionMs, waitMs = WAIT_MS } = options;

  /** Out of the queue before anything else: an event must not tell of what an attempt could still undo. */
  async function withdraw({ _id: id }: MessageDocument): Promise<void> {
    const at = clock.now();
    await store.queue.withdrawBeforeDue(id, at, new Date(at.getTime() + OUT_OF_REACH_MS));
  }

  async function finish(message: MessageDocument): Promise<void> {
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    await store.events.insertMissing([cancelledEvent(message, at, expireAt)]);
    await store.queue.cancel([message._id], { at, expireAt });
  }

  /** Out of the queue and not finished: by this call, or by a core that crashed then. */
  const isWithdrawn = (message: MessageDocument) =>
    message.cancelRequestedAt !== undefined && message.nextAttemptAt === undefined;

  const isOutOfReach = ({ nextAttemptAt, held }: MessageDocument) =>
    nextAttemptAt !== undefined && !held && nextAttemptAt.getTime() > clock.now().getTime() + OUT_OF_REACH_MS;

  return async (
    request: CancelMessageRequest,
    { signal }: Pick<HandlerContext, "signal">,
  ): Promise<MessageInitShape<typeof CancelMessageResponseSchema>> => {
    const untilMs = clock.monotonicMs() + waitMs;
    for (let requested = false; ; ) {
      const message = await findMessage(store, request);
      const { _id: id, state } = message;
      if (state === "cancelled") return { message: toMessage(message) };
      if (isFinal(state)) throw fault("message.not_cancellable", { public: `Message ${id} is ${state}.` });
      if (isWithdrawn(message)) await finish(message);
      else if (isOutOfReach(message)) await withdraw(message);
      else if (!requested) {
        await store.queue.requestCancel(id, clock.now());
        requested = true;
      } else if (signal.aborted || clock.monotonicMs() >= untilMs) {
        throw fault("message.cancel_pending", {
          public: `Message ${id} is still ${state}: it is withdrawn unless an attempt under way delivers it.`,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      } else await sleep(ASK_MS, undefined, { signal }).catch(() => undefined);
    }
  };
}
