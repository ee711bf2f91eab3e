import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { workspaceId } from "../common/intel-schemas.ts";
import { scopesOfKind } from "../common/permissions.ts";
import { ifRevision, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const name = z
  .string()
  .meta({ description: "Up to 100 characters, for people.", maxLength: 100, examples: ["Shop"] });
const kind = z.string().meta({
  description:
    "`account` (sends mail and alerts), `deliverability` or `smtp` (a sending key for the SMTP relay).",
  examples: ["account"],
});
const scopeMode = z.string().meta({
  description:
    "`full`: everything that a key of its kind can do; `send_only`: sends, and reads what it has sent; `alerts_only`: ingests alerts; `restricted`: the operations of `scopes`. A `deliverability` key is `full` or `restricted`; an `smtp` key is not `alerts_only`.",
  examples: ["restricted"],
});
const states = ["active", "unused", "replaced", "expired", "revoked"] as const;
const kinds = ["account", "deliverability", "smtp"] as const;
const scopeModes = ["full", "send_only", "alerts_only", "restricted"] as const;
const scopes = z.array(z.string()).meta({
  description: `Scopes of a \`restricted\` key, as \`resource.verb\` or \`resource.*\`. ${Object.entries(
    scopesOfKind,
  )
    .map(([of, names]) => `\`${of}\`: ${names.map((name) => `\`${name}\``).join(", ")}`)
    .join("; ")}.`,
  examples: [["email.send"]],
});
const senders = z.array(z.string()).meta({
  description: "Sender addresses or domains that it may use; empty: all of the account's.",
  examples: [["example.com"]],
});
const allowedAddresses = z.array(z.string()).meta({
  description: "IP addresses or CIDR ranges that may use it; empty: all.",
  examples: [["192.0.2.0/24"]],
});

