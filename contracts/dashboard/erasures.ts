import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const text = (description: string, example = "") => z.string().meta({ description, examples: [example] });
const count = (description: string) => z.int().meta({ description });
const recipient = text(
  "Address of the recipient. Not case-sensitive: `Ada@Example.com` is `ada@example.com`.",
  "ada@example.com",
);

export const erasurePreview = z
  .object({
    messages: count("Number of messages to the address."),
    waiting: count("Number of these messages that wait to be sent. The erasure cancels them."),
    notices: count("Number of notices to senders about these messages."),
    events: count("Number of events of these messages."),
    captured: count("Number of copies in the sandbox."),
    suppressions: count("Number of entries of the suppression list, in all scopes."),
    complete: z
      .boolean()
      .meta({ description: "Whether the counts are complete. Otherwise there are more messages." }),
  })
  .meta({ id: "ErasurePreview", description: "Data that an erasure would remove now." });

export const erasure = z
  .object({
    id: text("Id of the erasure.", "era_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    state: text("`running` or `done`. A finished erasure is kept as proof.", "done"),
    address_hash: text(
      "SHA-256 (base64url) of the salt followed by the address in lower case. The address itself is not stored.",
      "mW2U8g0fV0mGxJb1zN3n6pQ2p6m0l3rT1hY5c8u9w0E",
    ),
    salt: text("Salt of the hash. It precedes the address.", "c2FsdCBvZiAxNiBvY3RldA"),
    keep_suppressed: z
      .boolean()
      .meta({ description: "Whether the request kept the entries of the suppression list." }),
    requested_at: moment("Time of the request. Messages accepted later are not erased."),
    requested_by_kind: text("`user` or `operator`.", "user"),
    requested_by: text("Name of the requester at that time.", "bob@example.com"),
    removed: z.record(z.string(), z.int()).meta({
      description:
        "Number of removed documents, by collection. A name that ends with `Changed` counts documents that stay without the address. The counts grow while the erasure is running.",
      examples: [{ messages: 12, contents: 12, events: 31, suppressions: 1, auditEntriesChanged: 2 }],
    }),
    waiting: count("Number of messages that a worker still holds."),
    finished_at: moment("Time when nothing was left. Missing while the erasure is running.").optional(),
    look: z
      .object({
        at: moment("Time of the check."),
        messages: count("Number of messages of the account that were checked."),
        captured: count("Number of captured messages that were checked."),
        audit_entries: count("Number of entries of the audit log that were checked."),
      })
      .optional()
      .meta({
        description:
          "Last check of all data, which found nothing left. Missing while the erasure is running.",
      }),
    left: z
      .object({
        shared_bodies: count(
          "Number of bodies of submissions that had other recipients too. A body is removed with the last message of its submission.",
        ),
        mentions: count(
          "Number of messages to other recipients with the address in the sender, subject, tags or metadata.",
        ),
        suppressions: count("Number of entries of the suppression list that the request kept."),
      })
      .meta({ description: "Data that stays." }),
  })
  .meta({ id: "Erasure", description: "Removal of all data about one recipient, running or done." });

export const erasures = c.router({
  listErasures: {
    method: "GET",
    path: "/api/erasures",
    summary: "List erasures of recipients",
    description: "Lists erasures, newest first. They are kept as long as entries of the audit log.",
    query: pageQuery,
    ...reading({
      access: "recipients.erase",
      faults: ["request.validation_failed"],
      success: { 200: page("ErasureList", erasure) },
    }),
  },
  getErasure: {
    method: "GET",
    path: "/api/erasures/:erasure_id",
    pathParams: z.object({ erasure_id: z.string().meta({ description: "Id of the erasure." }) }),
    summary: "Get an erasure of a recipient",
    ...reading({ access: "recipients.erase", faults: ["erasure.unknown"], success: { 200: erasure } }),
  },
  previewErasure: {
    method: "POST",
    path: "/api/erasures/preview",
    summary: "Count the data about a recipient",
    description: "Counts the data that an erasure would remove, up to about 2,000 messages. Changes nothing.",
    body: z.strictObject({ recipient }).meta({ id: "PreviewErasureRequest" }),
    ...changing({ access: "recipients.erase", success: { 200: erasurePreview } }),
  },
  beginErasure: {
    method: "POST",
    path: "/api/erasures",
    summary: "Erase all data about a recipient",
    description:
      "Erases all data about a recipient permanently. Messages that wait to be sent are cancelled. Then Hermod removes messages with their bodies and events, notices about them, captured copies, entries of the suppression list, and the address in the logs, in the background. An erasure takes at least one minute. If an erasure for the address is already running, the response is that erasure.",
    body: z
      .strictObject({
        recipient,
        keep_suppressed: z.boolean().optional().meta({
          description:
            "Whether the address stays on the suppression list, without a reference to the message that led to the entry, so that nothing is sent to it again. Default: `false`.",
        }),
      })
      .meta({ id: "BeginErasureRequest" }),
    ...changing({
      access: "recipients.erase",
      faults: ["auth.reauthentication_required", "erasure.too_many"],
      success: { 202: erasure },
    }),
  },
});
