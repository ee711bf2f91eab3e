import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import { type Key, KeySchema, KeyUsesSchema } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { type CommandOption, commandGroup } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, readLimit, readMoment, readSpan, withoutEmpty } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { messageJson } from "./output/json.ts";
import type { Paint } from "./output/paint.ts";
import { table } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";
import { required, showCommand } from "./show-command.ts";

/** `hermod key` */
export const keys = commandGroup("key", "API keys and SMTP sending keys.", () => [
  keyCreate,
  keyList,
  keyUses,
  keyRename,
  keyEdit,
  keyRotate,
  keyRevoke,
]);

const KEY = ["<key>", "id or prefix of the key, as shown by key list"] as const;

interface Options {
  readonly kind: string;
  readonly name?: string;
  readonly scopeMode: string;
  readonly scope?: readonly string[];
  readonly sender?: readonly string[];
  readonly allowAddress?: readonly string[];
  readonly expires?: Date;
  readonly workspace?: string;
}

interface Secrets {
  readonly secret: string;
  /** Empty when the key has no password. */
  readonly password: string;
}

const secretsJson = ({ secret, password }: Secrets) => ({ secret, ...(password !== "" && { password }) });

const secretsText = ({ secret, password }: Secrets) => (password === "" ? secret : `${secret}\n${password}`);

/**
 * `hermod key create`: writes only the secret to standard output, so that a script can read it; for a sending key
 * also its password.
 */
const keyCreate = showCommand({
  name: "create",
  description: "Create a key and show its secret once.",
  options: [
    new Option("--kind <kind>", "kind of the key")
      .choices(["account", "deliverability", "smtp"])
      .default("account"),
    ["--name <name>", "name of the key"],
    new Option("--scope-mode <mode>", "permissions of the key")
      .choices(["full", "send_only", "alerts_only", "restricted"])
      .default("full"),
    ["--scope <resource.verb>", "scope of a restricted key; repeatable", collect],
    ["--sender <sender>", "address or domain that the key may send from; repeatable", collect],
    ["--allow-address <address>", "IP address or CIDR range that may use the key; repeatable", collect],
    ["--workspace <id>", "workspace of a deliverability key (default: the first workspace)"],
    ["--expires <moment>", "time at which the key expires, for example 2030-01-02T09:00:00Z", readMoment],
  ],
  call: ({ core, account }, options: Options) =>
    core.keys.createKey({
      accountId: account,
      kind: options.kind,
      name: options.name ?? "",
      scopeMode: options.scopeMode,
      scopes: [...(options.scope ?? [])],
      senders: [...(options.sender ?? [])],
      allowedAddresses: [...(options.allowAddress ?? [])],
      workspaceId: options.workspace ?? "",
      ...(options.expires && { expiresAt: timestampFromDate(options.expires) }),
    }),
  of: "key",
  schema: KeySchema,
  also: (answer) => secretsJson(answer),
  text: (_key, { answer }) => secretsText(answer),
  note: ({ id, kind, name }) => {
    const named = name === "" ? "" : ` "${printable(name)}"`;
    return `Created the ${kind} key${named} (${id}). The secret is not shown again: keep it in a safe place.`;
  },
});

/** Filters of a list of keys. */
export const KEY_FILTERS: readonly CommandOption[] = [
  new Option("--state <state>", "only keys in this state").choices([
    "active",
    "unused",
    "replaced",
    "expired",
    "revoked",
  ]),
  ["--query <text>", "only keys with this text in the name, or with an id or prefix that begins with it"],
];

export interface KeyFilters {
  readonly state?: string;
  readonly query?: string;
}

/** `hermod key list`: without secrets. */
const keyList = listCommand({
  description: "List the keys of an account, including revoked keys.",
  options: [
    new Option("--kind <kind>", "only keys of this kind").choices(["account", "deliverability", "smtp"]),
    ...KEY_FILTERS,
  ],
  call: (
    { core, account, page },
    { kind = "", state = "", query = "" }: KeyFilters & { readonly kind?: string },
  ) => core.keys.listKeys({ accountId: account, ...page, kind, state, query }),
  of: "keys",
  schema: KeySchema,
  columns: [
    ["ID", ({ id }) => id],
    ["KIND", ({ kind }) => kind],
    ["NAME", ({ name }) => printable(name) || "-"],
    ["BEGINS WITH", ({ prefix }) => prefix],
    ["SCOPE", (key) => printable(describeScope(key))],
    ["CREATED", ({ createdAt }) => plainTime(createdAt)],
    ["LAST USED", ({ lastUsedAt }) => plainTime(lastUsedAt) || "never"],
    ["STATUS", statusOf],
  ],
  none: "There are no keys. Create one with `hermod key create`.",
});

/** `hermod key uses`: by day (UTC). */
const keyUses = showCommand({
  name: "uses",
  description: "Show the uses of a key per day, and its last use.",
  arguments: [KEY],
  options: [["--days <number>", "number of days up to today, 1 to 90", readLimit, 30]],
  call: async ({ core, account, args: [id = ""] }, { days }: { days: number }) => {
    const named = { accountId: account, key: id };
    const { key } = await core.keys.getKey(named);
    return { key, uses: (await core.keys.listKeyUses({ ...named, days })).days };
  },
  of: "key",
  schema: KeySchema,
  also: ({ uses }) => ({ uses: uses.map((day) => messageJson(KeyUsesSchema, day)) }),
  text: (_key, { paint, answer: { uses }, options: { days } }) => {
    const rows = uses.map(({ day, http, smtp, grpc }) => [day, http, smtp, grpc].map(String));
    return table(paint, ["DAY", "HTTP", "SMTP", "GRPC"], rows, `No uses in ${days} days.`);
  },
  note: ({ lastUsedAt, lastUsedBy, lastUsedFrom }) => {
    if (!lastUsedAt) return "The key has not been used yet.";
    const from = printable(lastUsedFrom) || "an unknown address";
    return `Last used at ${plainTime(lastUsedAt)} by ${lastUsedBy || "an earlier release"} from ${from}.`;
  },
});

