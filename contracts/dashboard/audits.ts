import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { auditActor as actor } from "../common/audit-actor.ts";
import { octets } from "../common/mail-contents.ts";
import { reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { moment, page, pageQuery } from "./common.ts";

const c = initContract();

const target = z
  .object({
    kind: text(
      "Kind of the resource: `key`, `member`, `policy` and others. Empty if there is no target.",
      "key",
    ),
    id: text("Id of the target."),
    name: text("Name of the target at that time.", "Shop"),
  })
  .meta({ id: "AuditTarget", description: "Target of an audit entry." });

const change = z
  .object({
    field: text("Path of the field.", "transports.0.username"),
    before: text(
      "Previous value as JSON. Missing if the field did not exist or its value is not shown.",
      '"Shop"',
    ).optional(),
    after: text(
      "New value as JSON. Missing if the field no longer exists or its value is not shown.",
      '"Till"',
    ).optional(),
    secret: z
      .boolean()
      .meta({ description: "Whether the field is secret. Its change is recorded without its values." }),
  })
  .meta({
    id: "AuditChange",
    description: "Change of one field. A long value is replaced by its length and its SHA-256.",
  });

export const auditEntry = z
  .object({
    id: text("Id of the entry.", "aud_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: text("Account that owns the entry; empty if no account does."),
    at: moment("Time of the action."),
    actor,
    session_id: text("Session of the action; empty if there was none."),
    client_address: text("IP address of the client; empty if it is not known.", "192.0.2.1"),
    client_agent: text("User agent that the client sent; empty if it sent none."),
    action: text("Action, as `resource.verb`.", "key.rename"),
    target,
    changes: z.array(change).meta({ description: "Changed fields." }),
    outcome: text("`changed`, `read` (a body or an export) or `refused`.", "changed"),
    reason: text("Error code of a refused action; otherwise empty."),
    count: z.int().meta({ description: "Number of refusals that the entry stands for.", examples: [1] }),
    since: moment("Time of the first of several refusals.").optional(),
    trace_id: text("Trace id of the call.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  })
  .meta({ id: "AuditEntry", description: "An action that was done or refused." });

const actions = z
  .object({
    data: z
      .array(
        z.object({
          name: text("Action, as `resource.verb`.", "key.rename"),
          group: text("Resource of the action.", "key"),
          description: text("Action as a sentence.", "Renamed a key."),
          outcomes: z
            .array(z.string())
            .meta({ description: "Outcomes that its entries can have.", examples: [["changed", "refused"]] }),
        }),
      )
      .meta({ description: "Actions, in alphabetical order." }),
    retention_days: z.int().meta({ description: "Days for which entries are kept.", examples: [400] }),
    unauthenticated_retention_days: z.int().meta({
      description: "Days for which refusals of clients without a session are kept.",
      examples: [30],
    }),
  })
  .meta({
    id: "AuditActionList",
    description: "Actions of the audit log, and the retention of its entries.",
  });

const entries = page("AuditEntryList", auditEntry);

const filter = {
  actor_id: z.string().max(512).optional().meta({ description: "Only actions of this actor." }),
  action: z
    .string()
    .optional()
    .meta({
      description:
        "Only this action, for example `key.create`, or all actions of a resource, for example `key`. Several are separated by commas, at most 50.",
      examples: ["key", "key.create,member"],
    }),
  target_id: z.string().max(512).optional().meta({ description: "Only actions on this target." }),
  outcome: z
    .enum(["changed", "read", "refused"])
    .optional()
    .meta({ description: "Only entries with this outcome." }),
  from: moment("Only entries at this time or later.").optional(),
  until: moment("Only entries before this time.").optional(),
};

export const audits = c.router({
  listEntries: {
    method: "GET",
    path: "/api/audit",
    summary: "Search the audit log",
    description: "Lists changes, refused actions and reads of mail in the account, newest first.",
    query: pageQuery.extend(filter),
    ...reading({ access: "audit.read", faults: ["request.validation_failed"], success: { 200: entries } }),
  },
  listOwnEntries: {
    method: "GET",
    path: "/api/audit/own",
    summary: "List audit entries about yourself",
    description:
      "Lists entries about your sign-ins, sessions, passwords and roles, and about attempts to sign in with your address, in every account, newest first.",
    query: pageQuery,
    ...reading({ access: "signed_in", faults: ["request.validation_failed"], success: { 200: entries } }),
  },
  listActions: {
    method: "GET",
    path: "/api/audit/actions",
    summary: "List the actions of the audit log",
    description:
      "Lists every action that an entry can have, for filters. Actions that only have the outcome `refused` are calls that leave no entry otherwise.",
    ...reading({ access: "audit.read", success: { 200: actions } }),
  },
  exportEntries: {
    method: "GET",
    path: "/api/audit/export",
    summary: "Export the audit log",
    description:
      "Exports all entries that match the filter until now, newest first, as CSV (RFC 4180). A cell that a spreadsheet would treat as a formula begins with an apostrophe. The audit log records the export.",
    query: z.strictObject(filter),
    ...reading({
      access: "audit.read",
      faults: ["request.validation_failed"],
      success: {
        200: octets("text/csv; charset=utf-8", "Lines of CSV. The first line has the names of the columns."),
      },
    }),
  },
});
