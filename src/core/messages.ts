import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CancelMessageRequest,
  type CancelMessageResponseSchema,
  type GetMessageRequest,
  type GetMessageResponseSchema,
  type ListMessagesRequest,
  type ListMessagesResponseSchema,
  MessageService,
} from "../../gen/hermod/message/v1/message_service_pb.ts";
import { cancelledEvent } from "../events/message-event.ts";
import { prepareArea } from "../rpc/area.ts";
import { changes, READS, reads } from "../rpc/audits.ts";
import { type HandlerContext, OPERATOR_ONLY, permitted } from "../rpc/callers.ts";
import type { Audit } from "../shared/audit.ts";
import type { Clock } from "../shared/clock.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { isFinal } from "../shared/message-state.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { MessageDocument } from "../store/message-documents.ts";
import type { Store } from "../store/store.ts";
import { findMessage, findMessageOrSubmission } from "./find-message.ts";
import { createExportMessages } from "./message-export/export-messages.ts";
import { holdOf, withHold } from "./message-hold.ts";
import { createBulk } from "./messages/bulk.ts";
import { bulkActions, bulkNeeds } from "./messages/bulk-actions.ts";
import { createCountMatchingMessages } from "./messages/count-matching-messages.ts";
import { createGetMessageSource } from "./messages/get-message-source.ts";
import { OUT_OF_REACH_MS } from "./messages/reach.ts";
import type { ResendNeeds } from "./messages/resend.ts";
import { createResendMessage } from "./messages/resend-message.ts";
import { createRetryMessage } from "./messages/retry-message.ts";
import { createSendMessage, type SendMessageNeeds } from "./messages/send-message.ts";
import { type OperatorStore, operatorScope } from "./operator-scope.ts";
import { messageIdIn, pageSizeOf, pageStartOf } from "./page.ts";
import {
  createDropQuarantined,
  createGetQuarantined,
  createListQuarantined,
  createReleaseQuarantined,
} from "./quarantine.ts";
import { readMessageFilter } from "./read-message-filter.ts";
import { resolveAccount } from "./resolve-account.ts";
import { createSlots } from "./slots.ts";
import { timelineOf } from "./timeline.ts";
import { toListed, toMessage } from "./to-proto.ts";

/** Each export holds some megabytes until its client has read them. */
export const EXPORTS = { of: "exports", ofAccount: 4, inAll: 16, retryAfterSeconds: 30 } as const;
/** Each count takes up to two seconds of a processor, so that searches while typing wait for one another. */
const COUNTS = { of: "counts", ofAccount: 4, inAll: 8, retryAfterSeconds: 2 } as const;

/** Messages: their states, and the actions on them. */
export const messages = prepareArea(MessageService, partsOf, {
  getMessage: [permitted("messages.read"), READS, createGetMessage],
  getMessageSource: [
    permitted("messages.read_bodies"),
    reads("message.read_body", "id"),
    createGetMessageSource,
  ],
  listMessages: [permitted("messages.read"), READS, createListMessages],
  exportMessages: [
    permitted("messages.read"),
    reads("message.export"),
    (needs) => createExportMessages({ store: needs.store, slots: createSlots(EXPORTS) }),
  ],
  countMatchingMessages: [
    permitted("messages.read"),
    READS,
    (needs) => createCountMatchingMessages({ ...needs, slots: createSlots(COUNTS) }),
  ],
  cancelMessage: [permitted("messages.write"), changes("message.cancel", "id"), createCancelMessage],
  retryMessage: [permitted("messages.write"), changes("message.retry", "id"), createRetryMessage],
  resendMessage: [permitted("messages.write"), changes("message.resend", "id"), createResendMessage],
  sendMessage: [permitted("email.send"), changes("message.send"), createSendMessage],
  countBulk: [permitted("messages.write"), READS, (needs) => needs.countBulk],
  beginBulk: [permitted("messages.write"), changes("message.bulk"), (needs) => needs.beginBulk],
  listQuarantinedMessages: [OPERATOR_ONLY, READS, createListQuarantined],
  getQuarantinedMessage: [OPERATOR_ONLY, READS, createGetQuarantined],
  releaseQuarantinedMessage: [OPERATOR_ONLY, changes("quarantine.release", "id"), createReleaseQuarantined],
  dropQuarantinedMessage: [OPERATOR_ONLY, changes("quarantine.drop", "id"), createDropQuarantined],
});

