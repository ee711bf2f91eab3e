import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SendEmailBatchRequest,
  SendEmailBatchResponseSchema,
  SendEmailRequest,
  SendEmailResultSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import type { Fault } from "../../shared/fault.ts";
import { batchOutcome } from "../calls/submission-batch.ts";
import type { HandlerContext } from "../handler-context.ts";
import type { SendEmail } from "./send-email.ts";

export interface SendEmailBatchOptions {
  readonly sendEmail: SendEmail;
  /** The trace id of one submission: the one it carries, or a new one. */
  readonly traceIdOf: (request: SendEmailRequest) => string;
  readonly onUnexpected: (fault: Fault, traceId: string) => void;
}

/** Accepts many unrelated submissions; what becomes of one does not touch the others. */
export function createSendEmailBatch({ sendEmail, traceIdOf, onUnexpected }: SendEmailBatchOptions) {
  async function sendOne(
    request: SendEmailRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SendEmailResultSchema>> {
    const traceId = traceIdOf(request);
    const run = () => sendEmail(request, { ...context, traceId });
    return { outcome: await batchOutcome(run, traceId, onUnexpected) };
  }

  return async (
    { requests }: SendEmailBatchRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SendEmailBatchResponseSchema>> => ({
    results: await Promise.all(requests.map((request) => sendOne(request, context))),
  });
}
