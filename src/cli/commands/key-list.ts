import type { Command } from "commander";
import { allKeys } from "../all-pages.ts";
import { coreCommand } from "../core-command.ts";
import { listJson } from "../output/list-json.ts";
import { printable } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { plainTime } from "../output/time.ts";
import { describeScope, keyJson } from "../resources/key.ts";
import type { Surroundings } from "../surroundings.ts";

const heading = ["ID", "KIND", "NAME", "BEGINS WITH", "SCOPE", "CREATED", "LAST USED", "STATUS"];

/** `hermod key list`: never any secret. */
export function keyList(parent: Command, surroundings: Surroundings): void {
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
