import { type Command, Option } from "commander";
import type { Key } from "../../gen/hermod/access/v1/key_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allKeys } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { collect } from "./input/read-options.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod key` */
export function keys(program: Command, surroundings: Surroundings): void {
  const group = program.command("key").description("API keys and SMTP sending keys.");
  keyCreate(group, surroundings);
  keyList(group, surroundings);
  keyRevoke(group, surroundings);
}

interface Options {
  readonly kind: string;
  readonly name?: string;
  readonly scopeMode: string;
  readonly scope?: readonly string[];
  readonly sender?: readonly string[];
  readonly allowAddress?: readonly string[];
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
    .option("--allow-address <address>", "an IP address or CIDR range that may use it; repeatable", collect);

  coreCommand<Options>(surroundings, command, async ({ core, account }, options) => {
    const { key, secret, password } = await core.keys.createKey({
      accountId: account,
      kind: options.kind,
      name: options.name ?? "",
      scopeMode: options.scopeMode,
      scopes: [...(options.scope ?? [])],
      senders: [...(options.sender ?? [])],
      allowedAddresses: [...(options.allowAddress ?? [])],
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
      key.revokedAt ? paint("red", "revoked") : paint("green", "active"),
    ]);
    return {
      json: listJson(keys.map(keyJson)),
      text: () => table(paint, heading, rows, "There are no keys. Make one with `hermod key create`."),
    };
  });
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
    revoked_at: isoTime(key.revokedAt),
  };
}

/** The scope mode, with its list where it has one. */
function describeScope({ scopeMode, scopes }: Key): string {
  return scopes.length === 0 ? scopeMode : `${scopeMode}: ${scopes.join(", ")}`;
}

export function isSmtpCredential({ kind }: Key): boolean {
  return kind === "smtp";
}
