import { type Command, Option } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { collect } from "../input/collect.ts";
import { printable } from "../output/printable.ts";
import { keyJson } from "../resources/key.ts";
import type { Surroundings } from "../surroundings.ts";

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
export function keyCreate(parent: Command, surroundings: Surroundings): void {
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
