import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  EmailService,
  type SendEmailBatchResponseSchema,
  type SendEmailResultSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { changes, LOOKS, MAIL } from "../../rpc/audits.ts";
import { batchOutcome } from "../../rpc/batch.ts";
import { FRONT_ENDS, type HandlerContext } from "../../rpc/callers.ts";
import { logUnexpected, traceIdOf } from "../../rpc/serve.ts";
import type { Fault } from "../../shared/fault.ts";
import type { AcceptNeeds, Dependencies } from "../dependencies.ts";
import { createCancelEmail } from "../emails/cancel-email.ts";
import { createGetEmail } from "../emails/get-email.ts";
import { createOpenKeyReader } from "../emails/key-reader.ts";
import { createListEmails } from "../emails/list-emails.ts";
import { createCancelMessage } from "../messages.ts";
import { createPrepareEmail } from "./prepare-email.ts";
import { createSendEmail, type SendEmail } from "./send-email.ts";
import { readSendEmail, readSendEmailBatch, type UnreadSendEmail } from "./unread.ts";

type EmailServiceNeeds = AcceptNeeds & Pick<Dependencies, "store" | "readRateLimits">;

/** E-mails, as programs with a key send them, look at them and cancel them. */
export const emails = defineArea({
  service: EmailService,
  callers: {
    sendEmail: FRONT_ENDS,
    sendEmailBatch: FRONT_ENDS,
    listEmails: FRONT_ENDS,
    getEmail: FRONT_ENDS,
    cancelEmail: FRONT_ENDS,
  },
  audits: {
    sendEmail: MAIL,
    sendEmailBatch: MAIL,
    listEmails: LOOKS,
    getEmail: LOOKS,
    cancelEmail: changes("message.cancel", "id"),
  },
  readers: { sendEmail: readSendEmail, sendEmailBatch: readSendEmailBatch },
  handlers: ({ measured, retention, clock, log, store, readRateLimits, ...needs }: EmailServiceNeeds) => {
    const openReader = createOpenKeyReader({ authenticator: needs.authenticator, readRateLimits });
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
      listEmails: createListEmails({ openReader, store }),
      getEmail: createGetEmail({ openReader, store }),
      cancelEmail: createCancelEmail({
        openReader,
        store,
        cancelMessage: createCancelMessage({ store, clock, retentionMs: retention.messageMs }),
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
