import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  FindSubmissionRequest,
  FindSubmissionResponseSchema,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { isSubmissionId, submittedMessageId } from "../../shared/ids.ts";
import type { MessageStore } from "../../store/message-store.ts";
import type { HandlerContext } from "../handler-context.ts";
import type { AuthenticateSubmitter } from "../submission/authenticate-submitter.ts";

export interface FindSubmissionOptions {
  readonly authenticate: AuthenticateSubmitter;
  readonly messages: Pick<MessageStore, "findById">;
}

/** Whether a submission is stored: all of its messages are, or none, so one of them tells. */
export function createFindSubmission({ authenticate, messages }: FindSubmissionOptions) {
  return async (
    { credential, submissionId }: FindSubmissionRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof FindSubmissionResponseSchema>> => {
    const { accountId } = await authenticate(credential, context);
    const message = isSubmissionId(submissionId)
      ? await messages.findById(submittedMessageId(submissionId, accountId, 0))
      : undefined;
    if (message?.accountId !== accountId) throw fault("message.unknown");
    return { traceId: message.traceId };
  };
}
