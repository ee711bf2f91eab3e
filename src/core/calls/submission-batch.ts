import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import type { Status } from "../../../gen/google/rpc/status_pb.ts";
import { Fault, fault } from "../../shared/fault.ts";
import type { Settled } from "../../shared/natural-batch.ts";
import { createSizeLanes } from "../../shared/size-lanes.ts";
import type { CoreCalls } from "./core-calls.ts";
import { callDefinition } from "./grpc-bridge.ts";
import { fromStatus, toOutcomeStatus } from "./status-details.ts";
import { joinBatch } from "./unread.ts";

/** What became of one submission of a batch, as the results of batch calls have it. */
type BatchOutcome<R> =
  | { readonly case: "response"; readonly value: R }
  | { readonly case: "error"; readonly value: Status }
  | { readonly case: undefined; readonly value?: undefined };

export interface SubmissionBatchOptions<T extends DescMessage, R> {
  readonly calls: Pick<CoreCalls, "unary" | "maxBatches">;
  readonly service: DescService;
  readonly method: DescMethod;
  /** The field of the call's request that holds the submissions. */
  readonly field: DescField;
  readonly submission: T;
  /** The outcomes of an answer, in the order of the submissions. */
  readonly outcomesOf: (response: unknown) => readonly BatchOutcome<R>[];
}

/**
 * The caller's side: submissions that arrive together travel in one call. Each is encoded by itself, so that one which
 * cannot be spoils no other.
 */
export function createSubmissionBatch<T extends DescMessage, R>(options: SubmissionBatchOptions<T, R>) {
  const { calls, service, method, field, submission, outcomesOf } = options;
  const definition = {
    ...callDefinition(service, method),
    requestSerialize: (submissions: unknown) => joinBatch(field, submissions as Uint8Array[]),
  };
  const batch = createSizeLanes<Uint8Array, R>({
    run: async (submissions) => outcomesOf(await calls.unary(definition, submissions)).map(settled),
    // Several smaller batches keep front end, core and store at work at the same time; one large one makes them take
    // turns.
    maxItems: 32,
    maxSize: 4 * 1024 * 1024,
    sizeOf: (bytes) => bytes.length,
    maxConcurrent: calls.maxBatches,
    maxConcurrentLarge: calls.maxBatches,
  });
  return {
    submit: async (init: MessageInitShape<T>): Promise<R> =>
      batch.submit(toBinary(submission, create(submission, init))),
  };
}

function settled<R>(outcome: BatchOutcome<R>): Settled<R> {
  if (outcome.case === "response") return { ok: true, value: outcome.value };
  const error = outcome.case === "error" ? fromStatus(outcome.value).fault : fault("internal.error");
  return { ok: false, error };
}

/** The core's side: what one submission comes to is its own outcome, whatever becomes of the others. */
export async function batchOutcome<R>(
  run: () => Promise<R>,
  traceId: string,
  onUnexpected: (fault: Fault, traceId: string) => void,
) {
  try {
    return { case: "response" as const, value: await run() };
  } catch (thrown) {
    const failed = Fault.from(thrown);
    onUnexpected(failed, traceId);
    return { case: "error" as const, value: toOutcomeStatus({ fault: failed, traceId }) };
  }
}
