import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import { type Key, KeySchema, KeyUsesSchema } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, readLimit, readMoment, readSpan } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { messageJson } from "./output/json.ts";
import type { Paint } from "./output/paint.ts";
import { table } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod key` */
export const keys = commandGroup("key", "API keys and SMTP sending keys.", () => [
  keyCreate,
  keyList,
  keyUses,
  keyRename,
  keyRotate,
  keyRevoke,
]);

const KEY = ["<key>", "the key's id or its prefix, as key list shows them"] as const;

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
  /** Empty: the key has none. */
  readonly password: string;
}

const secretsJson = ({ secret, password }: Secrets) => ({ secret, ...(password !== "" && { password }) });

const secretsText = ({ secret, password }: Secrets) => (password === "" ? secret : `${secret}\n${password}`);

/**
 * `hermod key create`: the secret alone goes to standard output, so that a script can take it from there; that of a
 * sending key is followed by its password.
 */
const keyCreate = showCommand({
  name: "create",
  description: "Make a key and show its secret, once.",
  options: [
    new Option("--kind <kind>", "what the key is for")
      .choices(["account", "deliverability", "smtp"])
      .default("account"),
    ["--name <name>", "a name to recognise it by"],
    new Option("--scope-mode <mode>", "what it may do")
      .choices(["full", "send_only", "alerts_only", "restricted"])
      .default("full"),
    ["--scope <resource.verb>", "a scope of a restricted key; repeatable", collect],
    ["--sender <sender>", "an address or domain that it may send from; repeatable", collect],
    ["--allow-address <address>", "an IP address or CIDR range that may use it; repeatable", collect],
    ["--workspace <id>", "what a deliverability key opens; missing: the first workspace"],
    ["--expires <moment>", "when it ends by itself, as 2030-01-02T09:00:00Z", readMoment],
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
    return `Made the ${kind} key${named} (${id}). It is not shown again: keep it in a safe place.`;
  },
});

/** `hermod key list`: never any secret. */
const keyList = listCommand({
  description: "List the keys of an account, revoked ones too.",
  call: ({ core, account, page }) => core.keys.listKeys({ accountId: account, ...page }),
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
  none: "There are no keys. Make one with `hermod key create`.",
});

/** `hermod key uses`: by day (UTC). */
const keyUses = showCommand({
  name: "uses",
  description: "Show how often a key was used, day by day, and from where last.",
  arguments: [KEY],
  options: [["--days <number>", "today and the days before: 1 to 90", readLimit, 30]],
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
    if (!lastUsedAt) return "It was not used yet.";
    const from = printable(lastUsedFrom) || "an unknown address";
    return `Last used at ${plainTime(lastUsedAt)} by ${lastUsedBy || "a former release"} from ${from}.`;
  },
});

/** `hermod key rename` */
const keyRename = showCommand({
  name: "rename",
  description: "Give a key another name.",
  arguments: [KEY, ["<name>", "the new name"]],
  options: [IF_REVISION],
  call: ({ core, account, args: [key = "", name = ""] }, options: OnRevision) =>
    core.keys.renameKey({ accountId: account, key, name, ...options }),
  of: "key",
  schema: KeySchema,
  text: ({ id, name }) => `The key ${id} is called "${printable(name)}" now.`,
});

/** `hermod key rotate`: as `key create`, the new secret alone goes to standard output. */
const keyRotate = showCommand({
  name: "rotate",
  description: "Make a key in the place of another one and show its secret, once.",
  arguments: [KEY],
  options: [["--overlap <span>", "how long the former key goes on, as 30m, 24h or 7d", readSpan, 0]],
  call: ({ core, account, args: [key = ""] }, { overlap }: { overlap: number }) =>
    core.keys.rotateKey({ accountId: account, key, overlapSeconds: overlap }),
  of: "key",
  schema: KeySchema,
  also: (answer) => ({ ...secretsJson(answer), former: messageJson(KeySchema, answer.former) }),
  text: (_key, { answer }) => secretsText(answer),
  note: ({ id }, { answer: { former } }) =>
    `Made ${id} in the place of ${former?.id}, which ends at ${plainTime(former?.expiresAt)}. It is not shown again.`,
});

/** `hermod key revoke`: for good. */
const keyRevoke = showCommand({
  name: "revoke",
  description: "Make a key invalid, for good.",
  arguments: [KEY],
  call: ({ core, account, args: [key = ""] }) => core.keys.revokeKey({ accountId: account, key }),
  of: "key",
  schema: KeySchema,
  text: ({ id, kind, prefix, revokedAt }) =>
    `Revoked the ${kind} key ${id} (${prefix}…) at ${plainTime(revokedAt)}.`,
});

/** Whether a key can be used today, in a few words. */
function statusOf({ unused, revokedAt, expiresAt, supersededAt }: Key, paint: Paint): string {
  const now = Date.now();
  if (revokedAt) return paint("red", "revoked");
  const end = expiresAt && timestampDate(expiresAt);
  if (end && end.getTime() <= now) return paint("red", supersededAt ? "rotated" : "ended");
  if (end) return paint("yellow", `${supersededAt ? "rotated, " : ""}ends ${plainTime(expiresAt)}`);
  if (unused) return paint("yellow", "unused for 30 days");
  return paint("green", "active");
}

/** The scope mode, with its list where it has one. */
function describeScope({ scopeMode, scopes }: Key): string {
  return scopes.length === 0 ? scopeMode : `${scopeMode}: ${scopes.join(", ")}`;
}
