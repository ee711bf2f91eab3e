import { AuditService } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import { defineArea } from "../../rpc/area.ts";
import { LOOKS, reads } from "../../rpc/audits.ts";
import { permitted, SIGNED_IN } from "../../rpc/callers.ts";
import type { Dependencies } from "../dependencies.ts";
import { createExportEntries } from "./export-entries.ts";
import { createListEntries, createListOwnEntries } from "./list-entries.ts";

/** The audit log: searched and exported. */
export const audits = defineArea({
  service: AuditService,
  callers: {
    listEntries: permitted("audit.read"),
    listOwnEntries: SIGNED_IN,
    exportEntries: permitted("audit.read"),
  },
  audits: { listEntries: LOOKS, listOwnEntries: LOOKS, exportEntries: reads("audit.export") },
  handlers: ({ store, clock, auditActions }: Pick<Dependencies, "store" | "clock" | "auditActions">) => ({
    listEntries: createListEntries({ store, auditActions }),
    listOwnEntries: createListOwnEntries({ store }),
    exportEntries: createExportEntries({ store, clock, auditActions }),
  }),
});
