import { AuditService } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { READS, reads } from "../../rpc/audits.ts";
import { permitted, SIGNED_IN } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { isId } from "../../shared/ids.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { createListActions } from "./describe-actions.ts";
import { createExportEntries } from "./export-entries.ts";
import { logOf } from "./log-of.ts";
import { readFilter } from "./read-filter.ts";
import { toEntry } from "./to-entry.ts";

type AuditAreaNeeds = Pick<Dependencies, "store" | "clock" | "auditActions" | "retention">;

/** Search and export of the audit log. */
export const audits: Area<AuditAreaNeeds> = defineArea(AuditService, {
  /** @throws Fault account.unknown, auth.caller_forbidden, request.validation_failed */
  listEntries: [
    permitted("audit.read"),
    READS,
    ({ store, auditActions }) =>
      async (request, context) => {
        const log = await logOf(store, request, context);
        const limit = pageSizeOf(request.pageSize);
        const beforeId = pageStartOf(request.pageToken, entryIdIn);
        const filter = readFilter(request.filter, { auditActions });
        const found = await log.list({ ...filter, beforeId, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
        return { entries: entries.map(toEntry), nextPageToken };
      },
  ],
  /**
   * @throws Fault auth.session_missing for a call without a session, such as the operator's;
   *   request.validation_failed
   */
  listOwnEntries: [
    SIGNED_IN,
    READS,
    ({ store }) =>
      async (request, { principal }) => {
        if (!principal) throw fault("auth.session_missing");
        const limit = pageSizeOf(request.pageSize);
        const beforeId = pageStartOf(request.pageToken, entryIdIn);
        const found = await store.audit.listOfUser(principal.userId, { beforeId, limit: limit + 1 });
        const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
        return { entries: entries.map(toEntry), nextPageToken };
      },
  ],
  listActions: [permitted("audit.read"), READS, createListActions],
  exportEntries: [permitted("audit.read"), reads("audit.export"), createExportEntries],
});

const entryIdIn = (token: string) => (isId("aud", token) ? token : undefined);
