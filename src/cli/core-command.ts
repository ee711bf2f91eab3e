import type { Command } from "commander";
import type { CoreClient } from "../rpc/client.ts";
import { createPaint, hasColours, type Paint } from "./output/paint.ts";
import type { Surroundings } from "./surroundings.ts";

export interface CommandContext {
  readonly core: CoreClient;
  /** Empty: the only account. */
  readonly account: string;
  /** The command's arguments without its options. */
  readonly args: readonly string[];
  readonly paint: Paint;
  /** Programs read what is written. */
  readonly isJson: boolean;
}

export interface CommandResult {
  /** What `--json` writes: part of the documented interface. */
  readonly json: unknown;
  /** What is written for people, without the last line break. */
  readonly text: () => string;
  /** What people should know besides; goes to standard error, so that it is in nobody's pipe. */
  readonly note?: string;
}

/** Carries what a command threw, and whether its caller wants JSON, to where it is told. */
export class CommandFailed extends Error {
  readonly thrown: unknown;
  readonly json: boolean;

  constructor(thrown: unknown, json: boolean) {
    super("The command failed.", { cause: thrown });
    this.name = "CommandFailed";
    this.thrown = thrown;
    this.json = json;
  }
}

/** Gives a command the options that all have, a connection to the core while it runs, and its output. */
export function coreCommand<Options>(
  { connect, out, err }: Surroundings,
  command: Command,
  run: (context: CommandContext, options: Options) => Promise<CommandResult | undefined>,
): void {
  command
    .option("--json", "write JSON, for programs")
    .option("--account <id>", "the account; may be left out where there is only one");

  command.action(async () => {
    const {
      json = false,
      account = "",
      ...options
    } = command.opts<{ json?: boolean; account?: string } & Options>();
    try {
      const core = await connect();
      try {
        const paint = createPaint(hasColours(out));
        const context = { core, account, args: command.args, paint, isJson: json };
        const result = await run(context, options as Options);
        // What comes piece by piece is written so.
        if (!result) return;
        out.write(`${json ? JSON.stringify(result.json, null, 2) : result.text()}\n`);
        if (!json && result.note !== undefined) err.write(`${result.note}\n`);
      } finally {
        core.close();
      }
    } catch (thrown) {
      throw new CommandFailed(thrown, json);
    }
  });
}
