import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { octets } from "../common/mail-contents.ts";
import { policyHold } from "../common/policy-queue.ts";
import { ifRevision, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { accountId, emailAddress, moment, roleName, userId } from "./common.ts";

export const account = z
  .object({
    id: accountId,
    name: z.string(),
    created_at: moment("Time when the account was created."),
    requires_second_factor: z.boolean().meta({
      description: "Whether members must show a second factor before they can do anything in the account.",
    }),
    revision,
  })
  .meta({ id: "Account", description: "An account. Its members see nothing of other accounts." });

export const secondFactorState = z
  .object({
    required: z.boolean().meta({ description: "Whether members must show a second factor." }),
    can_require: z.boolean().meta({
      description: "Whether you can turn the requirement on: your session has shown a second factor.",
    }),
    has_second_factor: z
      .boolean()
      .meta({ description: "Whether you have set up a second factor. Sign in with it to turn it on." }),
    without_count: z.int().meta({ description: "Number of members without a second factor.", examples: [3] }),
    without: z
      .array(z.object({ user_id: userId, email: emailAddress, role: roleName }))
      .meta({ description: "The first 100 of these members, in the order in which the users were created." }),
    complete: z.boolean().meta({
      description: "Whether all members were read. Otherwise the count covers the first 10,000 members.",
    }),
    revision,
  })
  .meta({
    id: "SecondFactorState",
    description: "Requirement of a second factor, and its effect on members.",
  });

const factTime = (description: string) => moment(description).nullable();

const attention = z
  .object({
    webhooks: z.array(
      z.object({
        id: z.string().meta({ description: "Id of the endpoint." }),
        url: z.string().meta({ description: "URL that events are posted to." }),
        since: moment(
          "Time since which the endpoint accepts nothing. For a disabled endpoint: time when Hermod disabled it.",
        ),
        is_disabled: z
          .boolean()
          .meta({ description: "Whether Hermod disabled the endpoint. It then gets no events." }),
      }),
    ),
    expiring_key_count: z
      .int()
      .meta({ description: "Number of all keys that expire within 14 days.", examples: [1] }),
    expiring_keys: z
      .array(
        z.object({
          id: z.string().meta({ description: "Id of the key." }),
          name: z.string().meta({ description: "Name of the key; may be empty." }),
          prefix: z.string().meta({ description: "Visible part of the secret." }),
          expires_at: moment("Time when the key expires."),
        }),
      )
      .meta({ description: "Keys that expire first, at most 5." }),
    hold_count: z
      .int()
      .meta({ description: "Number of holds of routing policies. A hold has no end.", examples: [1] }),
    holds: z.array(policyHold).meta({ description: "The oldest holds, at most 5." }),
  })
  .meta({ id: "Attention", description: "Problems of the account that need attention." });

export const startFacts = z
  .object({
    first_captured_at: factTime(
      "Time of the first captured message: precise to the minute for two days, to the hour for 90 days, and then to the day (UTC).",
    ),
    first_delivered_at: factTime("Time of the first delivered message, as precise as `first_captured_at`."),
    domain_verified_at: factTime("Time of the first verification of a sending domain that the account has."),
    key_used_at: factTime("Time of the latest use of a key."),
    webhook_answered_at: factTime(
      "Time of the earliest event that an endpoint accepted, among retained deliveries.",
    ),
    rule_created_at: factTime("Time when the oldest alert rule was created."),
    domain_watched_at: factTime("Time when the oldest watched domain was added."),
  })
  .meta({
    id: "StartFacts",
    description: "Times of the account's first steps; `null` for a step that has not happened yet.",
  });

const keptTime = (what: string) =>
  z
    .object({
      kept: z.int().meta({ description: "Time in effect." }),
      most: z.int().meta({ description: "Maximum: the retention time of the installation." }),
      own: z.boolean().meta({ description: "Whether the account has set a shorter time of its own." }),
    })
    .meta({ description: what });

export const retention = z
  .object({
    content_days: keptTime("Days for which bodies are kept, from acceptance."),
    message_days: keptTime("Days for which messages and their events are kept, from the end of the message."),
    request_days: keptTime("Days for which the log of requests is kept."),
    sandbox_hours: keptTime("Hours for which captured mail is kept."),
    audit_days: z
      .int()
      .meta({ description: "Days for which the audit log is kept. Accounts cannot change this time." }),
    applied_at: moment(
      "Time when Hermod last finished removing data past these times. Missing: the account has never set times of its own, or the first removal has not finished.",
    ).optional(),
    revision,
  })
  .meta({ id: "Retention", description: "Retention times of the account." });

const ownTime = (what: string, example: number) =>
  z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: `${what}. Missing: the time of the installation.`, examples: [example] });

