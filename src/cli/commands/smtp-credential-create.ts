import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { collect } from "../input/collect.ts";
import { printable } from "../output/printable.ts";
import { keyJson } from "../resources/key.ts";
import type { Surroundings } from "../surroundings.ts";

interface Options {
  readonly name?: string;
  readonly sender?: readonly string[];
  readonly allowAddress?: readonly string[];
}

/** `hermod smtp-credential create`: user name and password go to standard output, a line each. */
export function smtpCredentialCreate(parent: Command, surroundings: Surroundings): void {
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
