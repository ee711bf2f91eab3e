import { createHash } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  EnvelopeSchema,
  type Submission,
  type SubmitMessageBatchResponseSchema,
  type SubmitMessageResultSchema,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { findBody } from "../../message/header/source-headers.ts";
import { checkLines } from "../../message/header/source-lines.ts";
import { batchOutcome } from "../../rpc/batch.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { ByteBudget } from "../../shared/byte-budget.ts";
import { type Fault, fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { UnreadSubmission } from "../send/unread.ts";
import type { AcceptSubmission, SubmissionAnswer } from "./accept-submission.ts";
import type { OpenSubmission } from "./submission.ts";

export interface SubmitMessageBatchOptions {
  readonly submitOne: SubmitOne;
  /** Trace id of a submission: the given one, or a new one. */
  readonly traceIdOf: (submission: UnreadSubmission) => string;
  readonly onUnexpected: (fault: Fault, traceId: string) => void;
}

/** Accepts many unrelated messages; the result of one does not affect the others. */
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

export type SubmitOne = (submission: Submission, context: HandlerContext) => Promise<SubmissionAnswer>;

export interface SubmitOneOptions {
  readonly accept: AcceptSubmission;
  /** Memory for sources. */
  readonly budget: ByteBudget;
  readonly maxBytes: number;
}

/** Accepts one message that is completely in memory. */
export function createSubmitOne({ accept, budget, maxBytes }: SubmitOneOptions): SubmitOne {
  async function acceptSource(open: OpenSubmission, source: Buffer): Promise<SubmissionAnswer> {
    if (source.length > maxBytes) {
      throw fault("message.too_large", {
        public: say("message_octets_allowed", { actual: source.length, max: maxBytes }),
      });
    }
    const malformed = checkLines(source);
    if (malformed) throw fault("message.malformed", { public: malformed.message });
    const at = findBody(source);
    const bodyAt = at === -1 ? source.length : at;
    const prepared = await accept.prepare(open, source.subarray(0, bodyAt));
    const stored = Buffer.concat([prepared.head, source.subarray(bodyAt)]);
    return accept.store(prepared, {
      body: { kind: "raw", source: stored },
      sizeBytes: stored.length,
      sourceHash: createHash("sha256").update(source).digest("base64url"),
    });
  }

  return async ({ envelope, source }, context) => {
    const open = await accept.open(envelope ?? create(EnvelopeSchema), context);
    const { _id: keyId, accountId } = open.key;
    const reservation = budget.reserve({ keyId, accountId }, source.length);
    try {
      context.signal.throwIfAborted();
      return await acceptSource(open, Buffer.from(source.buffer, source.byteOffset, source.byteLength));
    } finally {
      reservation.release();
    }
  };
}
