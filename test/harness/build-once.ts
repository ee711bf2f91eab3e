import { execFileSync } from "node:child_process";
import { makeEmptyStore } from "./empty-store.ts";

/** Vitest's global set-up: the tests start the built program, so it is built once before they run. */
export async function setup(): Promise<void> {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  if (!process.env.MONGODB_URL) await makeEmptyStore();
}