export const key = z
  .object({
    id: z.string().meta({ description: "Names the key.", examples: ["key_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    account_id: accountId,
    name,
    kind,
    prefix: z
      .string()
      .meta({ description: "How the key begins: enough to recognise it.", examples: ["hm_live_a1b2c3d4"] }),
    scope_mode: scopeMode,
    scopes,
    senders,
    allowed_addresses: allowedAddresses,
    created_at: moment("When it was made."),
    last_used_at: moment("When it was last used; missing: never. Written within ten seconds.").optional(),
    last_used_from: z
      .string()
      .meta({ description: "The IP address that it was last used from; empty: never." }),
    last_used_by: z
      .string()
      .meta({ description: "`http`, `smtp` or `grpc`; empty: never.", examples: ["http"] }),
    unused: z.boolean().meta({ description: "It could be used, and was not for 30 days: is it needed?" }),
    revoked_at: moment("Since then it opens nothing.").optional(),
    expires_at: moment("From then on it opens nothing; missing: it does not end by itself.").optional(),
    superseded_at: moment("When another key took its place.").optional(),
    workspace_id: workspaceId.optional().meta({
      description:
        "Of a deliverability key: the workspace that it opens; missing: the first one of the account, for a key of an earlier release.",
    }),
    revision,
    state: z.string().meta({
      description:
        "`active`; `unused`: valid, and not used for 30 days; `replaced`: another key took its place, and it goes on until its end; `expired` or `revoked`: it opens nothing.",
      enum: [...states],
      examples: ["active"],
    }),
  })
  .meta({ id: "Key", description: "A key, without its secret." });

const count = (description: string) => z.int().meta({ description });

export const keyUses = z
  .object({
    day: z.string().meta({ description: "The day, UTC.", examples: ["2026-11-22"] }),
    http: count("Requests to the HTTP API."),
    smtp: count("Messages to the SMTP relay."),
    grpc: count("Calls of services that speak for no other client."),
  })
  .meta({ id: "KeyUses", description: "How often a key was used on one day." });

const secret = z.string().meta({
  description: "The key itself: shown here and never again.",
  examples: ["hm_live_…"],
});
const smtpPassword = z.string().meta({
  description: "For `smtp`, the password that goes with it: shown here and never again; otherwise empty.",
});

const newKey = z
  .object({ key, secret, password: smtpPassword })
  .meta({ id: "NewKey", description: "A key, with its secret." });

const rotatedKey = z
  .object({ key, secret, password: smtpPassword, former: key })
  .meta({ id: "RotatedKey", description: "A key in the place of another one." });

const pathParams = z.object({
  key_id: z.string().meta({ description: "The key's id or its prefix." }),
});

export const keys = c.router({
  listKeys: {
    method: "GET",
    path: "/api/keys",
    summary: "List keys",
    description:
      "API keys and SMTP credentials, oldest first, those that have ended or are revoked too. With `state` or `query` a page reads up to 2,000 keys: it may have fewer than `limit`, or none, and yet a next one.",
    query: pageQuery.extend({
      kind: z.enum(kinds).optional().meta({ description: "Only keys of this kind; missing: all." }),
      state: z.enum(states).optional().meta({ description: "Only keys in this state; missing: in any." }),
      query: z
        .string()
        .max(200)
        .optional()
        .meta({
          description:
            "Only keys whose name holds this text, or whose id or prefix begins with it. Upper and lower case are equal. Never send a secret here: its prefix finds the key.",
          examples: ["shop"],
        }),
    }),
    ...reading({
      access: "keys.read",
      faults: ["request.validation_failed"],
      success: { 200: page("KeyList", key) },
    }),
  },
  getKey: {
    method: "GET",
    path: "/api/keys/:key_id",
    pathParams,
    summary: "See a key",
    description: "Its secret is not shown again.",
    ...reading({ access: "keys.read", faults: ["key.unknown"], success: { 200: key } }),
  },
  listKeyUses: {
    method: "GET",
    path: "/api/keys/:key_id/uses",
    pathParams,
    summary: "See how often a key was used",
    description:
      "Requests and messages that came with it, day by day (UTC), the latest first; days without a use are left out.",
    query: z.strictObject({
      days: z.coerce
        .number()
        .int()
        .min(1)
        .max(90)
        .optional()
        .meta({ description: "Today and the days before: 1 to 90 (30)." }),
    }),
    ...reading({
      access: "keys.read",
      faults: ["key.unknown", "request.validation_failed"],
      success: {
        200: z.object({ data: z.array(keyUses) }).meta({ id: "KeyUsesList", description: "Days." }),
      },
    }),
  },
  createKey: {
    method: "POST",
    path: "/api/keys",
    summary: "Make a key",
    description:
      "Its secret is in the answer and nowhere else. A key cannot hold a scope that the role of its maker does not include.",
    body: z
      .strictObject({
        name,
        kind: kind.meta({ ...kind.meta(), enum: [...kinds] }).optional(),
        scope_mode: scopeMode.meta({ ...scopeMode.meta(), enum: [...scopeModes] }).optional(),
        scopes: scopes.optional(),
        senders: senders.optional(),
        allowed_addresses: allowedAddresses.optional(),
        expires_at: moment(
          "When it ends by itself, ahead; missing: never.",
          "2126-11-22T09:30:00Z",
        ).optional(),
        workspace_id: workspaceId.optional().meta({
          description:
            "Of a deliverability key alone: the workspace that it opens; missing: the first one of the account.",
        }),
      })
      .meta({ id: "CreateKeyRequest" }),
    ...changing({
      access: "keys.write",
      faults: ["key.grant_exceeded", "auth.reauthentication_required"],
      success: { 201: newKey },
    }),
  },
  renameKey: {
    method: "PATCH",
    path: "/api/keys/:key_id",
    pathParams,
    summary: "Rename a key",
    description: "Names are for people: nothing depends on them.",
    body: z.strictObject({ name, if_revision: ifRevision }).meta({ id: "RenameKeyRequest" }),
    ...changing({ access: "keys.write", faults: ["key.unknown", "resource.stale"], success: { 200: key } }),
  },
  replaceKeyAccess: {
    method: "PUT",
    path: "/api/keys/:key_id/access",
    pathParams,
    summary: "Replace what a key may do",
    description:
      "Replaces scopes, senders, addresses and end of a key that is neither revoked nor expired, all of them at once; secret, prefix and name stay. Takes effect within five seconds everywhere, open SMTP sessions included. Mail that the key handed in before is still sent, scheduled mail too: to stop it, cancel messages by the filter `key_id`. With senders, a key reads only messages that it sent itself. A key cannot be given a scope that the role of the member does not include.",
    body: z
      .strictObject({
        scope_mode: scopeMode.meta({ ...scopeMode.meta(), enum: [...scopeModes] }),
        scopes: scopes.optional(),
        senders,
        allowed_addresses: allowedAddresses,
        expires_at: moment(
          "Time of its end, ahead; null: it does not end by itself. The end of a replaced key is at most 30 days after its replacement.",
          "2126-11-22T09:30:00Z",
        ).nullable(),
        if_revision: ifRevision,
      })
      .meta({ id: "ReplaceKeyAccessRequest" }),
    ...changing({
      access: "keys.write",
      faults: [
        "key.unknown",
        "key.not_active",
        "key.grant_exceeded",
        "auth.reauthentication_required",
        "resource.stale",
      ],
      success: { 200: key },
    }),
  },
  rotateKey: {
    method: "POST",
    path: "/api/keys/:key_id/rotate",
    pathParams,
    summary: "Replace a key",
    description:
      "Makes a key with the same name, scopes, senders, addresses and workspace. The former one goes on for the overlap, so that nothing stops while programs are given the new one.",
    body: z
      .strictObject({
        overlap_seconds: z.int().min(0).max(2_592_000).optional().meta({
          description: "How long the former key goes on: up to 30 days; 0: it ends at once (86,400).",
        }),
      })
      .meta({ id: "RotateKeyRequest" }),
    ...changing({
      access: "keys.write",
      faults: ["key.unknown", "key.not_active", "key.grant_exceeded", "auth.reauthentication_required"],
      success: { 201: rotatedKey },
    }),
  },
  revokeKey: {
    method: "POST",
    path: "/api/keys/:key_id/revoke",
    pathParams,
    summary: "Revoke a key",
    description: "For good, and within five seconds everywhere, open SMTP sessions included.",
    body: c.noBody(),
    ...changing({ access: "keys.write", faults: ["key.unknown"], success: { 200: key } }),
  },
});
