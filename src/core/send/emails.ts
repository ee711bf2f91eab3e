import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  EmailService,
  type SendEmailBatchResponseSchema,
  type SendEmailResultSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { prepareArea } from "../../rpc/area.ts";
import { changes, MAIL, READS } from "../../rpc/audits.ts";
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

/** E-mails of programs with a key: sent, read and cancelled. */
export const emails = prepareArea(
  EmailService,
  partsOf,
  {
    sendEmail: [FRONT_ENDS, MAIL, (parts) => parts.sendEmail],
    sendEmailBatch: [
      FRONT_ENDS,
      MAIL,
      (parts) =>
        createSendEmailBatch({
          sendEmail: parts.sendEmail,
          traceIdOf: (request) => traceIdOf(request, parts.clock),
          onUnexpected: (failed, traceId) => logUnexpected(parts.log, failed, traceId, "SendEmail"),
        }),
    ],
    listEmails: [FRONT_ENDS, READS, createListEmails],
    getEmail: [FRONT_ENDS, READS, createGetEmail],
    cancelEmail: [
      FRONT_ENDS,
      changes("message.cancel", "id"),
      (parts) => createCancelEmail({ ...parts, cancelMessage: createCancelMessage(parts) }),
    ],
  },
  { sendEmail: readSendEmail, sendEmailBatch: readSendEmailBatch },
);

function partsOf({ measured, retention, log, store, readRateLimits, ...needs }: EmailServiceNeeds) {
  const { authenticator, clock } = needs;
  const openReader = createOpenKeyReader({ authenticator, readRateLimits });
  const prepareEmail = createPrepareEmail(needs);
  const contentRetentionMs = retention.contentMs;
  const sendEmail = measured(createSendEmail({ ...needs, prepareEmail, contentRetentionMs }));
  return { store, clock, log, openReader, sendEmail, retentionMs: retention.messageMs };
}

interface SendEmailBatchOptions {
  readonly sendEmail: SendEmail;
  /** Trace id of one submission: the given one, or a new one. */
  readonly traceIdOf: (request: UnreadSendEmail) => string;
  readonly onUnexpected: (fault: Fault, traceId: string) => void;
}

/** Accepts many unrelated submissions; the result of one does not affect the others. */
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
