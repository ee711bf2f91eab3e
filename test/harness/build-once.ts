import { execFileSync } from "node:child_process";
import { MongoClient } from "mongodb";
import { makeRunFolder, removeAbandonedStores, removeRunFolder } from "./store-folder.ts";
import { beginRun, endRun } from "./unused-databases.ts";

const { MONGODB_URL } = process.env;

/** Vitest's global set-up: the tests start the built program, so it is built once before they run. */
export async function setup(): Promise<void> {
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
