// Migrates the database of a test, ten documents at a time, and stands still after half of them: to be killed there.
import { createLogger } from "../../dist/src/shared/logger.js";
import { connectStore } from "../../dist/src/store/connect.js";
import { createMigrator } from "../../dist/src/store/migrations/migrator.js";

const [, , url, database, total] = process.argv;
const log = createLogger("silent");
const { db } = await connectStore({ url, database, log });

const migration = {
  version: 2,
  name: "things get a mark",
  background: false,
  run: async ({ progress }) => {
    for (let n = 0; n < total / 2; n += 10) {
      const ids = Array.from({ length: 10 }, (_, index) => n + index);
      await db.collection("things").updateMany({ _id: { $in: ids } }, { $set: { mark: "child" } });
      await progress.save({ cursor: n + 9, done: n + 10, total: Number(total) });
    }
    process.stdout.write("half\n");
    await new Promise(() => setInterval(() => undefined, 60_000));
  },
};

await createMigrator({
  db,
  migrations: [migration],
  holder: "child",
  program: "0.2.0",
  clock: { now: () => new Date(), monotonicMs: () => performance.now() },
  log,
  signal: new AbortController().signal,
  leaseMs: 1_000,
}).prepare();
