import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { EntrySchema } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import type { AuditEntryDocument } from "../../store/audit/entry-document.ts";

export function toEntry(entry: AuditEntryDocument): MessageInitShape<typeof EntrySchema> {
  const { _id: id, accountId, at, actor, action, target, changes, outcome, traceId } = entry;
  return {
    id,
    accountId,
    at: timestampFromDate(at),
    actor: { ...actor },
    sessionId: entry.sessionId ?? "",
    clientAddress: entry.clientAddress ?? "",
    clientAgent: entry.clientAgent ?? "",
    action,
    target: { ...target },
    changes: changes.map((change) => ({ secret: false, ...change })),
    outcome,
    reason: entry.reason ?? "",
    count: entry.count ?? 1,
    ...(entry.since && { since: timestampFromDate(entry.since) }),
    traceId,
  };
}
