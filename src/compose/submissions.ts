import type { KeyAuthenticator } from "../core/access/authenticate-key.ts";
import type { RateLimits } from "../core/access/rate-limits.ts";
import type { VerifySender } from "../core/access/verify-sender.ts";
import type { AccountSettings } from "../core/account-settings.ts";
import { logUnexpected, traceIdOf } from "../core/calls/serve-calls.ts";
import { createAuthenticate } from "../core/handlers/authenticate.ts";
import { createCheckSender } from "../core/handlers/check-sender.ts";
import { createFindSubmission } from "../core/handlers/find-submission.ts";
import { createSubmitMessage } from "../core/handlers/submit-message.ts";
import { createSubmitMessageBatch } from "../core/handlers/submit-message-batch.ts";
import type { Idempotency } from "../core/idempotency.ts";
import type { Intake } from "../core/intake.ts";
import { createAcceptSubmission } from "../core/submission/accept-submission.ts";
import { createAuthenticateSubmitter } from "../core/submission/authenticate-submitter.ts";
import { createReceiveSource } from "../core/submission/receive-source.ts";
import { createSubmitOne } from "../core/submission/submit-one.ts";
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
