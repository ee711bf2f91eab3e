import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SendEmailBatchResponseSchema,
  SendEmailResultSchema,
} from "../../../gen/hermod/email/v1/email_service_pb.ts";
import { batchOutcome } from "../../rpc/batch.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Fault } from "../../shared/fault.ts";
import type { SendEmail } from "./send-email.ts";
import type { UnreadSendEmail } from "./unread.ts";

export interface SendEmailBatchOptions {
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
