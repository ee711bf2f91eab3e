import type { Db } from "mongodb";
import type { Audit } from "../../src/shared/audit.ts";
import { type AuditLog, createAuditLog } from "../../src/store/audit/audit-log.ts";

/** A call of the operator's, for functions of the store that change something. */
export const testAudit: Audit = {
  actor: { kind: "operator", id: "operator", name: "operator" },
  sessionId: "",
  clientAddress: "127.0.0.1",
  clientAgent: "",
  action: "test.change",
  traceId: "sx_test",
  now: () => new Date(),
};

/** Where stores that a test makes by themselves write their entries. */
export const testAuditLog = (db: Db): AuditLog => createAuditLog(db, { retentionMs: 3_600_000 });

/** What handlers of the operator are told of a call. */
export const OPERATOR = { actor: "operator", audit: testAudit } as const;
