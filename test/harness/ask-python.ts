import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs a Python program that reads JSON and prints JSON. @throws Error when it fails, or prints something else */
export async function askPython<T>(python: string, program: string, input: unknown): Promise<T> {
  const asking = run(python, ["-c", program], { maxBuffer: 64 * 1024 * 1024 });
  asking.child.stdin?.end(JSON.stringify(input));
  return JSON.parse((await asking).stdout) as T;
}
