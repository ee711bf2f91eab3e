import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SubmitMessageBatchResponseSchema,
  SubmitMessageResultSchema,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import type { Fault } from "../../shared/fault.ts";
import { batchOutcome } from "../calls/submission-batch.ts";
import type { UnreadSubmission } from "../calls/unread.ts";
import type { HandlerContext } from "../handler-context.ts";
import type { SubmitOne } from "../submission/submit-one.ts";

export interface SubmitMessageBatchOptions {
  readonly submitOne: SubmitOne;
  /** The trace id of a submission: the one that it carries, or a new one. */
  readonly traceIdOf: (submission: UnreadSubmission) => string;
  readonly onUnexpected: (fault: Fault, traceId: string) => void;
}

/** Accepts many unrelated messages; what becomes of one does not touch the others. */
export function createSubmitMessageBatch({ submitOne, traceIdOf, onUnexpected }: SubmitMessageBatchOptions) {
  async function one(
    submission: UnreadSubmission,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SubmitMessageResultSchema>> {
    const traceId = traceIdOf(submission);
    const run = async () => submitOne(submission.read(), { ...context, traceId });
    return { outcome: await batchOutcome(run, traceId, onUnexpected) };
  }

  return async (
    { submissions }: { readonly submissions: readonly UnreadSubmission[] },
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SubmitMessageBatchResponseSchema>> => ({
    results: await Promise.all(submissions.map((submission) => one(submission, context))),
  });
}