/** `hermod key rename` */
const keyRename = showCommand({
  name: "rename",
  description: "Rename a key.",
  arguments: [KEY, ["<name>", "the new name"]],
  options: [IF_REVISION],
  call: ({ core, account, args: [key = "", name = ""] }, options: OnRevision) =>
    core.keys.renameKey({ accountId: account, key, name, ...options }),
  of: "key",
  schema: KeySchema,
  text: ({ id, name }) => `Renamed the key ${id} to "${printable(name)}".`,
});

interface EditOptions extends OnRevision {
  readonly scopeMode?: string;
  readonly scope?: readonly string[];
  readonly sender?: readonly string[];
  readonly allowAddress?: readonly string[];
  readonly expires?: Date | "never";
}

/** `hermod key edit`: settings without an option stay. */
const keyEdit = showCommand({
  name: "edit",
  description: "Change the permissions of a key. Mail that it has already submitted is still sent.",
  arguments: [KEY],
  options: [
    new Option("--scope-mode <mode>", "permissions of the key").choices([
      "full",
      "send_only",
      "alerts_only",
      "restricted",
    ]),
    [
      "--scope <resource.verb>",
      "scope of a restricted key, replaces the present scopes; repeatable",
      collect,
    ],
    ["--sender <sender>", 'address or domain, replaces the present senders; "": all; repeatable', collect],
    [
      "--allow-address <address>",
      'IP address or CIDR range, replaces the present ranges; "": all; repeatable',
      collect,
    ],
    [
      "--expires <moment>",
      "time at which the key expires, for example 2030-01-02T09:00:00Z, or never",
      (text: string) => (text === "never" ? text : readMoment(text)),
    ],
    IF_REVISION,
  ],
  call: async ({ core, account, args: [id = ""] }, options: EditOptions) => {
    const named = { accountId: account, key: id };
    const { key } = await core.keys.getKey(named);
    const { scopeMode, scopes, senders, allowedAddresses, expiresAt, revision } = required(key, "key");
    const mode = options.scopeMode ?? scopeMode;
    const end =
      options.expires === "never"
        ? undefined
        : options.expires
          ? timestampFromDate(options.expires)
          : expiresAt;
    return core.keys.replaceKeyAccess({
      ...named,
      scopeMode: mode,
      scopes: [...(options.scope ?? (mode === "restricted" ? scopes : []))],
      senders: withoutEmpty(options.sender) ?? senders,
      allowedAddresses: withoutEmpty(options.allowAddress) ?? allowedAddresses,
      // A change between the two calls is not overwritten.
      ifRevision: options.ifRevision ?? revision,
      ...(end && { expiresAt: end }),
    });
  },
  of: "key",
  schema: KeySchema,
  text: (key) =>
    `Changed the key ${key.id}: ${printable(describeScope(key))}, senders ${allOr(key.senders)}, addresses ${allOr(key.allowedAddresses)}, expires ${plainTime(key.expiresAt) || "never"}.`,
});

const allOr = (values: readonly string[]) => (values.length === 0 ? "all" : printable(values.join(", ")));

/** `hermod key rotate`: writes only the new secret to standard output, like `key create`. */
const keyRotate = showCommand({
  name: "rotate",
  description: "Replace a key with a new one and show its secret once.",
  arguments: [KEY],
  options: [
    ["--overlap <span>", "how long the former key stays valid, for example 30m, 24h or 7d", readSpan, 0],
  ],
  call: ({ core, account, args: [key = ""] }, { overlap }: { overlap: number }) =>
    core.keys.rotateKey({ accountId: account, key, overlapSeconds: overlap }),
  of: "key",
  schema: KeySchema,
  also: (answer) => ({ ...secretsJson(answer), former: messageJson(KeySchema, answer.former) }),
  text: (_key, { answer }) => secretsText(answer),
  note: ({ id }, { answer: { former } }) =>
    `Created ${id} to replace ${former?.id}, which expires at ${plainTime(former?.expiresAt)}. The secret is not shown again.`,
});

/** `hermod key revoke`: permanently. */
const keyRevoke = showCommand({
  name: "revoke",
  description: "Revoke a key permanently.",
  arguments: [KEY],
  call: ({ core, account, args: [key = ""] }) => core.keys.revokeKey({ accountId: account, key }),
  of: "key",
  schema: KeySchema,
  text: ({ id, kind, prefix, revokedAt }) =>
    `Revoked the ${kind} key ${id} (${prefix}…) at ${plainTime(revokedAt)}.`,
});

/** State of a key today, in a few words. */
function statusOf({ unused, revokedAt, expiresAt, supersededAt }: Key, paint: Paint): string {
  const now = Date.now();
  if (revokedAt) return paint("red", "revoked");
  const end = expiresAt && timestampDate(expiresAt);
  if (end && end.getTime() <= now) return paint("red", supersededAt ? "rotated" : "expired");
  if (end) return paint("yellow", `${supersededAt ? "rotated, " : ""}expires ${plainTime(expiresAt)}`);
  if (unused) return paint("yellow", "unused for 30 days");
  return paint("green", "active");
}

/** The scope mode, and its scopes if it has a list. */
function describeScope({ scopeMode, scopes }: Key): string {
  return scopes.length === 0 ? scopeMode : `${scopeMode}: ${scopes.join(", ")}`;
}
