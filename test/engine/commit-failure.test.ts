import { rmSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { MongoClient, type MongoServerError } from "mongodb";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openChannel } from "../../src/engine/channel.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { type Server, startServer } from "../../src/engine/server/server.ts";
import { openSqliteFile, type SqliteFile } from "../../src/engine/storage/database.ts";
import { freshDirectory, messageOf, sayingOf } from "./harness.ts";

describe("a commit that fails", () => {
  let directory: string;
  let file: SqliteFile;
  let server: Server;
  let client: MongoClient;
  let failing = false;
  const failures: Error[] = [];

  beforeEach(async () => {
    directory = freshDirectory();
    file = openSqliteFile(directory);
    const commit = () => {
      if (failing && file.inTransaction) throw new Error("disk I/O error");
      file.commit();
    };
    const engine = createEngine(Object.assign(Object.create(file), { commit }), Date.now);
    const socket = join(directory, "s.sock");
    server = await startServer(engine, socket, (error) => failures.push(error));
    client = new MongoClient(`mongodb://${encodeURIComponent(socket)}/?directConnection=true`);
  });
  afterEach(async () => {
    failing = false;
    await client.close();
    await server.close();
    file.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it("is also reported over a port, and the next one succeeds", async () => {
    const { port1, port2 } = new MessageChannel();
    server.connect(port2);
    const channel = openChannel(port1);
    const insert = (_id: number) => channel.ask(messageOf({ insert: "c", documents: [{ _id }], $db: "t" }));
    const isMade = async (_id: number) => (sayingOf(await insert(_id)).ok as number) === 1;
    failing = true;
    expect(await Promise.all([isMade(1), isMade(2)])).toEqual([false, false]);
    failing = false;
    expect(await isMade(1)).toBe(true);
    expect(await client.db("t").collection("c").countDocuments()).toBe(1);
    port1.close();
  });

  it("is reported to every writer of the group, and leaves nothing behind", async () => {
    const c = client.db("t").collection<{ _id: number }>("c");
    await c.createIndex({ a: 1 });
    await c.insertOne({ _id: 0 });
    failing = true;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) => c.insertOne({ _id: n + 1 })),
    );
    expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
    failing = false;
    expect(await c.find().toArray()).toEqual([{ _id: 0 }]);
    await c.insertOne({ _id: 1 });
    expect(await c.countDocuments({})).toBe(2);
    expect(failures).toEqual([]);
  });

  it("without disk space is OutOfDiskSpace, and the engine continues when there is space again", async () => {
    const c = client.db("t").collection<{ _id: number; pad: string }>("c");
    await c.insertOne({ _id: 0, pad: "" });
    file.exec("PRAGMA max_page_count=100");
    const pad = "x".repeat(400_000);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((_id) => c.insertOne({ _id, pad })));
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason as MongoServerError] : [],
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([14031]));
    file.exec("PRAGMA max_page_count=1000000");
    const stored = (await c.find().toArray()).map(({ _id }) => _id);
    expect(stored.length).toBe(1 + 4 - refused.length);
    await c.insertOne({ _id: 9, pad });
    expect(await c.countDocuments({ _id: 9 })).toBe(1);
  });
});
