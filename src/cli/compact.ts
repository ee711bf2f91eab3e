import type { Command } from "commander";
import { CommandFailed } from "./core-command.ts";
import { createProgress } from "./output/progress.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod compact`: needs no core, and none may run. */
export function compact(program: Command, { compact: run, out, err }: Surroundings): void {
  const command = program
    .command("compact")
    .description("Give back to the disk what the embedded database does not use, while Hermod is stopped.")
    .option("--json", "write JSON, for programs")
    .action(async () => {
      const { json = false } = command.opts<{ json?: boolean }>();
      try {
        const progress = createProgress(err, json);
        const sizes = await run(progress.show);
        progress.end();
        const { beforeBytes, afterBytes } = sizes;
        const words = `The database had ${beforeBytes} bytes, and has ${afterBytes} now.`;
        out.write(
          `${json ? JSON.stringify({ before_bytes: beforeBytes, after_bytes: afterBytes }, null, 2) : words}\n`,
        );
      } catch (thrown) {
        throw new CommandFailed(thrown, json);
      }
    });
}
