import { resolve } from "node:path";
import { coreCommand } from "./core-command.ts";
import { createProgress } from "./output/progress.ts";

/** `hermod backup FILE`: the core writes the file, so that it is one on the core's machine. */
export const backups = coreCommand(
  {
    name: "backup",
    description: "Copy the embedded database to a new file, while Hermod runs.",
    arguments: [["<file>", "where the core writes the copy; nothing may be there"]],
  },
  async ({ core, args, isJson, surroundings }) => {
    const file = resolve(args[0] ?? "");
    const progress = createProgress(surroundings.err, isJson);
    let step = await core.backups.backUp({ file, begin: true });
    while (!step.finished) {
      progress.show(Number(step.doneBytes), Number(step.totalBytes));
      step = await core.backups.backUp({ file });
    }
    progress.show(Number(step.doneBytes), Number(step.totalBytes));
    progress.end();
    return {
      json: { file, bytes: Number(step.totalBytes) },
      text: () => `The database is copied to ${file}.`,
      note: "Keep the folder's secret-keys, or HERMOD_SECRET_KEYS, elsewhere: secrets in the copy are encrypted with them.",
    };
  },
);
