import type { Db } from "mongodb";
import type { Audit } from "../../src/shared/audit.ts";
import { createAuditLog } from "../../src/store/audit/audit-log.ts";
import { type AuditedWrites, createAuditedWrites } from "../../src/store/audited-writes.ts";

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

/** For stores that a test makes by themselves. */
export const testWrites = (db: Db): AuditedWrites =>
  createAuditedWrites(db, createAuditLog(db, { retentionMs: 3_600_000 }));

/** What handlers of the operator are told of a call. */
export const OPERATOR = { actor: "operator", audit: testAudit } as const;
