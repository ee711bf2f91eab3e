import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { octets } from "../common/mail-contents.ts";
import { changing, reading } from "../common/session-access.ts";
import { concernedRules, importReport } from "../common/suppression-import.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";

const c = initContract();

const reasons = ["hard_bounce", "manual", "unsubscribe", "complaint"] as const;
const newReason = text("Why; `manual`, if nothing is said.", "manual").meta({ enum: [...reasons] });
const newPolicy = text("Only mail of this routing policy; missing: all mail of the account.", "newsletter");
const newDetail = text("A note of up to 1,000 characters.", "asked by phone");
const newExpiry = moment("When it ends, ahead; missing: never.", "2126-11-22T09:30:00Z");
const someAddresses = z.array(z.string()).meta({
  description: "Up to 1,000 addresses; `@example.com` stands for all of a domain.",
  examples: [["ann@example.net", "bob@example.net"]],
});

export const suppression = z
  .object({
    id: text("Names the entry.", "sup_YW5uQGV4YW1wbGUubmV0Og"),
    account_id: accountId,
    address: text("Nothing is sent to it; `@example.com`: to nobody of the domain.", "ann@example.net"),
    reason: text(
      "`hard_bounce`, `manual`, `unsubscribe` or `complaint`, from weak to strong.",
      "hard_bounce",
    ),
    policy: text("Only mail of this routing policy is stopped; empty: all mail of the account.", ""),
    message_id: text("The message that led to it; empty: none.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    detail: text("What was said: a server's reply, a note; empty: nothing.", "550 5.1.1 user unknown"),
    created_at: moment("Since when."),
    expire_at: moment("When it ends by itself; missing: never.").optional(),
  })
  .meta({ id: "Suppression", description: "An address that the account sends nothing to." });

const outcome = text(
  "`added`; `strengthened`: it was there, and has a stronger reason or ends later now; `already_there`: it was there for as strong a reason and as long, and at most its note is another one.",
  "added",
);

export const addedSuppression = z
  .object({ suppression, outcome, ...concernedRules })
  .meta({ id: "AddedSuppression", description: "The entry as it is now, and what the call has done to it." });

export const removedSuppression = z
  .object({
    suppression,
    remaining: z.array(suppression).meta({
      description: "Entries of the address, for other scopes, and of its domain that still hold.",
    }),
    notice: text(
      "A sentence for people: what is sent again, and what stays as it is.",
      "Mail to ann@example.net is sent again from the next attempt on. Messages that ended as suppressed stay so.",
    ),
  })
  .meta({ id: "RemovedSuppression", description: "The entry as it was, and what holds without it." });

export const addressResult = z
  .object({
    address: text("As it was given.", "ann@example.net"),
    outcome: text(
      "What became of it: `added`, `strengthened`, `already_there`; `removed`, `not_there`; or `refused`.",
      "added",
    ),
    suppression_id: text("The entry, also one that was removed; empty: there is none."),
    code: text("Why it was refused; otherwise empty.", "address.domain_invalid"),
    pointer: text("JSON pointer into the request; otherwise empty.", "/addresses/0"),
    message: text("The same as a sentence; otherwise empty."),
  })
  .meta({ id: "SuppressionAddressResult", description: "What became of one address." });

const addressResults = z
  .object({ results: z.array(addressResult) })
  .meta({ id: "SuppressionAddressResults", description: "One for each address, in their order." });

const additionResults = addressResults
  .extend(concernedRules)
  .meta({ id: "SuppressionAdditionResults", description: "One for each address, in their order." });

const filter = {
  address: z
    .string()
    .optional()
    .meta({ description: "Only this address, in every scope.", examples: ["ann@example.net"] }),
  domain: z
    .string()
    .optional()
    .meta({
      description: "Only addresses of this domain; it may have an `@` in front.",
      examples: ["example.net"],
    }),
  reason: z.enum(reasons).optional().meta({ description: "Only entries of this reason." }),
  policy: z.string().optional().meta({ description: "Only entries for mail of this routing policy." }),
  scope: z.enum(["account"]).optional().meta({ description: "`account`: only entries for all mail." }),
  message_id: z.string().optional().meta({ description: "Only entries that this message led to." }),
  from: moment("Only entries that hold since this time or later.").optional(),
  until: moment("Only entries that hold since before this time.").optional(),
};

const reasonCounts = z
  .array(
    z
      .object({
        reason: text("The reason.", "hard_bounce"),
        count: z.int().meta({ description: "Entries, 10,000 at most.", examples: [312] }),
        has_more: z.boolean().meta({ description: "There are more than `count`." }),
      })
      .meta({ id: "SuppressionReasonCount", description: "Number of entries of one reason." }),
  )
  .meta({ description: "Each reason that the filter allows, from weak to strong." });

export const suppressionCounts = z
  .object({ reasons: reasonCounts })
  .meta({ id: "SuppressionCounts", description: "Number of entries that a filter finds, by reason." });

export const removalCount = z
  .object({
    reasons: reasonCounts,
    sample: z.array(suppression).meta({ description: "Up to five of the entries." }),
    confirmation: text("Begins the job, given with the same filter by the same member."),
    confirm_before: moment("End of the confirmation, 10 minutes after the count."),
  })
  .meta({ id: "SuppressionRemovalCount", description: "Entries that are meant. Nothing was changed." });

const pathParams = z.object({ suppression_id: z.string().meta({ description: "The entry's id." }) });

export const suppressions = c.router({
  listSuppressions: {
    method: "GET",
    path: "/api/suppressions",
    summary: "Search the suppression list",
    description:
      "By address; entries that have ended are not shown. All filters may be used together. With `from` or `until` entries are listed newest first, and a page reads up to 5,000 of that time: it may have fewer than `limit`, or none, and yet a next one.",
    query: pageQuery.extend(filter),
    ...reading({
      access: "suppressions.read",
      faults: ["request.validation_failed"],
      success: { 200: page("SuppressionList", suppression) },
    }),
  },
  exportSuppressions: {
    method: "GET",
    path: "/api/suppressions/export",
    summary: "Export the suppression list",
    description:
      "All entries that the filter finds, by address, as CSV (RFC 4180), which can be imported again. A cell that a spreadsheet would take for a formula begins with an apostrophe. The export has an entry in the audit log.",
    query: z.strictObject(filter),
    ...reading({
      access: "suppressions.read",
      faults: ["request.validation_failed"],
      success: {
        200: octets("text/csv; charset=utf-8", "Lines of CSV, the first with the names of the columns."),
      },
    }),
  },
  countSuppressions: {
    method: "GET",
    path: "/api/suppressions/count",
    summary: "Count the suppression list by reason",
    description: "Counts the entries that the filter finds, each reason exactly up to 10,000.",
    query: z.strictObject(filter),
    ...reading({
      access: "suppressions.read",
      faults: ["request.validation_failed"],
      success: { 200: suppressionCounts },
    }),
  },
  getSuppression: {
    method: "GET",
    path: "/api/suppressions/:suppression_id",
    pathParams,
    summary: "See an entry of the suppression list",
    ...reading({
      access: "suppressions.read",
      faults: ["suppression.unknown"],
      success: { 200: suppression },
    }),
  },
  addSuppression: {
    method: "POST",
    path: "/api/suppressions",
    summary: "Send nothing to an address",
    description:
      "From the next attempt on. If it is on the list already, the stronger reason and the later end stand. `@example.com` stands for all addresses of a domain.",
    body: z
      .strictObject({
        address: text("The address.", "ann@example.net"),
        reason: newReason.optional(),
        policy: newPolicy.optional(),
        detail: newDetail.optional(),
        expire_at: newExpiry.optional(),
      })
      .meta({ id: "AddSuppressionRequest" }),
    ...changing({
      access: "suppressions.write",
      faults: ["policy.unknown"],
      success: { 200: addedSuppression },
    }),
  },
  addSuppressions: {
    method: "POST",
    path: "/api/suppressions/add",
    summary: "Send nothing to many addresses",
    description:
      "Up to 1,000 in one call. Addresses that are refused keep the others from nothing; those are added all together.",
    body: z
      .strictObject({
        addresses: someAddresses,
        reason: newReason.optional(),
        policy: newPolicy.optional(),
        detail: newDetail.optional(),
        expire_at: newExpiry.optional(),
      })
      .meta({ id: "AddSuppressionsRequest" }),
    ...changing({
      access: "suppressions.write",
      faults: ["policy.unknown"],
      success: { 200: additionResults },
    }),
  },
  removeSuppressions: {
    method: "POST",
    path: "/api/suppressions/remove",
    summary: "Take many addresses off the suppression list",
    description:
      "Up to 1,000 in one call, for one scope. Mail to them is sent again from the next attempt on; messages that ended as `suppressed` stay so.",
    body: z
      .strictObject({
        addresses: someAddresses,
        policy: text("The entries for this routing policy; missing: those for all mail.").optional(),
      })
      .meta({ id: "RemoveSuppressionsRequest" }),
    ...changing({ access: "suppressions.write", success: { 200: addressResults } }),
  },
  removeMatchingSuppressions: {
    method: "POST",
    path: "/api/suppressions/remove-matching",
    summary: "Remove all entries that a filter finds",
    description:
      "In two steps. Without `confirmation` the entries are counted by reason, and nothing is changed. With it a job begins that removes all of them, however many they are, and has a result for each; the same confirmation begins the same job. Entries that were added or changed since the count stay. Mail to removed addresses is sent again from the next attempt on, to recipients who complained or unsubscribed too: read the counts, and export the list before.",
    body: z
      .strictObject({
        filter: z
          .strictObject(filter)
          .meta({ description: "As the query of the list. An empty filter does not select all entries." }),
        confirmation: text("The `confirmation` of the count, to begin; missing: count.").optional(),
      })
      .meta({ id: "RemoveMatchingSuppressionsRequest" }),
    ...changing({
      access: "suppressions.write",
      faults: ["suppression.confirmation_invalid", "job.too_many"],
      success: { 200: removalCount, 202: job },
    }),
  },
  importSuppressions: {
    method: "POST",
    path: "/api/suppressions/import",
    summary: "Import a suppression list",
    description:
      "CSV of up to 2 MiB and 10,000 rows, whose first row names the columns; a single column of addresses needs no heading. With `preview` nothing is written, and the answer says what would become of each row. Rows are written in groups: an import that is cut short may be repeated.",
    body: z
      .strictObject({
        csv: text("The text of the file.", "email,reason\r\nann@example.net,unsubscribe\r\n"),
        preview: z.boolean().optional().meta({ description: "Only say what the import would do (false)." }),
        reason: newReason.meta({ description: "For rows that name none (`manual`)." }).optional(),
        policy: text("For rows that name none; missing: all mail of the account.").optional(),
      })
      .meta({ id: "ImportSuppressionsRequest" }),
    ...changing({
      access: "suppressions.write",
      faults: ["policy.unknown"],
      success: { 200: importReport },
    }),
  },
  removeSuppression: {
    method: "DELETE",
    path: "/api/suppressions/:suppression_id",
    pathParams,
    summary: "Take an address off the suppression list",
    description:
      "Mail to it is sent again from the next attempt on, unless one of the `remaining` entries concerns it; messages that ended as `suppressed` stay so.",
    body: c.noBody(),
    ...changing({
      access: "suppressions.write",
      faults: ["suppression.unknown"],
      success: { 200: removedSuppression },
    }),
  },
});
