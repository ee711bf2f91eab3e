import type { Db } from "mongodb";
import type { Audit } from "../../src/shared/audit.ts";
import { createAuditLog } from "../../src/store/audit/audit-log.ts";
import { type AuditedWrites, createAuditedWrites } from "../../src/store/audited-writes.ts";

/** An operator call, for store functions that change data. */
export const testAudit: Audit = {
  actor: { kind: "operator", id: "operator", name: "operator" },
  sessionId: "",
  clientAddress: "127.0.0.1",
  clientAgent: "",
  action: "test.change",
  traceId: "sx_test",
  now: () => new Date(),
};

/** For stores that a test creates itself. */
export const testWrites = (db: Db): AuditedWrites =>
  createAuditedWrites(db, createAuditLog(db, { retentionMs: 3_600_000 }));

/** Context of an operator call, as handlers receive it. */
export const OPERATOR = { actor: "operator", audit: testAudit } as const;
