import { SubmissionService } from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { prepareArea } from "../../rpc/area.ts";
import { MAIL } from "../../rpc/audits.ts";
import { FRONT_ENDS } from "../../rpc/callers.ts";
import { logUnexpected, traceIdOf } from "../../rpc/serve.ts";
import type { AcceptNeeds, Dependencies } from "../dependencies.ts";
import { readSubmissionBatch } from "../send/unread.ts";
import { createAcceptSubmission } from "./accept-submission.ts";
import {
  createAuthenticate,
  createAuthenticateSubmitter,
  createCheckSender,
  createFindSubmission,
} from "./authenticate.ts";
import { createReceiveSource } from "./receive-source.ts";
import { createSubmitMessage } from "./submit-message.ts";
import { createSubmitMessageBatch, createSubmitOne } from "./submit-message-batch.ts";

type Needs = AcceptNeeds & Pick<Dependencies, "store" | "onError">;

/** Complete messages that arrive over SMTP. */
export const submissions = prepareArea(
  SubmissionService,
  partsOf,
  {
    authenticate: [FRONT_ENDS, MAIL, createAuthenticate],
    checkSender: [FRONT_ENDS, MAIL, createCheckSender],
    findSubmission: [FRONT_ENDS, MAIL, createFindSubmission],
    submitMessage: [
      FRONT_ENDS,
      MAIL,
      (parts) =>
        parts.measured(
          createSubmitMessage({
            open: parts.accept.open,
            budget: parts.budget,
            receiveSource: createReceiveSource(parts),
            traceIdOf: (envelope) => traceIdOf(envelope, parts.clock),
          }),
        ),
    ],
    submitMessageBatch: [
      FRONT_ENDS,
      MAIL,
      (parts) =>
        createSubmitMessageBatch({
          submitOne: parts.measured(createSubmitOne(parts)),
          traceIdOf: (submission) => traceIdOf(submission, parts.clock),
          onUnexpected: (failed, traceId) => logUnexpected(parts.log, failed, traceId, "SubmitMessage"),
        }),
    ],
  },
  { submitMessageBatch: readSubmissionBatch },
);

function partsOf({ authenticator, limits, retention, ...needs }: Needs) {
  const authenticate = createAuthenticateSubmitter(authenticator);
  const accept = createAcceptSubmission({
    ...needs,
    authenticate,
    maxRecipients: limits.recipients,
    maxHops: limits.hops,
    showsClient: limits.showsClient,
    contentRetentionMs: retention.contentMs,
  });
  return { ...needs, authenticate, accept, maxBytes: limits.messageBytes };
}
