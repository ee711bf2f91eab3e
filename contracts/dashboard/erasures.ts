import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { changing, reading } from "../common/session-access.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const text = (description: string, example = "") => z.string().meta({ description, examples: [example] });
const count = (description: string) => z.int().meta({ description });
const recipient = text(
  "The address, in any letters: `Ada@Example.com` is `ada@example.com`.",
  "ada@example.com",
);

export const erasurePreview = z
  .object({
    messages: count("Messages to the address."),
    waiting: count("Of these, what waits to be sent: it is withdrawn."),
    notices: count("Notices to senders about these messages."),
    events: count("What happened to these messages."),
    captured: count("Copies in the sandbox."),
    suppressions: count("Entries of the suppression list, for any scope."),
    complete: z.boolean().meta({ description: "Whether these are all; otherwise there are more messages." }),
  })
  .meta({ id: "ErasurePreview", description: "What an erasure would remove now." });

export const erasure = z
  .object({
    id: text("Names the erasure.", "era_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    state: text("`running`, or `done`: then it is the proof.", "done"),
    address_hash: text(
      "SHA-256 (base64url) of salt and address, in lower case, one behind the other: the address itself is not kept.",
      "mW2U8g0fV0mGxJb1zN3n6pQ2p6m0l3rT1hY5c8u9w0E",
    ),
    salt: text("What stands in front of the address in the hash.", "c2FsdCBvZiAxNiBvY3RldA"),
    keep_suppressed: z.boolean().meta({ description: "Entries of the suppression list were to stay." }),
    requested_at: moment("What was accepted later is not meant."),
    requested_by_kind: text("`user` or `operator`.", "user"),
    requested_by: text("As the name was then.", "bob@example.com"),
    removed: z.record(z.string(), z.int()).meta({
      description:
        "Documents removed, by collection; names that end with `Changed`: those that stay without the address. They grow while it is running.",
      examples: [{ messages: 12, contents: 12, events: 31, suppressions: 1, auditEntriesChanged: 2 }],
    }),
    waiting: count("Messages that their worker has still to give up."),
    finished_at: moment("When nothing was left; missing: it is running.").optional(),
    look: z
      .object({
        at: moment("When."),
        messages: count("Messages of the account that were looked at."),
        captured: count("Captured messages that were looked at."),
        audit_entries: count("Entries of the audit log that were looked at."),
      })
      .optional()
      .meta({
        description:
          "What the last look at everything has seen, and found nothing in; missing: it is running.",
      }),
    left: z
      .object({
        shared_bodies: count(
          "Bodies of submissions that went to others as well: they go with the last of these.",
        ),
        mentions: count("Messages to others in whose sender, subject, tags or metadata the address stands."),
        suppressions: count("Entries of the suppression list that were to stay."),
      })
      .meta({ description: "What stays of it." }),
  })
  .meta({ id: "Erasure", description: "That all about one recipient was removed, or is being removed." });

export const erasures = c.router({
  listErasures: {
    method: "GET",
    path: "/api/erasures",
    summary: "List erasures of recipients",
    description: "Newest first. They are kept as long as entries of the audit log.",
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
    pathParams: z.object({ erasure_id: z.string().meta({ description: "The erasure's id." }) }),
    summary: "See an erasure of a recipient",
    ...reading({ access: "recipients.erase", faults: ["erasure.unknown"], success: { 200: erasure } }),
  },
  previewErasure: {
    method: "POST",
    path: "/api/erasures/preview",
    summary: "Count what is stored about a recipient",
    description: "Up to some 2,000 messages are counted. Nothing is changed.",
    body: z.strictObject({ recipient }).meta({ id: "PreviewErasureRequest" }),
    ...changing({ access: "recipients.erase", success: { 200: erasurePreview } }),
  },
  beginErasure: {
    method: "POST",
    path: "/api/erasures",
    summary: "Erase all that is stored about a recipient",
    description:
      "For good. What waits to be sent is withdrawn; then go, in the background, messages with their bodies and events, notices about them, captured copies, entries of the suppression list, and the address in the logs. It takes a minute at least. One that is running for the address is answered as it is.",
    body: z
      .strictObject({
        recipient,
        keep_suppressed: z.boolean().optional().meta({
          description:
            "The address stays on the suppression list, without the message that led to it, so that nothing is sent to it again (false).",
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
