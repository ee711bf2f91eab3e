import { EmailService } from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { FRONT_ENDS } from "../../rpc/callers.ts";
import { logUnexpected, traceIdOf } from "../../rpc/serve.ts";
import type { AcceptNeeds } from "../dependencies.ts";
import { createPrepareEmail } from "./prepare-email.ts";
import { createSendEmail } from "./send-email.ts";
import { createSendEmailBatch } from "./send-email-batch.ts";
import { readSendEmail, readSendEmailBatch } from "./unread.ts";

/** E-mails, as the HTTP API takes them. */
export const emails = defineArea({
  service: EmailService,
  callers: { sendEmail: FRONT_ENDS, sendEmailBatch: FRONT_ENDS },
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
