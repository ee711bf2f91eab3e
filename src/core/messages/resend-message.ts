import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ResendMessageRequest,
  ResendMessageResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Store } from "../../store/store.ts";
import { findMessage } from "../find-message.ts";
import { operatorScope } from "../operator-scope.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toMessage } from "../to-proto.ts";
import type { Resend } from "./resend.ts";

export interface ResendMessageOptions {
  readonly store: Pick<Store, "accounts" | "forAccount" | "acrossAccounts">;
  readonly resend: Resend;
}

/** Sends one finished message again on request. */
export function createResendMessage({ store, resend }: ResendMessageOptions) {
  return async (
    request: ResendMessageRequest,
    context: Pick<HandlerContext, "actor" | "principal" | "audit" | "traceId" | "signal">,
  ): Promise<MessageInitShape<typeof ResendMessageResponseSchema>> => {
    const { principal, audit, traceId, signal } = context;
    const { idempotencyKey } = request;
    const message = await findMessage(operatorScope(store, request, context), request.id);
    const account = await resolveAccount(store, message);
    const { message: copy, replayed } = await resend({
      message,
      wantedBy: principal?.userId ?? "operator",
      traceId,
      signal,
      ...(idempotencyKey !== "" && { once: { key: idempotencyKey } }),
    });
    if (!replayed) {
      // The new message contains no actor: the audit log has the caller.
      const target = { kind: "message", id: message._id, name: copy._id } as const;
      await account.audit.add(audit, { target, outcome: "changed" });
    }
    return { message: toMessage(copy), replayed };
  };
}
