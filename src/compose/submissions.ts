import type { AccountSettings } from "../core/access/account-settings.ts";
import type { KeyAuthenticator } from "../core/access/authenticate-key.ts";
import type { RateLimits } from "../core/access/rate-limits.ts";
import type { VerifySender } from "../core/access/verify-sender.ts";
import type { Idempotency } from "../core/send/idempotency.ts";
import type { Intake } from "../core/send/intake.ts";
import { createAcceptSubmission } from "../core/submissions/accept-submission.ts";
import { createReceiveSource } from "../core/submissions/receive-source.ts";
import {
  createAuthenticate,
  createAuthenticateSubmitter,
  createCheckSender,
  createFindSubmission,
} from "../core/submissions/submissions.ts";
import { createSubmitMessage } from "../core/submissions/submit-message.ts";
import { createSubmitMessageBatch, createSubmitOne } from "../core/submissions/submit-message-batch.ts";
import { logUnexpected, traceIdOf } from "../rpc/serve.ts";
import type { ByteBudget } from "../shared/byte-budget.ts";
import type { PartitionOf } from "../shared/partition.ts";
import type { Store } from "../store/store.ts";
import { measureAccepts } from "./measure-accepts.ts";
import type { Process } from "./process.ts";

/** RFC 5321 section 4.5.3.1.8 demands 100 at least. */
const MAX_RECIPIENTS = 1_000;
const DAY_MS = 24 * 3_600_000;

export interface SubmissionParts {
  readonly store: Pick<Store, "contents" | "messages">;
  readonly settings: AccountSettings;
  readonly authenticator: KeyAuthenticator;
  readonly verifySender: VerifySender;
  readonly rateLimits: RateLimits;
  readonly idempotency: Idempotency;
  readonly intake: Intake;
  readonly partitionOf: PartitionOf;
  readonly budget: ByteBudget;
  /** Told of what went wrong after a submission was decided. */
  readonly onTrouble: (error: unknown) => void;
}

/** The handlers of SubmissionService. */
export function composeSubmissions(
  process: Process,
  { store, authenticator, budget, onTrouble, ...parts }: SubmissionParts,
) {
  const { config, clock, log } = process;
  const maxBytes = config.HERMOD_MESSAGE_MAX_BYTES;
  const authenticate = createAuthenticateSubmitter(authenticator);
  const accept = createAcceptSubmission({
    ...parts,
    authenticate,
    messages: store.messages,
    clock,
    maxRecipients: MAX_RECIPIENTS,
    maxHops: config.HERMOD_MAX_HOPS,
    contentRetentionMs: config.HERMOD_CONTENT_RETENTION_DAYS * DAY_MS,
  });
  const submitMessage = createSubmitMessage({
    open: accept.open,
    budget,
    receiveSource: createReceiveSource({ accept, contents: store.contents, maxBytes, onTrouble }),
    traceIdOf: (envelope) => traceIdOf(envelope, clock),
  });
  return {
    authenticate: createAuthenticate({ authenticate }),
    checkSender: createCheckSender({ authenticate, verifySender: parts.verifySender }),
    findSubmission: createFindSubmission({ authenticate, messages: store.messages }),
    submitMessage: measureAccepts(process, submitMessage),
    submitMessageBatch: createSubmitMessageBatch({
      submitOne: measureAccepts(process, createSubmitOne({ accept, budget, maxBytes })),
      traceIdOf: (submission) => traceIdOf(submission, clock),
      onUnexpected: (failed, traceId) => logUnexpected(log, failed, traceId, "SubmitMessage"),
    }),
  };
}
