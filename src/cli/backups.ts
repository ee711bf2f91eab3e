import { resolve } from "node:path";
import { coreCommand } from "./core-command.ts";
import { createProgress } from "./output/progress.ts";

/** `hermod backup FILE`: the core writes the file, on its own machine. */
export const backups = coreCommand(
  {
    name: "backup",
    description: "Copy the embedded database to a new file while Hermod runs.",
    arguments: [["<file>", "file that the core creates; it must not exist"]],
  },
  async ({ core, args, isJson, environment }) => {
    const file = resolve(args[0] ?? "");
    const progress = createProgress(environment.err, isJson);
    let step = await core.backups.backUp({ file, begin: true });
    while (!step.finished) {
      progress.show(Number(step.doneBytes), Number(step.totalBytes));
      step = await core.backups.backUp({ file });
    }
    progress.show(Number(step.doneBytes), Number(step.totalBytes));
    progress.end();
    return {
      json: { file, bytes: Number(step.totalBytes) },
      text: () => `Copied the database to ${file}.`,
      note: "Keep secret-keys of the data folder, or HERMOD_SECRET_KEYS, in another place: they decrypt the secrets in the copy.",
    };
  },
);
