import type { z } from "zod";
import { type auditEntry, audits } from "../../../contracts/dashboard/audits.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(audits);

export type AuditEntry = z.output<typeof auditEntry>;

/** Names of the filters of the log, as in the address. */
export const auditFilters = ["action", "actor_id", "target_id", "outcome", "from", "until"] as const;
export type AuditFilter = { readonly [Name in (typeof auditFilters)[number]]?: string | undefined };

/** Entries of the audit log that match a filter, newest first. */
export const auditQuery = (filter: AuditFilter) =>
  listQuery(["audit", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listEntries({ query: { ...query, ...filter } as never, fetchOptions })),
  );

/** Address of the entries as a CSV file. */
export function auditExportAddress(filter: AuditFilter): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value) as never);
  return `${home}/api/audit/export?${query}`;
}
