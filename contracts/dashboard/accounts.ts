import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { octets } from "../common/mail-contents.ts";
import { ifRevision, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { accountId, moment } from "./common.ts";

export const account = z
  .object({
    id: accountId,
    name: z.string(),
    created_at: moment("When it was made."),
    requires_second_factor: z
      .boolean()
      .meta({ description: "Members who have shown no second factor can do nothing in it." }),
    revision,
  })
  .meta({ id: "Account", description: "An account: who is in one sees nothing of another." });

const factTime = (description: string) => moment(description).nullable();

const attention = z
  .object({
    webhooks: z.array(
      z.object({
        id: z.string().meta({ description: "The endpoint." }),
        url: z.string().meta({ description: "URL that events are posted to." }),
        since: moment("Since when it accepts nothing; of a disabled one: when Hermod disabled it."),
        is_disabled: z.boolean().meta({ description: "Hermod disabled it and posts nothing more." }),
      }),
    ),
    expiring_key_count: z
      .int()
      .meta({ description: "Number of all keys that expire within 14 days.", examples: [1] }),
    expiring_keys: z
      .array(
        z.object({
          id: z.string().meta({ description: "The key." }),
          name: z.string().meta({ description: "Name of the key; may be empty." }),
          prefix: z.string().meta({ description: "Visible part of its secret." }),
          expires_at: moment("End of its validity."),
        }),
      )
      .meta({ description: "Keys that expire first, 5 at most." }),
  })
  .meta({ id: "Attention", description: "Facts that a member of the account should know of." });

export const startFacts = z
  .object({
    first_captured_at: factTime(
      "First captured message, to the minute for two days, to the hour for 90, then to the day (UTC).",
    ),
    first_delivered_at: factTime("First delivered message, as exact as `first_captured_at`."),
    domain_verified_at: factTime("First verification of a sending domain that the account has."),
    key_used_at: factTime("Latest use of a key."),
    webhook_answered_at: factTime(
      "Earliest event that an endpoint has accepted, of the deliveries that are kept.",
    ),
    rule_created_at: factTime("Creation of the oldest alert rule."),
    domain_watched_at: factTime("Since when the oldest watched domain is watched."),
  })
  .meta({ id: "StartFacts", description: "Times of the account's first steps; null: not yet." });

const keptTime = (what: string) =>
  z
    .object({
      kept: z.int().meta({ description: "What is in effect." }),
      most: z.int().meta({ description: "The installation's time: the most that there is." }),
      own: z.boolean().meta({ description: "The account's own time is the shorter one." }),
    })
    .meta({ description: what });

export const retention = z
  .object({
    content_days: keptTime("Bodies, from their acceptance."),
    message_days: keptTime("Messages and their events, from their end."),
    request_days: keptTime("The log of requests."),
    sandbox_hours: keptTime("Captured mail."),
    audit_days: z.int().meta({ description: "The audit log, for which accounts have no time of their own." }),
    applied_at: moment(
      "What was past its time then is removed; missing: the account had no times of its own before.",
    ).optional(),
    revision,
  })
  .meta({ id: "Retention", description: "How long the account keeps things." });

const ownTime = (what: string, example: number) =>
  z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: `${what}; missing: as long as the installation.`, examples: [example] });

const c = initContract();

export const accounts = c.router({
  getAccount: {
    method: "GET",
    path: "/api/account",
    summary: "See the account",
    description: "The account that the session looks at.",
    ...reading({ access: "account.read", success: { 200: account } }),
  },
  renameAccount: {
    method: "PATCH",
    path: "/api/account",
    summary: "Rename the account",
    description: "Names are for people: nothing depends on them.",
    body: z
      .strictObject({
        name: z
          .string()
          .meta({ description: "1 to 100 characters.", minLength: 1, maxLength: 100, examples: ["Acme"] }),
        if_revision: ifRevision,
      })
      .meta({ id: "RenameAccountRequest" }),
    ...changing({ access: "account.write", faults: ["resource.stale"], success: { 200: account } }),
  },
  requireSecondFactor: {
    method: "PUT",
    path: "/api/account/second-factor",
    summary: "Want a second factor of all members",
    description: "Who has shown none does not demand it of others.",
    body: z
      .strictObject({ required: z.boolean(), if_revision: ifRevision })
      .meta({ id: "RequireSecondFactorRequest" }),
    ...changing({
      access: "account.write",
      faults: ["resource.stale", "auth.reauthentication_required"],
      success: { 200: account },
    }),
  },
  getStart: {
    method: "GET",
    path: "/api/start",
    summary: "See what the account has done so far",
    description:
      "Shows the times of the first steps, for a checklist. Messages are known from counters, a second or so behind and for two years.",
    ...reading({ access: "account.read", success: { 200: startFacts } }),
  },
  getAttention: {
    method: "GET",
    path: "/api/attention",
    summary: "See what needs a member",
    description:
      "Shows webhook endpoints that accept nothing or that Hermod disabled, and valid keys that expire within 14 days and have no replacement.",
    ...reading({ access: "keys.read", success: { 200: attention } }),
  },
  getRetention: {
    method: "GET",
    path: "/api/account/retention",
    summary: "See how long the account keeps things",
    ...reading({ access: "account.read", success: { 200: retention } }),
  },
  changeRetention: {
    method: "PUT",
    path: "/api/account/retention",
    summary: "Have the account keep things for a shorter time",
    description:
      "Replaces all of its times. What is past the new ones goes within minutes, for good; a longer time keeps what is still there. What waits to be sent always stays.",
    body: z
      .strictObject({
        content_days: ownTime("Bodies", 7),
        message_days: ownTime("Messages and their events", 30),
        request_days: ownTime("The log of requests", 3),
        sandbox_hours: ownTime("Captured mail", 24),
        if_revision: ifRevision,
      })
      .meta({ id: "ChangeRetentionRequest" }),
    ...changing({
      access: "account.write",
      faults: ["resource.stale", "auth.reauthentication_required"],
      success: { 200: retention },
    }),
  },
  exportAccount: {
    method: "GET",
    path: "/api/account/export",
    summary: "Export everything that is stored of the account",
    description:
      "As NDJSON: each line is a JSON object whose `kind` says what it is, the first one `account`, the last one `end` with `counts`, how many lines of each kind there are. An export without this last line is not whole. Members, keys, domains, policies, templates with all versions, suppressions, messages with their events, captured mail, requests, jobs, erasures, counters and the audit log; no secrets. It needs a factor that was shown in the last ten minutes, and has an entry in the audit log.",
    query: z.strictObject({
      bodies: z.enum(["true", "false"]).optional().meta({
        description:
          "`true`: messages and captured mail have their bodies, as far as they are kept, in `body`: RFC 5322, in base64.",
      }),
    }),
    ...reading({
      access: "account.export",
      faults: ["request.validation_failed", "auth.reauthentication_required"],
      success: {
        200: octets("application/x-ndjson; charset=utf-8", "Lines of JSON."),
      },
    }),
  },
  deleteAccount: {
    method: "DELETE",
    path: "/api/account",
    summary: "Delete the account",
    description:
      "For good, with all that it has; users stay. Keys and members are gone with the answer, messages and settings go in the background.",
    ...changing({
      access: "account.delete",
      faults: ["account.unknown", "account.first", "auth.reauthentication_required"],
      success: { 204: c.noBody() },
    }),
  },
});
