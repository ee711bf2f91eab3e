import type { Argument, Command, Option } from "commander";
import type { CoreClient } from "../rpc/client.ts";
import type { Environment } from "./environment.ts";
import { createPaint, hasColours, type Paint } from "./output/paint.ts";

/** Adds a command, or a group of commands, to the one above it. */
export type AddCommand = (parent: Command, environment: Environment) => void;

/** An option for commander: an `Option`, or its flags, help, and parser or default. */
export type CommandOption =
  | Option
  | readonly [flags: string, help: string]
  | readonly [flags: string, help: string, fallback: string]
  // biome-ignore lint/suspicious/noExplicitAny: the previous value has the type of the option
  | readonly [flags: string, help: string, read: (text: string, former: any) => unknown, fallback?: unknown];

export type CommandArgument = Argument | readonly [name: string, help: string];

/** A command as its help shows it. */
export interface CommandUsage {
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
}

export interface CommandContext {
  readonly core: CoreClient;
  /** Empty for the only account. */
  readonly account: string;
  /** Arguments of the command, without its options. */
  readonly args: readonly string[];
  readonly paint: Paint;
  /** True when a program reads the output. */
  readonly isJson: boolean;
  readonly environment: Environment;
}

export interface CommandResult {
  /** Output of `--json`: part of the documented interface. */
  readonly json: unknown;
  /** Output for people, without the last line break. */
  readonly text: () => string;
  /** A note for people, on standard error, so that pipes do not receive it. */
  readonly note?: string | undefined;
  /** The output reports a failure, such as that of a job: the exit code is 1. */
  readonly isFailure?: boolean | undefined;
}

/** Carries the error of a command, and whether to write it as JSON, to the place that writes it. */
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

/** Thrown after a command has written a result that reports a failure. */
export class FailureReported extends Error {
  constructor() {
    super("The command reported a failure.");
    this.name = "FailureReported";
  }
}

/** A group of commands. `commands` is a function, so that a file can define the group before its commands. */
export function commandGroup(
  name: string,
  description: string,
  commands: () => readonly AddCommand[],
): AddCommand {
  return (parent, environment) => {
    const group = parent.command(name).description(description);
    for (const add of commands()) add(group, environment);
  };
}

/** A command that calls the core: adds the common options, connects while it runs, and writes its output. */
export function coreCommand<Options = object>(
  usage: CommandUsage,
  run: (context: CommandContext, options: Options) => Promise<CommandResult | undefined>,
): AddCommand {
  return (parent, environment) => {
    const command = parent.command(usage.name).description(usage.description);
    for (const argument of usage.arguments ?? []) {
      if ("name" in argument) command.addArgument(argument as Argument);
      else command.argument(argument[0], argument[1]);
    }
    for (const option of usage.options ?? []) {
      if ("flags" in option) command.addOption(option as Option);
      else command.option(...(option as unknown as Parameters<Command["option"]>));
    }
    command
      .option("--json", "write JSON")
      .option("--account <id>", "id of the account (default: the only account)")
      .action(() => runCommand(command, environment, run));
  };
}

async function runCommand<Options>(
  command: Command,
  environment: Environment,
  run: (context: CommandContext, options: Options) => Promise<CommandResult | undefined>,
): Promise<void> {
  const { connect, out, err } = environment;
  const {
    json = false,
    account = "",
    ...options
  } = command.opts<{ json?: boolean; account?: string } & Options>();
  let isFailure = false;
  try {
    const core = await connect();
    try {
      const paint = createPaint(hasColours(out));
      const context = { core, account, args: command.args, paint, isJson: json, environment };
      const result = await run(context, options as Options);
      // A command that streams its output has no result.
      if (!result) return;
      out.write(`${json ? JSON.stringify(result.json, null, 2) : result.text()}\n`);
      if (!json && result.note !== undefined) err.write(`${result.note}\n`);
      isFailure = result.isFailure ?? false;
    } finally {
      core.close();
    }
  } catch (thrown) {
    throw new CommandFailed(thrown, json);
  }
  if (isFailure) throw new FailureReported();
}
