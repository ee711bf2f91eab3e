import type { AnyBulkWriteOperation, Collection } from "mongodb";
import {
  count,
  createShapeFault,
  date,
  fields,
  filled,
  ofNumber,
  oneOf,
  optional,
  text,
  textByName,
} from "./field-checks.ts";
import { JOB_RETENTION_MS, type JobDocument, type JobState, jobStates } from "./job-documents.ts";
import type { UnreadableDocument } from "./read-each.ts";
import { guarded } from "./store-fault.ts";

/** A time slice that a stopping process returns does not count: from 0 on the value is -1. */
const takes = ofNumber((value) => Number.isSafeInteger(value) && Math.abs(Number(value)) < 2 ** 31);

const shapeFault = createShapeFault<JobDocument>([
  ["_id", filled],
  ["accountId", filled],
  ["kind", filled],
  ["params", fields],
  ["about", textByName],
  ["permission", text],
  ["startedBy", fields],
  ["state", oneOf(jobStates)],
  ["total", optional(count)],
  ["done", count],
  ["skipped", count],
  ["failed", count],
  ["steps", count],
  ["createdAt", date],
  ["startedAt", optional(date)],
  ["cancelRequestedAt", optional(date)],
  ["slot", optional(count)],
  ["turnAt", optional(date)],
  ["ranAt", optional(date)],
  ["epoch", count],
  ["takes", takes],
]);

const ended: readonly JobState[] = ["succeeded", "failed", "cancelled"];

/** Why a due job cannot be processed; undefined: it can. */
export function jobFault(job: JobDocument): string | undefined {
  const reason = shapeFault(job);
  if (reason !== undefined) return reason;
  if (ended.includes(job.state)) return `turnAt: it is set, but the job has ${job.state}`;
  return (job.startedAt === undefined) === (job.state === "queued")
    ? undefined
    : `startedAt: it does not match the state ${job.state}`;
}

/** A job that must not be processed, with the reason. */
export interface DamagedJob {
  readonly id: string;
  /** Empty: unreadable. */
  readonly accountId: string;
  readonly reason: string;
}

/** Fields of open jobs only. */
export const ENDED = { slot: "", turnAt: "", ranAt: "", holder: "", expiresAt: "" } as const;

/** Ends damaged jobs by their ids alone. An ended job stays unchanged. */
export function createEndDamagedJob(jobs: Collection<JobDocument>) {
  return async ({ id: _id, reason, fields: known }: UnreadableDocument, at: Date): Promise<DamagedJob> => {
    const failure = { code: "internal.error", message: `The job's document is damaged: ${reason}.` };
    const failed = {
      state: "failed",
      failure,
      finishedAt: at,
      expireAt: new Date(at.getTime() + JOB_RETENTION_MS),
    };
    const hasNotEnded = { state: { $not: { $in: [...ended] } } };
    const updates = [
      { updateOne: { filter: { _id, ...hasNotEnded }, update: { $set: failed, $unset: ENDED } } },
      { updateOne: { filter: { _id }, update: { $unset: ENDED } } },
    ];
    await guarded(jobs.bulkWrite(updates as unknown as AnyBulkWriteOperation<JobDocument>[]));
    const accountId = known.get("accountId");
    return { id: _id, accountId: typeof accountId === "string" ? accountId : "", reason };
  };
}
