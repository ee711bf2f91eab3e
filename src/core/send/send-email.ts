import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Email, SendEmailResponseSchema } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { ByteBudget } from "../../shared/byte-budget.ts";
import type { Clock } from "../../shared/clock.ts";
import type { RateLimitState } from "../../shared/fault.ts";
import { newIdInBucket } from "../../shared/ids.ts";
import type { MessageSource } from "../../shared/message-source.ts";
import type { PartitionOf } from "../../shared/partition.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import type { RateLimits } from "../access/rate-limits.ts";
import { emailSubmission } from "./email-submission.ts";
import { fingerprint } from "./fingerprint.ts";
import {
  bucketOfRequest,
  checkIdempotencyKey,
  type Idempotency,
  type IdempotentRequest,
} from "./idempotency.ts";
import type { Intake } from "./intake.ts";
import type { PrepareEmail } from "./prepare-email.ts";
import { readTemplateData } from "./read-email.ts";
import { storeOnce } from "./store-once.ts";
import type { UnreadSendEmail } from "./unread.ts";

export type SendEmailOutcome = MessageInitShape<typeof SendEmailResponseSchema>;
export type SendEmail = (request: UnreadSendEmail, context: HandlerContext) => Promise<SendEmailOutcome>;

export interface SendEmailOptions {
  readonly authenticator: KeyAuthenticator;
  readonly rateLimits: RateLimits;
  readonly idempotency: Idempotency;
  readonly prepareEmail: PrepareEmail;
  readonly intake: Intake;
  readonly partitionOf: PartitionOf;
  /** Memory for decoded submissions until they are stored. */
  readonly budget: ByteBudget;
  readonly clock: Clock;
  readonly contentRetentionMs: number;
}

/** Both HTTP paths are the same operation, and share the scope of idempotency keys. */
const OPERATION = "email.send";

/** A submission that may be decoded, with its owner. */
interface Submission extends Pick<HandlerContext, "traceId" | "signal"> {
  readonly source: MessageSource;
  readonly email: Email;
  readonly templateData: JsonObject | undefined;
  readonly key: KeyDocument;
}

/**
 * Accepts one message:
 *
 * 1. authenticates the key, and counts the submission
 * 2. reserves memory, and decodes the submission
 * 3. processes submissions with the same idempotency key one at a time, with the message that an earlier one has
 *    stored
 * 4. checks the submission (`prepare-email.ts`)
 * 5. stores body and message, once (`store-once.ts`)
 */
export function createSendEmail(options: SendEmailOptions): SendEmail {
  const { authenticator, rateLimits, idempotency, prepareEmail, intake, partitionOf, clock } = options;

  /** @returns undefined: the idempotency key is already used */
  async function storeNew(
    { email, templateData, key, source, traceId, signal }: Submission,
    idempotent: IdempotentRequest | undefined,
  ): Promise<MessageDocument | undefined> {
    const now = clock.now();
    const prepared = await prepareEmail(email, templateData, key, now);
    signal.throwIfAborted();
    const id = newIdInBucket("msg", now, bucketOfRequest(idempotent, traceId));
    const { content, message } = emailSubmission({
      prepared,
      email,
      id,
      key,
      traceId,
      operation: OPERATION,
      source,
      idempotent,
      now,
      partitionOf,
      contentRetentionMs: options.contentRetentionMs,
    });
    return (await intake.store({ content, message, signal })) === "stored" ? message : undefined;
  }

  async function accept(
    submission: Submission,
    idempotent: IdempotentRequest | undefined,
  ): Promise<Accepted> {
    const outcome = await storeOnce({
      isKeyed: idempotent !== undefined,
      store: () => storeNew(submission, idempotent),
      findEarlier: async () => idempotent && idempotency.findEarlier(idempotent),
    });
    return "stored" in outcome
      ? { message: outcome.stored, replayed: false }
      : { message: outcome.earlier, replayed: true };
  }

  async function acceptOnce(submission: Submission, idempotencyKey: string): Promise<Accepted> {
    if (idempotencyKey === "") return accept(submission, undefined);
    checkIdempotencyKey(idempotencyKey);
    const { key: apiKey, email, templateData } = submission;
    const idempotent: IdempotentRequest = {
      apiKey,
      operation: OPERATION,
      key: idempotencyKey,
      fingerprint: fingerprint(email, templateData),
    };
    return idempotency.exclusively(idempotent, () => accept(submission, idempotent));
  }

  return async (request, { traceId, signal, peerAddress }) => {
    const { apiKey, clientAddress, idempotencyKey } = request.head();
    // A service that calls the core directly sends no client address.
    const source = clientAddress === "" ? ("grpc" as const) : ("http" as const);
    const key = await authenticator.authenticate(apiKey, {
      kind: "account",
      scope: "email.send",
      clientAddress: clientAddress || peerAddress,
      surface: source,
      isOperation: true,
    });
    const limits = await rateLimits.consume(key._id, key.accountId);
    const owner = { keyId: key._id, accountId: key.accountId };
    const reservation = options.budget.reserve(owner, request.sizeBytes);
    try {
      // The caller no longer waits: not decoding leaves time for waiting callers.
      signal.throwIfAborted();
      const email = request.email();
      const templateData = readTemplateData(email);
      const submission = { email, templateData, key, source, traceId, signal };
      return answer(await acceptOnce(submission, idempotencyKey), limits);
    } finally {
      reservation.release();
    }
  };
}

interface Accepted {
  readonly message: MessageDocument;
  readonly replayed: boolean;
}

function answer({ message, replayed }: Accepted, limits: readonly RateLimitState[]): SendEmailOutcome {
  return {
    messageId: message._id,
    traceId: message.traceId,
    status: message.sendAt ? "scheduled" : "queued",
    createdAt: timestampFromDate(message.createdAt),
    recipient: message.recipient,
    notDelivered: [...message.notDelivered],
    ...(message.sendAt && { scheduledAt: timestampFromDate(message.sendAt) }),
    replayed,
    rateLimits: [...limits],
    accountId: message.accountId,
  };
}
