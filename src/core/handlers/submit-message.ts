import type {
  Envelope,
  SubmitMessageRequest,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import type { HandlerContext } from "../handler-context.ts";
import type { AcceptSubmission, SubmissionAnswer } from "../submission/accept-submission.ts";
import type { SourceReceiver } from "../submission/receive-source.ts";

export interface SubmitMessageOptions {
  readonly open: AcceptSubmission["open"];
  readonly receiveSource: (submission: Awaited<ReturnType<AcceptSubmission["open"]>>) => SourceReceiver;
  /** The trace id of a submission: the one that its envelope carries, or a new one. */
  readonly traceIdOf: (envelope: Envelope) => string;
}

export type SubmitMessage = (
  requests: AsyncIterable<SubmitMessageRequest>,
  context: HandlerContext,
) => Promise<SubmissionAnswer>;

/** Accepts one message as it comes. What was written of one that is refused or breaks off is removed. */
export function createSubmitMessage({ open, receiveSource, traceIdOf }: SubmitMessageOptions): SubmitMessage {
  return async (requests, context) => {
    let receiver: SourceReceiver | undefined;
    try {
      for await (const { part } of requests) {
        if (part.case === "envelope" && !receiver) {
          const traceId = traceIdOf(part.value);
          receiver = receiveSource(await open(part.value, { ...context, traceId }));
        } else if (part.case === "source" && receiver) {
          await receiver.push(Buffer.from(part.value.buffer, part.value.byteOffset, part.value.byteLength));
        } else if (part.case === "endSizeBytes" && receiver) {
          if (part.value !== BigInt(receiver.receivedBytes)) break;
          context.signal.throwIfAborted();
          return await receiver.finish();
        } else {
          break;
        }
      }
      throw fault("message.incomplete", { retryAfterSeconds: 1 });
    } catch (error) {
      await receiver?.abort();
      throw error;
    }
  };
}
