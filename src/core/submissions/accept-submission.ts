import { isUtf8 } from "node:buffer";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  Envelope,
  SubmitMessageResponseSchema,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { domainOf } from "../../message/address/addresses.ts";
import { withoutControls } from "../../message/characters.ts";
import { readSubmittedHeader, type SubmittedHeader } from "../../message/header/submitted-header.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { bucketOfKey, bucketOfNames, newIdInBucket, submittedIds } from "../../shared/ids.ts";
import type { PartitionOf } from "../../shared/partition.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { Store } from "../../store/store.ts";
import type { AccountSettings } from "../access/account-settings.ts";
import type { RateLimits } from "../access/rate-limits.ts";
import type { VerifySender } from "../access/verify-sender.ts";
import { checkIdempotencyKey, type Idempotency, type IdempotentRequest } from "../send/idempotency.ts";
import type { Intake } from "../send/intake.ts";
import { isPassing, storeOnce } from "../send/store-once.ts";
import type { AuthenticateSubmitter } from "./authenticate.ts";
import { readEnvelope } from "./read-envelope.ts";
import type { ArrivedBody, OpenSubmission, PreparedSubmission } from "./submission.ts";
import {
  headOf,
  messageDocuments,
  SUBMIT_OPERATION,
  saysSmtpUtf8,
  submissionFingerprint,
} from "./submission-documents.ts";

export type SubmissionAnswer = MessageInitShape<typeof SubmitMessageResponseSchema>;

/** Steps of accepting a complete message, in order. */
export interface AcceptSubmission {
  /** Authenticates, checks the envelope, and counts its recipients. */
  open(envelope: Envelope, context: HandlerContext): Promise<OpenSubmission>;
  /** @param header with or without the empty line at its end */
  prepare(submission: OpenSubmission, header: Buffer): Promise<PreparedSubmission>;
  store(submission: PreparedSubmission, arrived: ArrivedBody): Promise<SubmissionAnswer>;
}

export interface AcceptSubmissionOptions {
  readonly authenticate: AuthenticateSubmitter;
  readonly verifySender: VerifySender;
  readonly settings: Pick<AccountSettings, "policy">;
  readonly rateLimits: RateLimits;
  readonly idempotency: Idempotency;
  readonly store: Pick<Store, "forAccount">;
  readonly intake: Intake;
  readonly partitionOf: PartitionOf;
  readonly clock: Clock;
  readonly maxRecipients: number;
  readonly maxHops: number;
  /** The Received field contains the submitting client. */
  readonly showsClient: boolean;
  readonly contentRetentionMs: number;
}

/** A longer one is not useful for finding the message. */
const MAX_MESSAGE_ID_LENGTH = 998;
const MAX_NAME_SHOWN = 100;

