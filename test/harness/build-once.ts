import { execFileSync } from "node:child_process";

/** Vitest's global set-up: the tests start the built program, so it is built once before they run. */
export function setup(): void {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
}
