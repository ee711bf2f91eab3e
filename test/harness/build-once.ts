import { execFileSync } from "node:child_process";
import { MongoClient } from "mongodb";
import type { TestProject } from "vitest/node";
import { makeRunFolder, removeAbandonedStores, removeRunFolder } from "./store-folder.ts";
import { beginRun, endRun } from "./unused-databases.ts";

const { MONGODB_URL } = process.env;

/** Vitest's global set-up: the tests start the built program, so it is built once before they run. */
export async function setup({ config }: TestProject): Promise<void> {
  const leftOut = config.exclude.filter((file) => file.endsWith(".test.ts"));
  if (leftOut.length > 0)
    process.stdout.write(
      `Left out: ${leftOut.length} test files that take long (docs/how-to/contributing.md)\n`,
    );
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  await removeAbandonedStores();
  await makeRunFolder();
  beginRun();
}

export async function teardown(): Promise<void> {
  await removeRunFolder();
  if (!MONGODB_URL) return;
  const client = new MongoClient(MONGODB_URL);
  await endRun(client).finally(() => client.close());
}
