import { CommanderError } from "commander";
import { loadConfig } from "../config.ts";
import { CommandFailed, FailureReported } from "./core-command.ts";
import type { Environment } from "./environment.ts";
import { describeFailure } from "./failure.ts";
import { createProgram } from "./program.ts";

/** 0: success; 1: refused or failed, or the result reports a failure; 2: wrong usage or settings. */
export type ExitCode = 0 | 1 | 2;

/**
 * Runs one command line, without the name of the program, and writes errors to `err`. Never rejects and never
 * exits the process.
 */
export async function runCommandLine(argv: readonly string[], environment: Environment): Promise<ExitCode> {
  try {
    await createProgram(environment).parseAsync([...argv], { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already written the error; a request for help is no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof FailureReported) return 1;
    const { thrown, json } = error instanceof CommandFailed ? error : { thrown: error, json: false };
    const failure = describeFailure(thrown, environment.coreAddress ?? addressInSettings);
    environment.err.write(json ? `${JSON.stringify({ error: failure.json })}\n` : `${failure.text}\n`);
    return failure.exitCode;
  }
}

function addressInSettings(): string {
  const config = loadConfig();
  return config.grpc.address ?? `${config.grpc.host}:${config.grpc.port}`;
}
