import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { octets } from "../common/mail-contents.ts";
import { changing, reading } from "../common/session-access.ts";
import { filter, reasonCounts, reasons, suppressionCounts } from "../common/suppression-filter.ts";
import { concernedRules, importReport } from "../common/suppression-import.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";

const c = initContract();

const newReason = text("Reason. Default: `manual`.", "manual").meta({ enum: [...reasons] });
const newPolicy = text(
  "Scope: only mail with this routing policy. Missing: all mail of the account.",
  "newsletter",
);
const newDetail = text("Note of up to 1,000 characters.", "asked by phone");
const newExpiry = moment(
  "Time when the entry expires. It must be in the future. Missing: never.",
  "2126-11-22T09:30:00Z",
);
const someAddresses = z.array(z.string()).meta({
  description: "Up to 1,000 addresses. `@example.com` stands for all addresses of a domain.",
  examples: [["ann@example.net", "bob@example.net"]],
});

export const suppression = z
  .object({
    id: text("Id of the entry.", "sup_YW5uQGV4YW1wbGUubmV0Og"),
    account_id: accountId,
    address: text("Suppressed address. `@example.com`: all addresses of the domain.", "ann@example.net"),
    reason: text(
      "`hard_bounce`, `manual`, `unsubscribe` or `complaint`, from the weakest to the strongest.",
      "hard_bounce",
    ),
    policy: text(
      "Scope: only mail with this routing policy is suppressed. Empty: all mail of the account.",
      "",
    ),
    message_id: text(
      "Message that led to the entry; empty if there is none.",
      "msg_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ),
    detail: text("Reply of a server, or a note; may be empty.", "550 5.1.1 user unknown"),
    created_at: moment("Time since which the entry applies."),
    expire_at: moment("Time when the entry expires. Missing: never.").optional(),
  })
  .meta({
    id: "Suppression",
    description: "An entry of the suppression list: an address to which the account sends nothing.",
  });

const outcome = text(
  "`added`; `strengthened`: the entry existed, and now has a stronger reason or expires later; `already_there`: the entry existed with at least the same reason and expiry, and at most its note changed.",
  "added",
);

export const addedSuppression = z
  .object({ suppression, outcome, ...concernedRules })
  .meta({ id: "AddedSuppression", description: "The entry after the call, and the result of the call." });

export const removedSuppression = z
  .object({
    suppression,
    remaining: z.array(suppression).meta({
      description: "Entries for the address in other scopes, and for its domain, that still apply.",
    }),
    notice: text(
      "Sentence for people: the mail that is sent again, and the messages that stay suppressed.",
      "Mail to ann@example.net is sent again from the next attempt on. Messages that were suppressed before are not sent.",
    ),
  })
  .meta({ id: "RemovedSuppression", description: "The removed entry, and the entries that still apply." });

export const addressResult = z
  .object({
    address: text("Address as in the request.", "ann@example.net"),
    outcome: text(
      "Result: `added`, `strengthened`, `already_there`, `removed`, `not_there` or `refused`.",
      "added",
    ),
    suppression_id: text("Id of the entry, also of a removed entry; empty if there is none."),
    code: text("Error code if the address was refused; otherwise empty.", "address.domain_invalid"),
    pointer: text(
      "JSON pointer into the request if the address was refused; otherwise empty.",
      "/addresses/0",
    ),
    message: text("Reason as a sentence if the address was refused; otherwise empty."),
  })
  .meta({ id: "SuppressionAddressResult", description: "Result for one address." });

const addressResults = z.object({ results: z.array(addressResult) }).meta({
  id: "SuppressionAddressResults",
  description: "Results for the addresses, in the order of the request.",
});

const additionResults = addressResults.extend(concernedRules).meta({
  id: "SuppressionAdditionResults",
  description: "Results for the addresses, in the order of the request.",
});

export const removalCount = z
  .object({
    reasons: reasonCounts,
    sample: z.array(suppression).meta({ description: "Up to five of the entries." }),
    confirmation: text("Confirmation that starts the job, if the same member sends it with the same filter."),
    confirm_before: moment("Time when the confirmation expires, 10 minutes after the count."),
  })
  .meta({
    id: "SuppressionRemovalCount",
    description: "Count of the entries to remove. Nothing was changed.",
  });

const pathParams = z.object({ suppression_id: z.string().meta({ description: "Id of the entry." }) });

export const suppressions = c.router({
  listSuppressions: {
    method: "GET",
    path: "/api/suppressions",
    summary: "Search the suppression list",
    description:
      "Lists entries by address, without expired entries. All filters can be combined. With `from` or `until`, entries are listed newest first, and a page reads up to 5,000 entries of that time: it can have fewer than `limit` entries, or none, although another page follows.",
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
      "Exports all entries that match the filter, by address, as CSV (RFC 4180) that can be imported again. A cell that a spreadsheet would treat as a formula begins with an apostrophe. The audit log records the export.",
    query: z.strictObject(filter),
    ...reading({
      access: "suppressions.read",
      faults: ["request.validation_failed"],
      success: {
        200: octets("text/csv; charset=utf-8", "Lines of CSV. The first line has the names of the columns."),
      },
    }),
  },
  countSuppressions: {
    method: "GET",
    path: "/api/suppressions/count",
    summary: "Count the suppression list by reason",
    description: "Counts the entries that match the filter, exactly up to 10,000 for each reason.",
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
    summary: "Get an entry of the suppression list",
    ...reading({
      access: "suppressions.read",
      faults: ["suppression.unknown"],
      success: { 200: suppression },
    }),
  },
  addSuppression: {
    method: "POST",
    path: "/api/suppressions",
    summary: "Suppress an address",
    description:
      "Suppresses an address from the next attempt on. If the address is already on the list, the stronger reason and the later expiry apply. `@example.com` stands for all addresses of a domain.",
    body: z
      .strictObject({
        address: text("Address to suppress.", "ann@example.net"),
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
    summary: "Suppress many addresses",
    description:
      "Suppresses up to 1,000 addresses in one call. If some addresses are refused, the others are still added, all together.",
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
    summary: "Remove many addresses from the suppression list",
    description:
      "Removes up to 1,000 addresses in one call, for one scope. Mail to them is sent again from the next attempt on. Messages that ended as `suppressed` stay so.",
    body: z
      .strictObject({
        addresses: someAddresses,
        policy: text(
          "Scope: the entries for this routing policy. Missing: the entries for all mail.",
        ).optional(),
      })
      .meta({ id: "RemoveSuppressionsRequest" }),
    ...changing({ access: "suppressions.write", success: { 200: addressResults } }),
  },
  removeMatchingSuppressions: {
    method: "POST",
    path: "/api/suppressions/remove-matching",
    summary: "Remove all entries that match a filter",
    description:
      "Removes entries in two steps. Without `confirmation`, Hermod counts the entries by reason and changes nothing. With it, a job starts that removes all of them, without a limit, with a result for each entry. The same confirmation starts the same job only once. Entries that were added or changed since the count stay. Mail to removed addresses is sent again from the next attempt on, including to recipients who complained or unsubscribed. Read the counts and export the list first.",
    body: z
      .strictObject({
        filter: z.strictObject(filter).meta({
          description: "Filter with the parameters of the list. An empty filter does not select all entries.",
        }),
        confirmation: text(
          "The `confirmation` of the count, to start the job. Missing: only count.",
        ).optional(),
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
      "Imports CSV of up to 2 MiB and 10,000 rows. The first row names the columns; a single column of addresses needs no heading. With `preview`, nothing is written, and the response has the expected result of each row. Rows are written in groups. An import that is cut short can be repeated.",
    body: z
      .strictObject({
        csv: text("Text of the file.", "email,reason\r\nann@example.net,unsubscribe\r\n"),
        preview: z
          .boolean()
          .optional()
          .meta({ description: "Whether to return the expected result without writing. Default: `false`." }),
        reason: newReason.meta({ description: "Reason for rows without one. Default: `manual`." }).optional(),
        policy: text("Routing policy for rows without one. Missing: all mail of the account.").optional(),
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
    summary: "Remove an address from the suppression list",
    description:
      "Removes an entry. Mail to its address is sent again from the next attempt on, unless one of the `remaining` entries applies to it. Messages that ended as `suppressed` stay so.",
    body: c.noBody(),
    ...changing({
      access: "suppressions.write",
      faults: ["suppression.unknown"],
      success: { 200: removedSuppression },
    }),
  },
});
