import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { allKeys } from "../all-pages.ts";
import { coreCommand } from "../core-command.ts";
import { printable } from "../output/printable.ts";
import { plainTime } from "../output/time.ts";
import { isSmtpCredential, keyJson } from "../resources/key.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod smtp-credential revoke`: for good, and for sessions that are open, too. */
export function smtpCredentialRevoke(parent: Command, surroundings: Surroundings): void {
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
