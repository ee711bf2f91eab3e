import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { EmailSchema } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import type {
  SendMessageRequest,
  SendMessageResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { parseMailbox } from "../../message/address/addresses.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { newIdInBucket } from "../../shared/ids.ts";
import { MEMBER_SEND } from "../../shared/operations.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Store } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { emailSubmission } from "../send/email-submission.ts";
import { fingerprint } from "../send/fingerprint.ts";
import { bucketOfRequest, checkIdempotencyKey, type IdempotentRequest } from "../send/idempotency.ts";
import { createPrepareEmail } from "../send/prepare-email.ts";
import { storeOnce } from "../send/store-once.ts";
import { toMessage } from "../to-proto.ts";

export type SendMessageNeeds = Pick<
  Dependencies,
  | "settings"
  | "policyBounds"
  | "verifySender"
  | "limits"
  | "rateLimits"
  | "idempotency"
  | "intake"
  | "budget"
  | "partitionOf"
  | "retention"
  | "clock"
  | "measured"
>;

interface SendMessageOptions extends SendMessageNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
}

type Context = Pick<HandlerContext, "principal" | "audit" | "traceId" | "signal">;

/**
 * Sends a message that a member has written:
 *
 * 1. counts it against the rate limits of the account, and of the member in place of a key
 * 2. processes requests with the same idempotency key one at a time, with the message that an earlier one has stored
 * 3. checks it as a submission of a key (`prepare-email.ts`), and stores it once (`store-once.ts`)
 * 4. records the sender in the audit log, because the message contains no actor
 *
 * Its policy decides whether it is captured or delivered. The suppression list is checked before the delivery
 * attempt, as for all mail.
 */
export function createSendMessage(needs: SendMessageOptions) {
  const { store, rateLimits, idempotency, intake, budget, partitionOf, retention, clock } = needs;
  const prepareEmail = createPrepareEmail(needs);

  const send = needs.measured(async (request: SendMessageRequest, context: Context) => {
    const { principal, audit, traceId, signal } = context;
    const account = await resolveAccount(store, request);
    const { id: accountId } = account;
    const owner = { accountId, senders: [] };
    const keyId = `${accountId}.${principal?.userId ?? "operator"}`;
    const email = emailOf(request);
    const idempotent = idempotentRequest(request.idempotencyKey, {
      apiKey: owner,
      operation: MEMBER_SEND,
      fingerprint: fingerprint(email, undefined),
    });

    async function storeNew(): Promise<MessageDocument | undefined> {
      const now = clock.now();
      const prepared = await prepareEmail(email, undefined, owner, now);
      signal.throwIfAborted();
      const { message, content } = emailSubmission({
        prepared,
        email,
        id: newIdInBucket("msg", now, bucketOfRequest(idempotent, traceId)),
        key: { _id: "", accountId },
        traceId,
        operation: MEMBER_SEND,
        source: "dashboard",
        idempotent,
        now,
        partitionOf,
        contentRetentionMs: retention.contentMs,
      });
      return (await intake.store({ message, content, signal })) === "stored" ? message : undefined;
    }

    const accept = () =>
      storeOnce({
        isKeyed: idempotent !== undefined,
        store: storeNew,
        findEarlier: async () => idempotent && idempotency.findEarlier(idempotent),
      });

    await rateLimits.consume(keyId, accountId);
    const reservation = budget.reserve({ keyId, accountId }, sizeOf(request));
    try {
      const outcome = await (idempotent ? idempotency.exclusively(idempotent, accept) : accept());
      if ("earlier" in outcome) return { message: outcome.earlier, replayed: true };
      const { stored: message } = outcome;
      const target = { kind: "message", id: message._id, name: message.recipient } as const;
      await account.audit.add(audit, { target, outcome: "changed" });
      return { message, replayed: false };
    } finally {
      reservation.release();
    }
  });

  return async (
    request: SendMessageRequest,
    context: Context,
  ): Promise<MessageInitShape<typeof SendMessageResponseSchema>> => {
    const { message, replayed } = await send(request, context);
    return { message: toMessage(message), replayed };
  };
}

/** @throws Fault of the recipient's address */
function emailOf({ from, to, subject, html, text, routingPolicy }: SendMessageRequest) {
  const recipient = parseMailbox(to);
  if (!recipient.ok) {
    throw validationFault([{ pointer: "/to", code: recipient.code, message: recipient.message }]);
  }
  return create(EmailSchema, {
    from,
    to: [to],
    subject,
    ...withoutUndefined({ html, text, routingPolicy }),
  });
}

/** @throws Fault request.malformed_header */
function idempotentRequest(
  key: string,
  named: Omit<IdempotentRequest, "key">,
): IdempotentRequest | undefined {
  if (key === "") return undefined;
  checkIdempotencyKey(key);
  return { ...named, key };
}

function sizeOf({ subject, html = "", text = "" }: SendMessageRequest): number {
  return Buffer.byteLength(subject) + Buffer.byteLength(html) + Buffer.byteLength(text);
}