const c = initContract();

export const accounts = c.router({
  getAccount: {
    method: "GET",
    path: "/api/account",
    summary: "Get the account",
    description: "Returns the current account of the session.",
    ...reading({ access: "account.read", success: { 200: account } }),
  },
  renameAccount: {
    method: "PATCH",
    path: "/api/account",
    summary: "Rename the account",
    description: "Changes the display name. No behavior depends on it.",
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
  getSecondFactor: {
    method: "GET",
    path: "/api/account/second-factor",
    summary: "Preview the requirement of a second factor",
    description:
      "Returns whether the account requires a second factor, and which members would have to set one up. Use it before the change.",
    ...reading({ access: "account.write", success: { 200: secondFactorState } }),
  },
  requireSecondFactor: {
    method: "PUT",
    path: "/api/account/second-factor",
    summary: "Require a second factor of all members",
    description:
      "Turns the requirement on or off. Only a member who has shown a second factor can turn it on. Open sessions continue, but a session that has not shown a second factor gets `auth.second_factor_missing` for every operation of the account. It can still set up a factor below `/api/factors`, and then works at once, without a new sign-in. `GET /api/account/second-factor` lists the affected members.",
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
    summary: "Get the account's first steps",
    description:
      "Returns the times of the first steps, for a checklist. Times of messages come from counters, which are about one second behind and are kept for two years.",
    ...reading({ access: "account.read", success: { 200: startFacts } }),
  },
  getAttention: {
    method: "GET",
    path: "/api/attention",
    summary: "Get problems that need attention",
    description:
      "Returns webhook endpoints that accept nothing or that Hermod disabled, and valid keys that expire within 14 days and have no replacement.",
    ...reading({ access: "keys.read", success: { 200: attention } }),
  },
  getRetention: {
    method: "GET",
    path: "/api/account/retention",
    summary: "Get the account's retention times",
    ...reading({ access: "account.read", success: { 200: retention } }),
  },
  changeRetention: {
    method: "PUT",
    path: "/api/account/retention",
    summary: "Change the account's retention times",
    description:
      "Replaces all retention times of the account. Data past the new times is removed permanently within minutes. A longer time keeps the data that still exists. Messages that wait to be sent are never removed.",
    body: z
      .strictObject({
        content_days: ownTime("Days for which bodies are kept", 7),
        message_days: ownTime("Days for which messages and their events are kept", 30),
        request_days: ownTime("Days for which the log of requests is kept", 3),
        sandbox_hours: ownTime("Hours for which captured mail is kept", 24),
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
    summary: "Export all data of the account",
    description:
      "Exports the account as NDJSON. Each line is a JSON object with its type in `kind`. The first line is `account`. The last line is `end`; its `counts` has the number of lines of each kind. An export without this last line is incomplete. The export contains members, keys, domains, policies, templates with all versions, suppressions, messages with their events, captured mail, requests, jobs, erasures, counters and the audit log. It contains no secrets. It needs a factor that was shown in the last ten minutes, and the audit log records it.",
    query: z.strictObject({
      bodies: z.enum(["true", "false"]).optional().meta({
        description:
          "`true`: messages and captured mail include their bodies, if they are still kept, in `body` (RFC 5322, in base64).",
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
      "Deletes the account and all its data permanently. Users stay. Keys and members are removed before the response. Messages and settings are removed in the background.",
    ...changing({
      access: "account.delete",
      faults: ["account.unknown", "account.first", "auth.reauthentication_required"],
      success: { 204: c.noBody() },
    }),
  },
});
