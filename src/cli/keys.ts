import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import type { Key } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allKeys } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, readLimit, readMoment, readSpan } from "./input/read-options.ts";
import type { Paint } from "./output/paint.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod key` */
export function keys(program: Command, surroundings: Surroundings): void {
  const group = program.command("key").description("API keys and SMTP sending keys.");
  keyCreate(group, surroundings);
  keyList(group, surroundings);
  keyUses(group, surroundings);
  keyRename(group, surroundings);
  keyRotate(group, surroundings);
  keyRevoke(group, surroundings);
}

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

/**
 * `hermod key create`: the secret alone goes to standard output, so that a script can take it from there; that of a
 * sending key is followed by its password.
 */
function keyCreate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("create")
    .description("Make a key and show its secret, once.")
    .addOption(
      new Option("--kind <kind>", "what the key is for")
        .choices(["account", "deliverability", "smtp"])
        .default("account"),
    )
    .option("--name <name>", "a name to recognise it by")
    .addOption(
      new Option("--scope-mode <mode>", "what it may do")
        .choices(["full", "send_only", "alerts_only", "restricted"])
        .default("full"),
    )
    .option("--scope <resource.verb>", "a scope of a restricted key; repeatable", collect)
    .option("--sender <sender>", "an address or domain that it may send from; repeatable", collect)
    .option("--allow-address <address>", "an IP address or CIDR range that may use it; repeatable", collect)
    .option("--workspace <id>", "what a deliverability key opens; missing: the first workspace")
    .option("--expires <moment>", "when it ends by itself, as 2030-01-02T09:00:00Z", readMoment);

  coreCommand<Options>(surroundings, command, async ({ core, account }, options) => {
    const { key, secret, password } = await core.keys.createKey({
      accountId: account,
      kind: options.kind,
      name: options.name ?? "",
      scopeMode: options.scopeMode,
      scopes: [...(options.scope ?? [])],
      senders: [...(options.sender ?? [])],
      allowedAddresses: [...(options.allowAddress ?? [])],
      workspaceId: options.workspace ?? "",
      ...(options.expires && { expiresAt: timestampFromDate(options.expires) }),
    });
    if (!key) throw fault("internal.error", { internal: "the core answered without the key" });
    const name = key.name === "" ? "" : ` "${printable(key.name)}"`;
    return {
      json: { ...keyJson(key), secret, ...(password !== "" && { password }) },
      text: () => (password === "" ? secret : `${secret}\n${password}`),
      note: `Made the ${key.kind} key${name} (${key.id}). It is not shown again: keep it in a safe place.`,
    };
  });
}

const heading = ["ID", "KIND", "NAME", "BEGINS WITH", "SCOPE", "CREATED", "LAST USED", "STATUS"];

/** `hermod key list`: never any secret. */
function keyList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List the keys of an account, revoked ones too.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const keys = await allKeys(core, account);
    const rows = keys.map((key) => [
      key.id,
      key.kind,
      printable(key.name) || "-",
      key.prefix,
      printable(describeScope(key)),
      plainTime(key.createdAt),
      plainTime(key.lastUsedAt) || "never",
      statusOf(key, paint),
    ]);
    return {
      json: listJson(keys.map(keyJson)),
      text: () => table(paint, heading, rows, "There are no keys. Make one with `hermod key create`."),
    };
  });
}

