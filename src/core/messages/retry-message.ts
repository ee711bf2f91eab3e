import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  RetryMessageRequest,
  RetryMessageResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { type FaultText, say } from "../../shared/fault-text.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import { findMessage } from "../find-message.ts";
import { type OperatorStore, operatorScope } from "../operator-scope.ts";
import { toMessage } from "../to-proto.ts";
import { OUT_OF_REACH_MS } from "./reach.ts";

/** Retries a deferred message now. A message that is already due or in delivery is returned unchanged. */
export function createRetryMessage({
  store,
  clock,
}: {
  readonly store: OperatorStore;
  readonly clock: Clock;
}) {
  return async (
    request: RetryMessageRequest,
    context: Pick<HandlerContext, "actor" | "audit">,
  ): Promise<MessageInitShape<typeof RetryMessageResponseSchema>> => {
    const scope = operatorScope(store, request, context);
    const message = await findMessage(scope, request.id);
    const reason = whyNotRetried(message);
    if (reason !== undefined) throw fault("message.not_retryable", { public: textOf(reason, message) });
    const at = clock.now();
    const retry = { at, dueAfter: new Date(at.getTime() + OUT_OF_REACH_MS) };
    await store.forAccount(message.accountId).queue.retryNow(message, retry, context.audit);
    return { message: toMessage(await findMessage(scope, request.id)) };
  };
}

/** Reason why a message is not retried; undefined: it is. */
export function whyNotRetried({
  state,
  cancelRequestedAt,
}: Pick<MessageDocument, "state" | "cancelRequestedAt">) {
  if (cancelRequestedAt !== undefined) return "being_withdrawn" as const;
  if (state === "deferred" || state === "queued") return undefined;
  return state === "scheduled" ? ("not_tried_yet" as const) : ("no_attempt_follows" as const);
}

function textOf(
  reason: NonNullable<ReturnType<typeof whyNotRetried>>,
  { _id: id, state }: Pick<MessageDocument, "_id" | "state">,
): FaultText {
  return reason === "no_attempt_follows" ? say(reason, { id, state }) : say(reason, { id });
}
