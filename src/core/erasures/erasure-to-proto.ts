import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ErasureSchema } from "../../../gen/hermod/erasure/v1/erasure_service_pb.ts";
import type { ErasureDocument } from "../../store/erasure-document.ts";

/** An erasure in answers: without the address, which a running erasure still stores. */
export function toErasure(erasure: ErasureDocument): MessageInitShape<typeof ErasureSchema> {
  const { _id: id, accountId, salt, addressHash, keepSuppressed, requestedAt, requestedBy } = erasure;
  const { removed, waiting, finishedAt, look, left = {} } = erasure;
  return {
    id,
    accountId,
    state: finishedAt ? "done" : "running",
    addressHash,
    salt,
    keepSuppressed,
    requestedAt: timestampFromDate(requestedAt),
    requestedByKind: requestedBy.kind,
    requestedBy: requestedBy.name,
    removed: { ...removed },
    waiting,
    ...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
    ...(look && {
      look: {
        at: timestampFromDate(look.at),
        messages: look.messages,
        captured: look.captured,
        auditEntries: look.auditEntries,
      },
    }),
    left: {
      sharedBodies: left.sharedBodies ?? 0,
      mentions: left.mentions ?? 0,
      suppressions: left.suppressions ?? 0,
    },
  };
}
