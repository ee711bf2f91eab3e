import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { MongoClient } from "mongodb";
import { eventually } from "./start-hermod.ts";

export interface ReplicaSet {
  /**
   * Kills the primary and starts it again as a secondary after another primary was elected.
   * @returns times on the performance clock
   */
  killPrimary(): Promise<{ readonly atMs: number; readonly recoveredMs: number }>;
}

const run = promisify(execFile);
const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/test-mongodb.js");

/** The replica set that scripts/test-mongodb.js has started in that folder. */
export function replicaSet(dir: string, url: string): ReplicaSet {
  async function withClient<T>(use: (client: MongoClient) => Promise<T>): Promise<T> {
    const client = new MongoClient(url);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }

  const node = (verb: string, host: string) =>
    run(process.execPath, [SCRIPT, verb, "--node", host, "--dir", dir]);

  return {
    killPrimary: async () => {
      const hello = await withClient((client) => client.db("admin").command({ hello: 1 }));
      await node("kill-node", hello.primary);
      const atMs = performance.now();
      await eventually(
        () =>
          withClient(async (client) => {
            const ready = client.db("admin").collection("ready");
            await ready.insertOne({ at: new Date() }, { writeConcern: { w: "majority" } });
            return true;
          }).catch(() => undefined),
        60_000,
      );
      const recoveredMs = performance.now();
      await node("start-node", hello.primary);
      return { atMs, recoveredMs };
    },
  };
}
