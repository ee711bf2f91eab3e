import { SubmissionService } from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
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

type Needs = AcceptNeeds & Pick<Dependencies, "store" | "onTrouble">;

/** Finished messages, as SMTP brings them. */
export const submissions = defineArea({
  service: SubmissionService,
  callers: {
    authenticate: FRONT_ENDS,
    checkSender: FRONT_ENDS,
    findSubmission: FRONT_ENDS,
    submitMessage: FRONT_ENDS,
    submitMessageBatch: FRONT_ENDS,
  },
  audits: {
    authenticate: MAIL,
    checkSender: MAIL,
    findSubmission: MAIL,
    submitMessage: MAIL,
    submitMessageBatch: MAIL,
  },
  readers: { submitMessageBatch: readSubmissionBatch },
  handlers: ({
    store,
    authenticator,
    budget,
    limits,
    retention,
    measured,
    onTrouble,
    log,
    ...needs
  }: Needs) => {
    const { clock, verifySender } = needs;
    const maxBytes = limits.messageBytes;
    const authenticate = createAuthenticateSubmitter(authenticator);
    const accept = createAcceptSubmission({
      ...needs,
      authenticate,
      store,
      maxRecipients: limits.recipients,
      maxHops: limits.hops,
      showsClient: limits.showsClient,
      contentRetentionMs: retention.contentMs,
    });
    const submitMessage = createSubmitMessage({
      open: accept.open,
      budget,
      receiveSource: createReceiveSource({ accept, store, maxBytes, onTrouble }),
      traceIdOf: (envelope) => traceIdOf(envelope, clock),
    });
    return {
      authenticate: createAuthenticate({ authenticate }),
      checkSender: createCheckSender({ authenticate, verifySender }),
      findSubmission: createFindSubmission({ authenticate, store }),
      submitMessage: measured(submitMessage),
      submitMessageBatch: createSubmitMessageBatch({
        submitOne: measured(createSubmitOne({ accept, budget, maxBytes })),
        traceIdOf: (submission) => traceIdOf(submission, clock),
        onUnexpected: (failed, traceId) => logUnexpected(log, failed, traceId, "SubmitMessage"),
      }),
    };
  },
});
