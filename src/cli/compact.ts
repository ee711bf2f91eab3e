import type { Command } from "commander";
import { CommandFailed } from "./core-command.ts";
import type { Environment } from "./environment.ts";
import { createProgress } from "./output/progress.ts";

/** `hermod compact`: runs without a core; no core may be running. */
export function compact(program: Command, { compact: run, out, err }: Environment): void {
  const command = program
    .command("compact")
    .description("Return unused space of the embedded database to the disk while Hermod is stopped.")
    .option("--json", "write JSON")
    .action(async () => {
      const { json = false } = command.opts<{ json?: boolean }>();
      try {
        const progress = createProgress(err, json);
        const sizes = await run(progress.show);
        progress.end();
        const { beforeBytes, afterBytes } = sizes;
        const words = `Compacted the database from ${beforeBytes} to ${afterBytes} bytes.`;
        out.write(
          `${json ? JSON.stringify({ before_bytes: beforeBytes, after_bytes: afterBytes }, null, 2) : words}\n`,
        );
      } catch (thrown) {
        throw new CommandFailed(thrown, json);
      }
    });
}
