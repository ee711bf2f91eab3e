import type { Command } from "commander";
import { allKeys } from "../all-pages.ts";
import { coreCommand } from "../core-command.ts";
import { listJson } from "../output/list-json.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { plainTime } from "../output/time.ts";
import { isSmtpCredential, keyJson } from "../resources/key.ts";
import type { Surroundings } from "../surroundings.ts";

const heading = ["ID", "NAME", "USERNAME BEGINS WITH", "SENDERS", "CREATED", "LAST USED", "STATUS"];
const NONE = "There are no SMTP credentials. Make one with `hermod smtp-credential create`.";

/** `hermod smtp-credential list`: never any password. */
export function smtpCredentialList(parent: Command, surroundings: Surroundings): void {
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
