import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetMessageSourceRequest,
  GetMessageSourceResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { composeBody } from "../../message/mime/compose-body.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { type Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { SYSTEM_MAIL } from "../../shared/operations.ts";
import { createSlots } from "../../shared/slots.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { timesOf } from "../accounts/retention-times.ts";
import type { Retention } from "../dependencies.ts";
import { findMessageOrSubmission } from "../find-message.ts";
import { type OperatorStore, operatorScope } from "../operator-scope.ts";
import { toMessage } from "../to-proto.ts";

/** Maximum number of bodies opened at once: each can have 25 MB, both in stored and in transmitted form. */
const OPENED_AT_ONCE = 4;

export interface GetMessageSourceOptions {
  readonly store: OperatorStore;
  readonly retention: Retention;
  readonly clock: Clock;
}

/** Returns a message in its transmitted form, for callers that may read mail. The audit log records the reader. */
export function createGetMessageSource({ store, retention, clock }: GetMessageSourceOptions) {
  const slots = createSlots(OPENED_AT_ONCE);

  /**
   * Time until which the body was to be stored; undefined: that time is in the future, and the body was removed for
   * another reason.
   */
  async function keptUntil(
    account: AccountStore,
    { createdAt, sendAt }: MessageDocument,
  ): Promise<Date | undefined> {
    const { content } = timesOf((await account.retentions.find()) ?? {}, retention);
    const sentAtMs = (sendAt ?? createdAt).getTime();
    // An account's own time is counted from the acceptance of the message, and bodies of waiting messages are kept.
    const ownEndMs = content.isOwn
      ? Math.max(createdAt.getTime() + content.ms, sentAtMs)
      : Number.POSITIVE_INFINITY;
    const end = new Date(Math.min(sentAtMs + retention.contentMs, ownEndMs));
    return end <= clock.now() ? end : undefined;
  }

  /** @throws Fault message.body_gone, message.unreadable, store.unavailable */
  async function open(account: AccountStore, message: MessageDocument): Promise<Buffer> {
    const body = await account.contents.load(message.contentId);
    if (!body) throw gone(message, await keptUntil(account, message));
    if (body.kind === "unreadable") {
      // Parts of a large body are removed before it.
      const end = await keptUntil(account, message);
      throw end ? gone(message, end) : unreadable(message, body.reason);
    }
    try {
      return composeBody(message, body);
    } catch (error) {
      throw unreadable(message, error instanceof Error ? error.message : String(error));
    }
  }

  return async (
    request: GetMessageSourceRequest,
    context: Pick<HandlerContext, "actor" | "audit" | "signal">,
  ): Promise<MessageInitShape<typeof GetMessageSourceResponseSchema>> => {
    const message = await findMessageOrSubmission(operatorScope(store, request, context), request.id);
    if (message.operation === SYSTEM_MAIL) throw fault("message.body_withheld");
    const account = store.forAccount(message.accountId);
    return slots(async () => {
      // The call may have waited for capacity.
      context.signal.throwIfAborted();
      const source = await open(account, message);
      const target = { kind: "message", id: message._id, name: message.subject } as const;
      await account.audit.add(context.audit, { target, outcome: "read" });
      return { message: toMessage(message), source };
    });
  };
}

function gone({ _id: id }: MessageDocument, end: Date | undefined): Fault {
  return fault("message.body_gone", {
    public: end ? say("body_kept_until", { id, at: end.toISOString() }) : say("body_removed_early", { id }),
  });
}

function unreadable({ _id: id }: MessageDocument, reason: string): Fault {
  return fault("message.unreadable", {
    public: say("stored_body_message_cannot_read", { id, detail: reason }),
  });
}
