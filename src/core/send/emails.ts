import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  EmailService,
  type SendEmailBatchResponseSchema,
  type SendEmailResultSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { MAIL } from "../../rpc/audits.ts";
import { batchOutcome } from "../../rpc/batch.ts";
import { FRONT_ENDS, type HandlerContext } from "../../rpc/callers.ts";
import { logUnexpected, traceIdOf } from "../../rpc/serve.ts";
import type { Fault } from "../../shared/fault.ts";
import type { AcceptNeeds } from "../dependencies.ts";
import { createPrepareEmail } from "./prepare-email.ts";
import { createSendEmail, type SendEmail } from "./send-email.ts";
import { readSendEmail, readSendEmailBatch, type UnreadSendEmail } from "./unread.ts";

/** E-mails, as the HTTP API takes them. */
export const emails = defineArea({
  service: EmailService,
  callers: { sendEmail: FRONT_ENDS, sendEmailBatch: FRONT_ENDS },
  audits: {
    sendEmail: MAIL,
    sendEmailBatch: MAIL,
  },
  readers: { sendEmail: readSendEmail, sendEmailBatch: readSendEmailBatch },
  handlers: ({ measured, retention, clock, log, ...needs }: AcceptNeeds) => {
    const sendEmail = measured(
      createSendEmail({
        ...needs,
        prepareEmail: createPrepareEmail(needs),
        clock,
        contentRetentionMs: retention.contentMs,
      }),
    );
    return {
      sendEmail,
      sendEmailBatch: createSendEmailBatch({
        sendEmail,
        traceIdOf: (request) => traceIdOf(request, clock),
        onUnexpected: (failed, traceId) => logUnexpected(log, failed, traceId, "SendEmail"),
      }),
    };
  },
});

interface SendEmailBatchOptions {
  readonly sendEmail: SendEmail;
  /** The trace id of one submission: the one it carries, or a new one. */
  readonly traceIdOf: (request: UnreadSendEmail) => string;
  readonly onUnexpected: (fault: Fault, traceId: string) => void;
}

/** Accepts many unrelated submissions; what becomes of one does not touch the others. */
export function createSendEmailBatch({ sendEmail, traceIdOf, onUnexpected }: SendEmailBatchOptions) {
  async function sendOne(
    request: UnreadSendEmail,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SendEmailResultSchema>> {
    const traceId = traceIdOf(request);
    const run = () => sendEmail(request, { ...context, traceId });
    return { outcome: await batchOutcome(run, traceId, onUnexpected) };
  }

  return async (
    { requests }: { readonly requests: readonly UnreadSendEmail[] },
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SendEmailBatchResponseSchema>> => ({
    results: await Promise.all(requests.map((request) => sendOne(request, context))),
  });
}
