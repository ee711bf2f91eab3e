import type { Command } from "commander";
import { fault } from "../shared/fault.ts";
import { allKeys } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { collect } from "./input/read-options.ts";
import { isSmtpCredential, keyJson } from "./keys.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod smtp-credential` */
export function smtpCredentials(program: Command, surroundings: Surroundings): void {
  const group = program
    .command("smtp-credential")
    .description("User names and passwords for sending over SMTP.");
  smtpCredentialCreate(group, surroundings);
  smtpCredentialList(group, surroundings);
  smtpCredentialRevoke(group, surroundings);
}

interface Options {
  readonly name?: string;
  readonly sender?: readonly string[];
  readonly allowAddress?: readonly string[];
}

/** `hermod smtp-credential create`: user name and password go to standard output, a line each. */
function smtpCredentialCreate(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("create")
    .description("Make a sending key with its password and show both, once.")
    .option("--name <name>", "a name to recognise it by")
    .option("--sender <sender>", "an address or domain that it may send from; repeatable", collect)
    .option("--allow-address <address>", "an IP address or CIDR range that may use it; repeatable", collect);

  coreCommand<Options>(surroundings, command, async ({ core, account }, options) => {
    const { key, secret, password } = await core.keys.createKey({
      accountId: account,
      kind: "smtp",
      name: options.name ?? "",
      scopeMode: "send_only",
      senders: [...(options.sender ?? [])],
      allowedAddresses: [...(options.allowAddress ?? [])],
    });
    if (!key) throw fault("internal.error", { internal: "the core answered without the key" });
    const name = key.name === "" ? "" : ` "${printable(key.name)}"`;
    return {
      json: { ...keyJson(key), username: secret, password },
      text: () => `username: ${secret}\npassword: ${password}`,
      note: `Made the SMTP credential${name} (${key.id}). It is not shown again: keep it in a safe place.`,
    };
  });
}

const heading = ["ID", "NAME", "USERNAME BEGINS WITH", "SENDERS", "CREATED", "LAST USED", "STATUS"];
const NONE = "There are no SMTP credentials. Make one with `hermod smtp-credential create`.";

/** `hermod smtp-credential list`: never any password. */
function smtpCredentialList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List the SMTP credentials of an account, revoked ones too.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const keys = await allKeys(core, account);
    const credentials = keys.filter(isSmtpCredential);
    const rows = credentials.map((key) => [
      key.id,
      printable(key.name) || "-",
      key.prefix,
      printable(key.senders.join(", ")) || "all",
      plainTime(key.createdAt),
      plainTime(key.lastUsedAt) || "never",
      key.revokedAt ? paint("red", "revoked") : paint("green", "active"),
    ]);
    return { json: listJson(credentials.map(keyJson)), text: () => table(paint, heading, rows, NONE) };
  });
}

/** `hermod smtp-credential revoke`: for good, and for sessions that are open, too. */
function smtpCredentialRevoke(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("revoke")
    .argument("<credential>", "its id or the beginning of its user name, as smtp-credential list shows them")
    .description("Make an SMTP credential invalid, for good.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const keys = await allKeys(core, account);
    const found = keys.filter(isSmtpCredential).find((key) => key.id === id || key.prefix === id);
    if (!found) throw fault("key.unknown", { public: `There is no SMTP credential "${printable(id)}".` });
    const { key } = await core.keys.revokeKey({ accountId: account, key: found.id });
    if (!key) throw fault("internal.error", { internal: "the core answered without the key" });
    return {
      json: keyJson(key),
      text: () => `Revoked the SMTP credential ${key.id} (${key.prefix}…) at ${plainTime(key.revokedAt)}.`,
    };
  });
}
