import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { octets } from "../common/mail-contents.ts";
import { reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { moment, page, pageQuery } from "./common.ts";

const c = initContract();

const actor = z
  .object({
    kind: text(
      "`operator`, `user`, `key`, `recipient`, `system`, `front_end`, `worker` or `stranger`; later versions may know more.",
      "user",
    ),
    id: text("Names it.", "usr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    name: text("As it was then.", "ada@example.com"),
  })
  .meta({ id: "AuditActor", description: "Who did it." });

const target = z
  .object({
    kind: text("`key`, `member`, `policy` and the like; empty: there was none.", "key"),
    id: text("Names it."),
    name: text("As it was then.", "Shop"),
  })
  .meta({ id: "AuditTarget", description: "What it was done to." });

const change = z
  .object({
    field: text("Its path.", "transports.0.username"),
    before: text("As JSON; missing: it was not there, or is not shown.", '"Shop"').optional(),
    after: text("As JSON; missing: it is not there any more, or is not shown.", '"Till"').optional(),
    secret: z.boolean().meta({ description: "It changed, and no more is said of it." }),
  })
  .meta({
    id: "AuditChange",
    description: "One field that became different. A long value is its length and SHA-256.",
  });

export const auditEntry = z
  .object({
    id: text("Names the entry.", "aud_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: text("The account in whose log it is; empty: none's."),
    at: moment("When."),
    actor,
    session_id: text("The session that it was done by; empty: none."),
    client_address: text("The IP address that it came from; empty: not known.", "192.0.2.1"),
    client_agent: text("What the client said it was; empty: nothing."),
    action: text("What, as `resource.verb`.", "key.rename"),
    target,
    changes: z.array(change).meta({ description: "What became different." }),
    outcome: text("`changed`, `read` (a body or an export) or `refused`.", "changed"),
    reason: text("For what was refused, the code of the error; otherwise empty."),
    count: z.int().meta({ description: "How many refusals it stands for.", examples: [1] }),
    since: moment("When the first of several refusals was.").optional(),
    trace_id: text("Names the call.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  })
  .meta({ id: "AuditEntry", description: "Somebody did something, or was refused it." });

const entries = page("AuditEntryList", auditEntry);

const filter = {
  actor_id: z.string().max(512).optional().meta({ description: "Only what this one did." }),
  action: z
    .string()
    .optional()
    .meta({ description: "One action, as `key.create`, or all of a resource, as `key`.", examples: ["key"] }),
  target_id: z.string().max(512).optional().meta({ description: "Only what was done to this." }),
  outcome: z.enum(["changed", "read", "refused"]).optional().meta({ description: "Only these." }),
  from: moment("From this time on.").optional(),
  until: moment("Before this time.").optional(),
};

export const audits = c.router({
  listEntries: {
    method: "GET",
    path: "/api/audit",
    summary: "Search the audit log",
    description: "Who changed what in the account, was refused what, and read whose mail; newest first.",
    query: pageQuery.extend(filter),
    ...reading({ access: "audit.read", faults: ["request.validation_failed"], success: { 200: entries } }),
  },
  listOwnEntries: {
    method: "GET",
    path: "/api/audit/own",
    summary: "See what concerns oneself",
    description:
      "One's own sign-ins, sessions, passwords and roles, and attempts to sign in with one's address, in whichever account; newest first.",
    query: pageQuery,
    ...reading({ access: "signed_in", faults: ["request.validation_failed"], success: { 200: entries } }),
  },
  exportEntries: {
    method: "GET",
    path: "/api/audit/export",
    summary: "Export the audit log",
    description:
      "All entries that the filter finds until now, newest first, as CSV (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe. The export has an entry of its own.",
    query: z.strictObject(filter),
    ...reading({
      access: "audit.read",
      faults: ["request.validation_failed"],
      success: {
        200: octets("text/csv; charset=utf-8", "Lines of CSV, the first with the names of the columns."),
      },
    }),
  },
});
