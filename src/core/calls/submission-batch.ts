import type { Status } from "../../../gen/google/rpc/status_pb.ts";
import { Fault, fault } from "../../shared/fault.ts";
import { createNaturalBatch, type NaturalBatch, type Settled } from "../../shared/natural-batch.ts";
import { fromStatus, toStatus } from "./status-details.ts";

/** What became of one submission of a batch, as the results of batch calls have it. */
type BatchOutcome<R> =
  | { readonly case: "response"; readonly value: R }
  | { readonly case: "error"; readonly value: Status }
  | { readonly case: undefined; readonly value?: undefined };

export interface SubmissionBatchOptions<T, R> {
  /** The outcomes are in the order of the submissions. A rejection fails them all. */
  readonly call: (submissions: T[]) => Promise<readonly BatchOutcome<R>[]>;
  /** Roughly what a submission weighs on the wire, in bytes. */
  readonly sizeOf: (submission: T) => number;
  /** Batches under way at once at most. */
  readonly maxBatches: number;
}

/** The caller's side: submissions that arrive together travel in one call. */
export function createSubmissionBatch<T, R>({
  call,
  sizeOf,
  maxBatches,
}: SubmissionBatchOptions<T, R>): NaturalBatch<T, R> {
  return createNaturalBatch<T, R>({
    run: async (submissions) => (await call([...submissions])).map(settled),
    // Several smaller batches keep front end, core and store at work at the same time; one large one makes them take
    // turns.
    maxItems: 32,
    maxSize: 4 * 1024 * 1024,
    sizeOf,
    maxConcurrent: maxBatches,
  });
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
    return { case: "error" as const, value: toStatus({ fault: failed, traceId }) };
  }
}
