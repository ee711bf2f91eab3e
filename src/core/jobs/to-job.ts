import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { JobSchema } from "../../../gen/hermod/job/v1/job_service_pb.ts";
import type { JobDocument } from "../../store/job-documents.ts";

/** A job in answers, without the internal data of its kind. */
export function toJob(job: JobDocument): MessageInitShape<typeof JobSchema> {
  const { _id: id, accountId, kind, state, about, total, done, skipped, failed, startedBy, failure } = job;
  const { startedAt, finishedAt, cancelRequestedAt, expireAt } = job;
  return {
    id,
    accountId,
    kind,
    state,
    about: { ...about },
    ...(total !== undefined && { total }),
    done,
    skipped,
    failed,
    startedByKind: startedBy.kind,
    startedById: startedBy.id,
    startedByName: startedBy.name,
    createdAt: timestampFromDate(job.createdAt),
    ...(startedAt && { startedAt: timestampFromDate(startedAt) }),
    ...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
    ...(cancelRequestedAt && { cancelRequestedAt: timestampFromDate(cancelRequestedAt) }),
    ...(expireAt && { expireAt: timestampFromDate(expireAt) }),
    failureCode: failure?.code ?? "",
    failureMessage: failure?.message ?? "",
  };
}
