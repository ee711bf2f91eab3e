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
  .meta({ description: "Name for people, up to 100 characters.", maxLength: 100, examples: ["Shop"] });
const kind = z.string().meta({
  description:
    "`account` (sends mail and alerts), `deliverability` (Deliverability Intel) or `smtp` (sends through the SMTP relay).",
  examples: ["account"],
});
const scopeMode = z.string().meta({
  description:
    "`full`: all operations of its kind; `send_only`: sends, and reads the messages that it has sent; `alerts_only`: ingests alerts; `restricted`: the operations in `scopes`. A `deliverability` key is `full` or `restricted`; an `smtp` key is not `alerts_only`.",
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
  description: "Sender addresses or domains that the key may use. Empty: all senders of the account.",
  examples: [["example.com"]],
});
const allowedAddresses = z.array(z.string()).meta({
  description: "IP addresses or CIDR ranges that may use the key. Empty: all.",
  examples: [["192.0.2.0/24"]],
});

export const key = z
  .object({
    id: z.string().meta({ description: "Id of the key.", examples: ["key_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    account_id: accountId,
    name,
    kind,
    prefix: z
      .string()
      .meta({ description: "First characters of the key, to recognize it.", examples: ["hm_live_a1b2c3d4"] }),
    scope_mode: scopeMode,
    scopes,
    senders,
    allowed_addresses: allowedAddresses,
    created_at: moment("Time when the key was created."),
    last_used_at: moment("Time of the last use, updated within ten seconds. Missing: never used.").optional(),
    last_used_from: z.string().meta({ description: "IP address of the last use; empty if never used." }),
    last_used_by: z.string().meta({
      description: "Interface of the last use: `http`, `smtp` or `grpc`; empty if never used.",
      examples: ["http"],
    }),
    unused: z.boolean().meta({ description: "Whether the key is valid and has not been used for 30 days." }),
    revoked_at: moment("Time when the key was revoked. Missing if it was not.").optional(),
    expires_at: moment("Time when the key expires. Missing: it does not expire.").optional(),
    superseded_at: moment("Time when another key replaced it. Missing if none did.").optional(),
    workspace_id: workspaceId.optional().meta({
      description:
        "Workspace of a deliverability key. Missing for a key of an earlier release: the first workspace of the account.",
    }),
    revision,
    state: z.string().meta({
      description:
        "`active`; `unused`: valid, and not used for 30 days; `replaced`: another key replaced it, and it works until it expires; `expired` or `revoked`: it no longer works.",
      enum: [...states],
      examples: ["active"],
    }),
  })
  .meta({ id: "Key", description: "A key without its secret." });

const count = (description: string) => z.int().meta({ description });

export const keyUses = z
  .object({
    day: z.string().meta({ description: "Day, in UTC.", examples: ["2026-11-22"] }),
    http: count("Number of requests to the HTTP API."),
    smtp: count("Number of messages to the SMTP relay."),
    grpc: count("Number of gRPC calls with the key, by services that act for themselves."),
  })
  .meta({ id: "KeyUses", description: "Use of a key on one day." });

const secret = z.string().meta({
  description: "Secret key. It is shown only once.",
  examples: ["hm_live_…"],
});
const smtpPassword = z.string().meta({
  description: "Password of an `smtp` key. It is shown only once. Empty for other kinds.",
});

const newKey = z
  .object({ key, secret, password: smtpPassword })
  .meta({ id: "NewKey", description: "A key with its secret." });

const rotatedKey = z
  .object({ key, secret, password: smtpPassword, former: key })
  .meta({ id: "RotatedKey", description: "A new key that replaces another key." });

const pathParams = z.object({
  key_id: z.string().meta({ description: "Id or prefix of the key." }),
});

export const keys = c.router({
  listKeys: {
    method: "GET",
    path: "/api/keys",
    summary: "List keys",
    description:
      "Lists API keys and SMTP credentials, oldest first, including expired and revoked keys. With `state` or `query`, a page reads up to 2,000 keys: it can have fewer than `limit` entries, or none, although another page follows.",
    query: pageQuery.extend({
      kind: z.enum(kinds).optional().meta({ description: "Only keys of this kind. Missing: all." }),
      state: z.enum(states).optional().meta({ description: "Only keys in this state. Missing: all." }),
      query: z
        .string()
        .max(200)
        .optional()
        .meta({
          description:
            "Only keys with this text in the name, or at the beginning of the id or prefix. Not case-sensitive. Never send a secret here: its prefix is enough to find the key.",
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
    summary: "Get a key",
    description: "Returns a key without its secret.",
    ...reading({ access: "keys.read", faults: ["key.unknown"], success: { 200: key } }),
  },
  listKeyUses: {
    method: "GET",
    path: "/api/keys/:key_id/uses",
    pathParams,
    summary: "List the daily use of a key",
    description:
      "Lists the numbers of requests and messages with the key for each day (UTC), newest first. Days without use are omitted.",
    query: z.strictObject({
      days: z.coerce
        .number()
        .int()
        .min(1)
        .max(90)
        .optional()
        .meta({ description: "Number of days up to today: 1 to 90. Default: 30." }),
    }),
    ...reading({
      access: "keys.read",
      faults: ["key.unknown", "request.validation_failed"],
      success: {
        200: z
          .object({ data: z.array(keyUses) })
          .meta({ id: "KeyUsesList", description: "Use of a key, by day." }),
      },
    }),
  },
  createKey: {
    method: "POST",
    path: "/api/keys",
    summary: "Create a key",
    description:
      "Creates a key. Only this response contains its secret. A key cannot have a scope that the role of its creator does not include.",
    body: z
      .strictObject({
        name,
        kind: kind.meta({ ...kind.meta(), enum: [...kinds] }).optional(),
        scope_mode: scopeMode.meta({ ...scopeMode.meta(), enum: [...scopeModes] }).optional(),
        scopes: scopes.optional(),
        senders: senders.optional(),
        allowed_addresses: allowedAddresses.optional(),
        expires_at: moment(
          "Time when the key expires. It must be in the future. Missing: the key does not expire.",
          "2126-11-22T09:30:00Z",
        ).optional(),
        workspace_id: workspaceId.optional().meta({
          description:
            "Workspace of a deliverability key; not allowed for other kinds. Missing: the first workspace of the account.",
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
    description: "Changes the display name. No behavior depends on it.",
    body: z.strictObject({ name, if_revision: ifRevision }).meta({ id: "RenameKeyRequest" }),
    ...changing({ access: "keys.write", faults: ["key.unknown", "resource.stale"], success: { 200: key } }),
  },
  replaceKeyAccess: {
    method: "PUT",
    path: "/api/keys/:key_id/access",
    pathParams,
    summary: "Replace the access of a key",
    description:
      "Replaces the scopes, senders, addresses and expiry of a key that is neither revoked nor expired, all at once. Secret, prefix and name stay. The change takes effect everywhere within five seconds, including open SMTP sessions. Mail that the key submitted before is still sent, including scheduled mail. To stop it, cancel messages with the filter `key_id`. A key with `senders` reads only messages that it sent itself. A key cannot get a scope that the role of the member does not include.",
    body: z
      .strictObject({
        scope_mode: scopeMode.meta({ ...scopeMode.meta(), enum: [...scopeModes] }),
        scopes: scopes.optional(),
        senders,
        allowed_addresses: allowedAddresses,
        expires_at: moment(
          "Time when the key expires. It must be in the future. `null`: the key does not expire. A replaced key expires at most 30 days after its replacement.",
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
    summary: "Rotate a key",
    description:
      "Creates a key with the same name, scopes, senders, addresses and workspace. The former key works during the overlap, so that programs can switch to the new key without interruption.",
    body: z
      .strictObject({
        overlap_seconds: z.int().min(0).max(2_592_000).optional().meta({
          description:
            "Seconds for which the former key still works: up to 30 days. 0: it expires at once. Default: 86,400.",
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
    description:
      "Revokes a key permanently. The change takes effect everywhere within five seconds, including open SMTP sessions.",
    body: c.noBody(),
    ...changing({ access: "keys.write", faults: ["key.unknown"], success: { 200: key } }),
  },
});