export function createAcceptSubmission(options: AcceptSubmissionOptions): AcceptSubmission {
  const { authenticate, verifySender, settings, rateLimits, idempotency, store, intake, clock } = options;
  const { partitionOf } = options;

  /** @throws Fault */
  async function check({ key }: OpenSubmission, { from, alsoFrom, policy: name, hops }: SubmittedHeader) {
    // With the trace field of this relay, it would have more than the maximum.
    if (hops >= options.maxHops) {
      throw fault("message.looping", {
        public: say("message_passed_servers_pass_runs_circles", { actual: hops, max: options.maxHops }),
      });
    }
    for (const address of [from, ...alsoFrom]) await verifySender(address, key);
    const policy = await settings.policy(key.accountId, name);
    if (policy) return policy;
    throw fault("policy.unknown", {
      public:
        name === undefined
          ? say("no_default_policy_name_header")
          : say("no_policy_of_header", { name: withoutControls(name).slice(0, MAX_NAME_SHOWN) }),
    });
  }

  async function storeNew(
    submission: PreparedSubmission,
    policy: PolicyDocument,
    { body, sizeBytes }: ArrivedBody,
    idempotent: IdempotentRequest | undefined,
  ) {
    const { key, contentId, expireAt, signal } = submission;
    signal.throwIfAborted();
    const now = clock.now();
    const documents = messageDocuments(submission, { policy, sizeBytes, idempotent, now, partitionOf });
    const content = { id: contentId, accountId: key.accountId, body, sizeBytes, createdAt: now, expireAt };
    const [message, ...others] = documents;
    if (message && others.length === 0) return intake.store({ content, message, signal });
    return intake.storeTogether({ content, messages: documents, signal });
  }

  async function answerAgain(
    earlier: MessageDocument,
    { envelope }: PreparedSubmission,
  ): Promise<SubmissionAnswer> {
    const { accountId, traceId, contentId } = earlier;
    const { messages } = store.forAccount(accountId);
    const all = envelope.recipients.length === 1 ? [earlier] : await messages.listByTraceId(traceId);
    // Callers choose trace ids, so another submission may have the same one.
    const ofThis = all.filter((message) => message.contentId === contentId);
    const messageIds = envelope.positions.map((position) => ofThis[position]?._id ?? earlier._id);
    return { traceId, messageIds, accountId, replayed: true };
  }

  /** Messages that an earlier attempt of this submission has stored. */
  async function findStored(
    { envelope: { submissionId }, key: { accountId } }: PreparedSubmission,
    idempotent: IdempotentRequest | undefined,
  ): Promise<MessageDocument | undefined> {
    const { messages } = store.forAccount(accountId);
    const same =
      submissionId === undefined
        ? undefined
        : await messages.findSubmitted(submittedIds(submissionId, accountId).firstPrefix);
    return same ?? (idempotent && idempotency.findEarlier(idempotent));
  }

  async function accept(
    submission: PreparedSubmission,
    arrived: ArrivedBody,
    idempotent: IdempotentRequest | undefined,
  ): Promise<SubmissionAnswer> {
    const { verdict, ids, traceId, envelope } = submission;
    const outcome = await storeOnce({
      isKeyed: idempotent !== undefined,
      store: async () => {
        if (verdict instanceof Fault) throw verdict;
        return (await storeNew(submission, verdict, arrived, idempotent)) === "stored" ? ids : undefined;
      },
      findEarlier: () => findStored(submission, idempotent),
    });
    if ("earlier" in outcome) return answerAgain(outcome.earlier, submission);
    const messageIds = envelope.positions.map((position) => ids[position] ?? ids[0]);
    return { traceId, messageIds, accountId: submission.key.accountId };
  }

  return {
    open: async (given, context) => {
      const { credential, clientName, protocol, serverName } = given;
      const key = await authenticate(credential, context, true);
      const envelope = readEnvelope(given, { recipients: options.maxRecipients });
      await rateLimits.consume(key._id, key.accountId, envelope.recipients.length);
      await verifySender(envelope.mailFrom, key);
      const clientAddress = credential?.clientAddress ?? "";
      const passage = { clientName, protocol, serverName, clientAddress };
      return { envelope, passage, key, traceId: context.traceId, signal: context.signal };
    },

    prepare: async (submission, bytes) => {
      const header = readSubmittedHeader(bytes);
      if (!header.ok) throw fault("message.malformed", { public: header.message });
      if (saysSmtpUtf8(submission) && !isUtf8(bytes)) {
        throw fault("message.malformed", {
          public: say("header_octets_no_utf_8_all"),
        });
      }
      if (header.idempotencyKey !== undefined) checkIdempotencyKey(header.idempotencyKey);
      const verdict = await check(submission, header).catch((error: unknown) => {
        const failed = Fault.from(error);
        if (!isPassing(failed) && header.idempotencyKey !== undefined) return failed;
        throw error;
      });
      const now = clock.now();
      const { recipients, submissionId } = submission.envelope;
      const { accountId } = submission.key;
      const repeatable = submissionId === undefined ? undefined : submittedIds(submissionId, accountId);
      const bucket =
        header.idempotencyKey === undefined
          ? (repeatable?.bucket ?? bucketOfNames(submission.traceId))
          : bucketOfKey(accountId, SUBMIT_OPERATION, header.idempotencyKey);
      const idAt = (position: number) =>
        repeatable ? repeatable.at(position, bucket) : newIdInBucket("msg", now, bucket);
      const [first = idAt(0), ...others] = recipients.map((_, position) => idAt(position)).sort();
      const headerMessageId = (header.messageId ?? `<${first}@${domainOf(header.from)}>`).slice(
        0,
        MAX_MESSAGE_ID_LENGTH,
      );
      return {
        ...submission,
        header,
        head: headOf(submission, header, { headerMessageId, at: now, showsClient: options.showsClient }),
        headerMessageId,
        ids: [first, ...others],
        // Not derived from a message: if the same submission arrives twice, each stores a body, and one of them is
        // removed.
        contentId: newIdInBucket("cnt", now, bucket),
        expireAt: new Date(now.getTime() + options.contentRetentionMs),
        verdict,
      };
    },

    store: async (submission, arrived) => {
      const { header, key } = submission;
      if (header.idempotencyKey === undefined) return accept(submission, arrived, undefined);
      const idempotent: IdempotentRequest = {
        apiKey: key,
        operation: SUBMIT_OPERATION,
        key: header.idempotencyKey,
        fingerprint: submissionFingerprint(submission.envelope, arrived.sourceHash),
      };
      return idempotency.exclusively(idempotent, () => accept(submission, arrived, idempotent));
    },
  };
}
