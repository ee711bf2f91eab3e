import type { Command } from "commander";
import { newSecretKey, parseSecretKey } from "../../shared/secret-keys.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod secrets new-key`: asks nobody, so that there is a key before there is a core. The key alone is the output. */
export function secretsNewKey(parent: Command, { out, err }: Surroundings): void {
  const command = parent
    .command("new-key")
    .description("Make a key for HERMOD_SECRET_KEYS.")
    .option("--json", "write JSON, for programs")
    .action(() => {
      const key = newSecretKey();
      const id = parseSecretKey(key)?.id;
      if (command.opts<{ json?: boolean }>().json) {
        out.write(`${JSON.stringify({ key, id }, null, 2)}\n`);
        return;
      }
      out.write(`${key}\n`);
      err.write(
        `Messages of Hermod call it ${id}. Keep a copy in a safe place: nobody can decrypt the secrets without it.\n`,
      );
    });
}
