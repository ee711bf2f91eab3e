import type {
  Envelope,
  SubmitMessageRequest,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { ByteBudget, Reservation } from "../../shared/byte-budget.ts";
import { fault } from "../../shared/fault.ts";
import type { AcceptSubmission, SubmissionAnswer } from "./accept-submission.ts";
import type { SourceReceiver } from "./receive-source.ts";

/** Memory of an upload of any size: parts in transit, and the chunk that is written. */
const UPLOAD_BYTES = 1024 * 1024;

export interface SubmitMessageOptions {
  readonly open: AcceptSubmission["open"];
  readonly budget: ByteBudget;
  readonly receiveSource: (submission: Awaited<ReturnType<AcceptSubmission["open"]>>) => SourceReceiver;
  /** Trace id of a submission: that of its envelope, or a new one. */
  readonly traceIdOf: (envelope: Envelope) => string;
}

export type SubmitMessage = (
  requests: AsyncIterable<SubmitMessageRequest>,
  context: HandlerContext,
) => Promise<SubmissionAnswer>;

/** Accepts one message in parts. Stored parts of a refused or interrupted one are removed. */
export function createSubmitMessage({
  open,
  budget,
  receiveSource,
  traceIdOf,
}: SubmitMessageOptions): SubmitMessage {
  return async (requests, context) => {
    let receiver: SourceReceiver | undefined;
    let reservation: Reservation | undefined;
    try {
      for await (const { part } of requests) {
        if (part.case === "envelope" && !receiver) {
          const traceId = traceIdOf(part.value);
          const submission = await open(part.value, { ...context, traceId });
          const { _id: keyId, accountId } = submission.key;
          reservation = budget.reserve({ keyId, accountId }, UPLOAD_BYTES);
          receiver = receiveSource(submission);
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
    } finally {
      reservation?.release();
    }
  };
}
