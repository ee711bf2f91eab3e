import { spawn } from "node:child_process";
import { once } from "node:events";
import { eventually } from "./start-hermod.ts";
import { acceptsConnections } from "./tcp-proxy.ts";

/** A program in any language that listens on a port. */
export interface ServerProgram {
  /** Command of Bash that starts it. */
  readonly command: string;
  readonly folder: string;
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  /** Text that the program must print while it is used. */
  readonly prints: string;
}

/** Time in which a program starts. A compiler without a cache takes a minute of a processor. */
const START_MS = 150_000;

/**
 * Runs a program while it is used.
 * @throws Error with its output if it does not listen, does not print the text, or if its use fails
 */
export async function withServer(program: ServerProgram, use: () => Promise<void>): Promise<void> {
  const { command, folder, port, env, prints } = program;
  const child = spawn("bash", ["-c", `exec ${command}`], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    // A program that it starts, such as that of `go run`, ends with its group.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const closed = once(child, "close");
  try {
    await eventually(async () => (await acceptsConnections(port)) || undefined, START_MS);
    await use();
    await eventually(async () => output.includes(prints) || undefined);
  } catch (error) {
    throw new Error(`${command}: ${String(error)}\n${output}`, { cause: error });
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await closed;
  }
}
