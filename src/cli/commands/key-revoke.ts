import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { plainTime } from "../output/time.ts";
import { keyJson } from "../resources/key.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod key revoke`: for good. */
export function keyRevoke(parent: Command, surroundings: Surroundings): void {
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
