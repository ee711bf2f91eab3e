import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  Envelope,
  Submission,
  SubmitMessageBatchRequest,
  SubmitMessageBatchResponseSchema,
  SubmitMessageResultSchema,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { Fault } from "../../shared/fault.ts";
import type { HandlerContext } from "../handler-context.ts";
import { toStatus } from "../status-details.ts";
import type { SubmitOne } from "../submit-one.ts";

export interface SubmitMessageBatchOptions {
  readonly submitOne: SubmitOne;
  /** The trace id of a submission: the one that its envelope carries, or a new one. */
  readonly traceIdOf: (envelope: Envelope | undefined) => string;
  readonly onUnexpected: (fault: Fault, traceId: string) => void;
}

/** Accepts many unrelated messages; what becomes of one does not touch the others. */
export function createSubmitMessageBatch({ submitOne, traceIdOf, onUnexpected }: SubmitMessageBatchOptions) {
  async function one(
    submission: Submission,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SubmitMessageResultSchema>> {
    const traceId = traceIdOf(submission.envelope);
    try {
      return { outcome: { case: "response", value: await submitOne(submission, { ...context, traceId }) } };
    } catch (thrown) {
      const failed = Fault.from(thrown);
      onUnexpected(failed, traceId);
      return { outcome: { case: "error", value: toStatus({ fault: failed, traceId }) } };
    }
  }

  return async (
    { submissions }: SubmitMessageBatchRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SubmitMessageBatchResponseSchema>> => ({
    results: await Promise.all(submissions.map((submission) => one(submission, context))),
  });
}