function partsOf(dependencies: ResendNeeds & SendMessageNeeds) {
  const { store, clock } = dependencies;
  const needs = bulkNeeds(dependencies);
  return { ...needs, ...dependencies, ...createBulk({ store, clock, actions: bulkActions(needs) }) };
}

/** Returns a message by its id or its trace id, with its timeline and its hold. */
export function createGetMessage({ store }: { readonly store: OperatorStore & Pick<Store, "holds"> }) {
  return async (
    request: GetMessageRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof GetMessageResponseSchema>> => {
    const scope = operatorScope(store, request, context);
    const message = await findMessageOrSubmission(scope, request.id);
    const [[listed], timeline, hold] = await Promise.all([
      toListed(scope, [message]),
      timelineOf(scope, message),
      holdOf(store, message),
    ]);
    return { message: listed, timeline: withHold(timeline, message, hold), ...(hold && { hold }) };
  };
}

/** Lists messages of one account, newest first. The page token is the last id of the previous page. */
export function createListMessages({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (
    request: ListMessagesRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListMessagesResponseSchema>> => {
    const account = await resolveAccount(store, request, context);
    const limit = pageSizeOf(request.pageSize);
    const filter = readMessageFilter(request);
    const beforeId = pageStartOf(request.pageToken, messageIdIn);
    const page = { filter, limit, ...withoutUndefined({ beforeId }) };
    const { messages, nextBeforeId } = await account.messages.list(page);
    return { messages: await toListed(account, messages), nextPageToken: nextBeforeId ?? "" };
  };
}

export interface CancelMessageOptions {
  readonly store: OperatorStore;
  readonly clock: Clock;
  /** Retention time of cancelled messages. */
  readonly retentionMs: number;
  /** Maximum wait for the decision of the partition's owner. */
  readonly waitMs?: number;
}

const WAIT_MS = 10_000;
const ASK_MS = 250;
const RETRY_AFTER_SECONDS = 10;

/**
 * Cancels a message. A message that is due later is removed from the queue here. For others, the owner of the
 * partition decides whether it is too late, because only the owner knows the running deliveries.
 */
export function createCancelMessage(options: CancelMessageOptions) {
  const { store, clock, retentionMs, waitMs = WAIT_MS } = options;

  /** Removed from the queue first: no event may report a change that an attempt could still undo. */
  async function withdraw(message: MessageDocument, audit: Audit): Promise<void> {
    const at = clock.now();
    const { queue } = store.forAccount(message.accountId);
    await queue.withdrawBeforeDue(message, new Date(at.getTime() + OUT_OF_REACH_MS), { at, audit });
  }

  async function finish(message: MessageDocument): Promise<void> {
    const at = clock.now();
    const expireAt = new Date(at.getTime() + retentionMs);
    const { events, queue, search } = store.forAccount(message.accountId);
    await search.add([{ ...message, state: "cancelled" }]);
    await events.insertMissing([cancelledEvent(message, at, expireAt)]);
    await queue.cancel(message, { at, expireAt });
  }

  /** Removed from the queue and not finished: by this call, or by a core that crashed during it. */
  const isWithdrawn = (message: MessageDocument) =>
    message.cancelRequestedAt !== undefined && message.nextAttemptAt === undefined;

  const isOutOfReach = ({ nextAttemptAt, held }: MessageDocument) =>
    nextAttemptAt !== undefined && !held && nextAttemptAt.getTime() > clock.now().getTime() + OUT_OF_REACH_MS;

  return async (
    request: CancelMessageRequest,
    context: Pick<HandlerContext, "actor" | "signal" | "audit">,
  ): Promise<MessageInitShape<typeof CancelMessageResponseSchema>> => {
    const { signal, audit } = context;
    const untilMs = clock.monotonicMs() + waitMs;
    for (let requested = false; ; ) {
      const message = await findMessage(operatorScope(store, request, context), request.id);
      const { _id: id, accountId, state } = message;
      if (state === "cancelled") return { message: toMessage(message) };
      if (isFinal(state))
        throw fault("message.not_cancellable", { public: say("message_state", { id, state }) });
      if (isWithdrawn(message)) await finish(message);
      else if (isOutOfReach(message)) await withdraw(message, audit);
      else if (!requested) {
        await store.forAccount(accountId).queue.requestCancel(message, { at: clock.now(), audit });
        requested = true;
      } else if (signal.aborted || clock.monotonicMs() >= untilMs) {
        throw fault("message.cancel_pending", {
          public: say("message_still_withdrawn_unless_attempt_under", { id, state }),
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      } else await sleep(ASK_MS, undefined, { signal }).catch(() => undefined);
    }
  };
}