/** `hermod key uses`: by day (UTC). */
function keyUses(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("uses")
    .argument("<key>", "the key's id or its prefix, as key list shows them")
    .description("Show how often a key was used, day by day, and from where last.")
    .option("--days <number>", "today and the days before: 1 to 90", readLimit, 30);
  coreCommand<{ days: number }>(
    surroundings,
    command,
    async ({ core, account, paint, args: [id = ""] }, { days }) => {
      const named = { accountId: account, key: id };
      const { key } = await core.keys.getKey(named);
      if (!key) throw fault("internal.error", { internal: "the core answered without the key" });
      const uses = await core.keys.listKeyUses({ ...named, days });
      const rows = uses.days.map(({ day, http, smtp, grpc }) => [day, http, smtp, grpc].map(String));
      const from = printable(key.lastUsedFrom) || "an unknown address";
      const last = key.lastUsedAt
        ? `Last used at ${plainTime(key.lastUsedAt)} by ${key.lastUsedBy || "a former release"} from ${from}.`
        : "It was not used yet.";
      return {
        json: {
          ...keyJson(key),
          uses: uses.days.map(({ day, http, smtp, grpc }) => ({ day, http, smtp, grpc })),
        },
        text: () => table(paint, ["DAY", "HTTP", "SMTP", "GRPC"], rows, `No uses in ${days} days.`),
        note: last,
      };
    },
  );
}

/** `hermod key rename` */
function keyRename(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("rename")
    .argument("<key>", "the key's id or its prefix, as key list shows them")
    .argument("<name>", "the new name")
    .description("Give a key another name.")
    .option(...IF_REVISION);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account, args }, options) => {
    const [id = "", name = ""] = args;
    const { key } = await core.keys.renameKey({ accountId: account, key: id, name, ...options });
    if (!key) throw fault("internal.error", { internal: "the core answered without the key" });
    return { json: keyJson(key), text: () => `The key ${key.id} is called "${printable(key.name)}" now.` };
  });
}

/** `hermod key rotate`: as `key create`, the new secret alone goes to standard output. */
function keyRotate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("rotate")
    .argument("<key>", "the key's id or its prefix, as key list shows them")
    .description("Make a key in the place of another one and show its secret, once.")
    .option("--overlap <span>", "how long the former key goes on, as 30m, 24h or 7d", readSpan, 0);
  coreCommand<{ overlap: number }>(
    surroundings,
    command,
    async ({ core, account, args: [id = ""] }, { overlap }) => {
      const request = { accountId: account, key: id, overlapSeconds: overlap };
      const { key, secret, password, former } = await core.keys.rotateKey(request);
      if (!key || !former) throw fault("internal.error", { internal: "the core answered without the key" });
      return {
        json: { ...keyJson(key), secret, ...(password !== "" && { password }), former: keyJson(former) },
        text: () => (password === "" ? secret : `${secret}\n${password}`),
        note: `Made ${key.id} in the place of ${former.id}, which ends at ${plainTime(former.expiresAt)}. It is not shown again.`,
      };
    },
  );
}

/** `hermod key revoke`: for good. */
function keyRevoke(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("revoke")
    .argument("<key>", "the key's id or its prefix, as key list shows them")
    .description("Make a key invalid, for good.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const { key } = await core.keys.revokeKey({ accountId: account, key: id });
    if (!key) throw fault("internal.error", { internal: "the core answered without the key" });
    return {
      json: keyJson(key),
      text: () => `Revoked the ${key.kind} key ${key.id} (${key.prefix}…) at ${plainTime(key.revokedAt)}.`,
    };
  });
}

/** A key as `--json` writes it. */
export function keyJson(key: Key) {
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    kind: key.kind,
    prefix: key.prefix,
    scope_mode: key.scopeMode,
    scopes: key.scopes,
    senders: key.senders,
    allowed_addresses: key.allowedAddresses,
    created_at: isoTime(key.createdAt),
    last_used_at: isoTime(key.lastUsedAt),
    last_used_from: key.lastUsedFrom,
    last_used_by: key.lastUsedBy,
    unused: key.unused,
    revoked_at: isoTime(key.revokedAt),
    expires_at: isoTime(key.expiresAt),
    superseded_at: isoTime(key.supersededAt),
    workspace_id: key.workspaceId ?? null,
    revision: key.revision,
  };
}

/** What a key is good for today, in a few words. */
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

export function isSmtpCredential({ kind }: Key): boolean {
  return kind === "smtp";
}
