import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { type Db, MongoClient } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/shared/clock.ts";
import type { Logger } from "../../src/shared/logger.ts";
import { StartupError } from "../../src/shared/startup-error.ts";
import type { Migration, MigrationContext } from "../../src/store/migrations/migration.ts";
import { migrations as released } from "../../src/store/migrations/migrations.ts";
import { createMigrator, type MigratorOptions } from "../../src/store/migrations/migrator.ts";
import { createPresence } from "../../src/store/migrations/presence.ts";
import { createPartitionStore } from "../../src/store/partition-store.ts";
import { createSchemaStore } from "../../src/store/schema-store.ts";
import { type SharedStore, startSharedStore } from "../harness/shared-store.ts";

let shared: SharedStore;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  shared = await startSharedStore();
  client = new MongoClient(shared.settings.MONGODB_URL ?? "");
});
afterAll(async () => {
  await client.close();
  await shared.close();
});
beforeEach(() => {
  db = client.db(`hermod_test_${randomBytes(6).toString("hex")}`);
  return () => db.dropDatabase();
});

/** Collects log lines with their fields. */
function collectLog() {
  const lines: string[] = [];
  const write = (fields: object, text: string) => void lines.push(`${text} ${JSON.stringify(fields)}`);
  return { lines, log: { info: write, warn: write, error: write } as unknown as Logger };
}

interface Started extends Pick<MigratorOptions, "migrations"> {
  readonly more?: Partial<MigratorOptions>;
}

function migrator({ migrations, more = {} }: Started) {
  const { lines, log } = collectLog();
  const options: MigratorOptions = {
    db,
    migrations,
    holder: `host:${randomBytes(4).toString("hex")}`,
    program: "0.2.0",
    clock: systemClock,
    log,
    signal: new AbortController().signal,
    // Longer than a busy machine delays a process: a process that loses the lease starts again.
    leaseMs: 20_000,
    pollMs: 20,
    ...more,
  };
  return { ...createMigrator(options), lines, holder: options.holder };
}

const things = () => db.collection<{ _id: number; mark?: string }>("things");
const ALL = 100;
const fill = () => things().insertMany(Array.from({ length: ALL }, (_, _id) => ({ _id })));
const schema = () => createSchemaStore(db);
const versionNow = async () => (await schema().read())?.version;

/** A migration that records each run, with its work. */
function migration(
  version: number,
  {
    background = false,
    alone = false,
    run = async () => {},
  }: Partial<Pick<Migration, "background" | "alone" | "run">> = {},
) {
  const runs: unknown[] = [];
  const one: Migration = {
    version,
    name: `the change ${version}`,
    background,
    alone,
    run: async (context) => {
      runs.push(context.progress.cursor);
      await run(context);
    },
  };
  return Object.assign(one, { runs });
}

/** Marks unmarked documents, ten at a time. */
async function markAll({ progress, db: database }: MigrationContext, atStep = async (_n: number) => {}) {
  const first = (progress.cursor as number | undefined) ?? 0;
  for (let n = first; n < ALL; n += 10) {
    const ids = Array.from({ length: 10 }, (_, index) => n + index);
    await database
      .collection<{ _id: number }>("things")
      .updateMany({ _id: { $in: ids }, mark: { $exists: false } }, { $set: { mark: "here" } });
    await progress.save({ cursor: n + 10, done: n + 10, total: ALL });
    await atStep(n + 10);
  }
}

const marks = async () => (await things().find().toArray()).map(({ mark }) => mark);

it("are numbered consecutively from 2", () => {
  expect(released.map(({ version }) => version)).toEqual(released.map((_, index) => index + 2));
});

describe("a start", () => {
  it("gives an empty database the newest version without migrations, also for two concurrent starts", async () => {
    const change = migration(2);
    // MongoDB 7.0 crashed when two processes created the same collection at once, so this one exists already.
    await db.collection("installation").insertOne({});
    const both = [migrator({ migrations: [change] }), migrator({ migrations: [change] })];
    await Promise.all(both.map((one) => one.prepare()));
    expect(await schema().read()).toMatchObject({ version: 2, program: "0.2.0" });
    expect(change.runs).toEqual([]);
    expect(await both[0]?.work()).toBe(0);
  });

  it("treats a database without a record as the first version, and updates it in order, once", async () => {
    await fill();
    const order: number[] = [];
    const step = (version: number) =>
      migration(version, { run: async () => void order.push((await versionNow()) ?? 0) });
    const changes = [step(2), step(3)];
    await migrator({ migrations: changes }).prepare();
    expect(order).toEqual([1, 2]);
    expect(await versionNow()).toBe(3);
    await migrator({ migrations: changes }).prepare();
    expect(changes.map(({ runs }) => runs.length)).toEqual([1, 1]);
  });

  it("is refused with an explanation by a newer database, without any write", async () => {
    await db.collection<{ _id: string }>("schema").insertOne({
      _id: "version",
      version: 4,
      program: "0.9.0",
    } as never);
    const before = await db.collection("schema").find().toArray();
    const refused = migrator({ migrations: [migration(2)] }).prepare();
    await expect(refused).rejects.toThrow(StartupError);
    await expect(refused).rejects.toThrow(
      "Hermod 0.9.0 created its schema version 4, and this Hermod 0.2.0 supports versions up to 2",
    );
    expect(await db.collection("schema").find().toArray()).toEqual(before);
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(["schema"]);
  });
});

describe("two processes", () => {
  it("migrate once: the other waits, logs the migrating process and its progress, and gives up without progress", async () => {
    await fill();
    let goOn = () => {};
    const halted = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let half = () => {};
    const atHalf = new Promise<void>((resolve) => {
      half = resolve;
    });
    const change = migration(2, {
      run: (context) =>
        markAll(context, async (n) => {
          if (n !== 50) return;
          half();
          await halted;
        }),
    });
    const first = migrator({ migrations: [change] });
    const done = first.prepare();
    await atHalf;
    // For this process a minute passes with each reading of the clock.
    let minutes = 0;
    const clock = { ...systemClock, monotonicMs: () => ++minutes * 60_000 };
    const impatient = migrator({ migrations: [change], more: { clock } });
    await expect(impatient.prepare()).rejects.toThrow(
      `Another process (${first.holder}) is migrating the database and has made no progress for 300 s`,
    );
    expect(impatient.lines).toEqual([
      `waiting while another process migrates the database ${JSON.stringify({
        migration: 2,
        name: "the change 2",
        by: first.holder,
        done: 50,
        total: 100,
      })}`,
    ]);
    const patient = migrator({ migrations: [change] });
    const ready = patient.prepare();
    goOn();
    await Promise.all([done, ready]);
    expect(change.runs).toEqual([undefined]);
    expect(await versionNow()).toBe(2);
    expect(await marks()).toEqual(Array(ALL).fill("here"));
  });

  it("continue after one was killed", async () => {
    await fill();
    const args = [shared.settings.MONGODB_URL ?? "", db.databaseName, String(ALL)];
    const child = spawn(process.execPath, [path.join(import.meta.dirname, "migrate-child.js"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    const change = migration(2, { run: markAll });
    const next = migrator({ migrations: [change] });
    const ready = next.prepare();
    child.kill("SIGKILL");
    await ready;
    expect(change.runs).toEqual([49]);
    expect(next.lines.find((line) => line.startsWith("a migration continues"))).toContain('"done":50');
    const found = await marks();
    expect(found.slice(0, 50)).toEqual(Array(50).fill("child"));
    expect(found).not.toContain(undefined);
    expect(await versionNow()).toBe(2);
  });

  it("write no progress after another process has taken the lease, and wait for it", async () => {
    await fill();
    const lease = () => db.collection<{ _id: string }>("schema");
    let stolen = false;
    const change = migration(2, {
      run: (context) =>
        markAll(context, async (n) => {
          if (n !== 50 || stolen) return;
          stolen = true;
          // Like after a suspension of this process: its lease has expired, and another process continues.
          const set = (expiresAt: Date) =>
            lease().updateOne({ _id: "lease" }, { $set: { holder: "other", expiresAt } });
          await set(new Date(Date.now() + 20_000));
          await schema().beginMigration(2, "other", new Date());
          await schema().changeMigration(2, "other", { cursor: 60, done: 60 });
          if (!context.signal.aborted) await once(context.signal, "abort");
          await expect(context.progress.save({ cursor: 50, done: 50 })).rejects.toThrow();
          expect((await schema().listMigrations())[0]).toMatchObject({ holder: "other", cursor: 60 });
          await set(new Date());
          context.signal.throwIfAborted();
        }),
    });
    const one = migrator({ migrations: [change] });
    await one.prepare();
    expect(change.runs).toEqual([undefined, 60]);
    expect(one.lines.join("\n")).toContain("the migration lease was lost");
    expect(await versionNow()).toBe(2);
  });

  it("treat a migration that another process has started as lost, not as failed", async () => {
    await fill();
    let stolen = false;
    const change = migration(2, {
      run: (context) =>
        markAll(context, async (n) => {
          if (n !== 50 || stolen) return;
          stolen = true;
          // Its next save precedes the next check of its lease, like after a suspension of the process.
          await schema().beginMigration(2, "other", new Date());
        }),
    });
    const one = migrator({ migrations: [change] });
    await one.prepare();
    expect(change.runs).toEqual([undefined, 50]);
    expect((await schema().listMigrations())[0]).not.toHaveProperty("failure");
  });

  it("refuse progress under the name of a former holder", async () => {
    await schema().addMigration({ version: 2, name: "two", background: false });
    await schema().beginMigration(2, "former", new Date());
    await schema().beginMigration(2, "next", new Date());
    expect(await schema().changeMigration(2, "former", { done: 1 })).toBe(false);
    expect(await schema().changeMigration(2, "next", { done: 2 })).toBe(true);
  });
});

it("refuses the start with an explanation if a migration fails, keeps its finished work, and continues at the next start", async () => {
  await fill();
  let isBroken = true;
  const change = migration(2, {
    run: (context) =>
      markAll(context, async (n) => {
        if (n === 30 && isBroken) throw new Error("the disk is full");
      }),
  });
  const refused = migrator({ migrations: [change] }).prepare();
  await expect(refused).rejects.toThrow(StartupError);
  await expect(refused).rejects.toThrow(
    "The migration of the database to version 2 (the change 2) failed: the disk is full. Finished steps are kept",
  );
  expect(await versionNow()).toBe(1);
  expect((await schema().listMigrations())[0]).toMatchObject({ failure: "the disk is full", done: 30 });
  isBroken = false;
  await migrator({ migrations: [change] }).prepare();
  expect(change.runs).toEqual([undefined, 30]);
  expect(await versionNow()).toBe(2);
  expect((await schema().listMigrations())[0]).not.toHaveProperty("failure");
});

describe("in the background", () => {
  it("waits until roles serve, ends with its process, and continues in another one", async () => {
    await fill();
    const told = new AbortController();
    const change = migration(2, {
      background: true,
      run: (context) =>
        markAll(context, async (n) => {
          if (n === 40) told.abort(new Error("told to end"));
        }),
    });
    const first = migrator({ migrations: [change], more: { signal: told.signal } });
    await first.prepare();
    expect(change.runs).toEqual([]);
    expect(await versionNow()).toBe(2);
    expect(await schema().listMigrations()).toMatchObject([{ version: 2, state: "waiting" }]);
    await expect(first.work()).rejects.toThrow("told to end");
    const next = migrator({ migrations: [change] });
    await next.prepare();
    expect(await next.work()).toBe(0);
    expect(change.runs).toEqual([undefined, 40]);
    expect(await schema().listMigrations()).toMatchObject([{ state: "done", done: 100, total: 100 }]);
    expect(await next.work()).toBe(0);
  });

  it("reports a failure, and retries", async () => {
    await fill();
    let isBroken = true;
    const change = migration(2, {
      background: true,
      run: async () => {
        if (isBroken) throw new Error("no room");
      },
    });
    const one = migrator({ migrations: [change] });
    await one.prepare();
    await expect(one.work()).rejects.toThrow("no room");
    isBroken = false;
    expect(await one.work()).toBe(0);
  });

  it("is recorded while another process runs an earlier one, without delaying a start", async () => {
    await fill();
    await schema().take("other", 60_000);
    const next = migrator({ migrations: [migration(2, { background: true })], more: { leaseMs: 60_000 } });
    await next.prepare();
    expect(await versionNow()).toBe(2);
    expect(await next.work()).toBe(1);
    expect(next.lines).toEqual([]);
  });

  it("is finished first if a later foreground migration follows", async () => {
    await fill();
    const former = [migration(2, { background: true })];
    await migrator({ migrations: former }).prepare();
    const changes = [...former, migration(3), migration(4, { background: true })];
    const next = migrator({ migrations: changes });
    await next.prepare();
    expect(changes.map(({ runs }) => runs.length)).toEqual([1, 1, 0]);
    expect(await versionNow()).toBe(4);
    expect(await next.work()).toBe(0);
    expect(changes.map(({ runs }) => runs.length)).toEqual([1, 1, 1]);
  });
});

describe("alone", () => {
  const presence = (id: string, known: number) =>
    createPresence({ store: schema(), id, roles: ["core"], program: `0.${known}.0`, schema: known });

  it("begins when the last process of an earlier program has ended, and none can continue then", async () => {
    await fill();
    const change = migration(2, { background: true, alone: true });
    const one = migrator({ migrations: [change] });
    const own = presence("own", 2);
    const former = presence("former", 1);
    await former.announce();
    await one.prepare();
    await own.announce();
    expect(await one.work()).toBe(1);
    expect(await one.work()).toBe(1);
    expect(change.runs).toEqual([]);
    expect(one.lines).toEqual([
      `waiting for earlier programs to end ${JSON.stringify({ migration: 2, processes: ["former"] })}`,
    ]);
    // It is still allowed.
    await former.announce();
    await former.withdraw();
    expect(await one.work()).toBe(0);
    expect(change.runs).toHaveLength(1);
    await expect(former.announce()).rejects.toThrow(
      "Hermod 0.2.0 has migrated the database to schema version 2, with which this Hermod 0.1.0 is incompatible " +
        "(it supports versions up to 1). Start Hermod 0.2.0 instead.",
    );
    await own.announce();
    expect((await schema().listProcesses()).map(({ _id }) => _id)).toEqual(["own"]);
  });

  it("does not begin while a worker of 0.1.0 runs, which does not announce itself otherwise", async () => {
    await fill();
    const change = migration(2, { background: true, alone: true });
    const one = migrator({ migrations: [change] });
    await one.prepare();
    const workers = db.collection<{ _id: string; expiresAt: Date }>("workers");
    await workers.insertOne({ _id: "wrk_former", expiresAt: new Date(Date.now() + 3_500) });
    await createPartitionStore(db).announceWorker("wrk_own", 3_500);
    expect(await one.work()).toBe(1);
    expect(one.lines.at(-1)).toContain('"processes":["wrk_former"]');
    await workers.deleteOne({ _id: "wrk_former" });
    expect(await one.work()).toBe(0);
    expect(change.runs).toHaveLength(1);
  });

  it("refuses the start with the names of the processes if a later foreground migration follows", async () => {
    await fill();
    const changes = [migration(2, { background: true, alone: true }), migration(3)];
    const former = presence("former", 1);
    await former.announce();
    await expect(migrator({ migrations: changes }).prepare()).rejects.toThrow(
      "these processes of an earlier release are still running: former. End them",
    );
    expect(await versionNow()).toBe(1);
    await former.withdraw();
    await migrator({ migrations: changes }).prepare();
    expect(await versionNow()).toBe(3);
  });

  it("treats a process without a heartbeat as ended", async () => {
    await presence("silent", 1).announce();
    await db
      .collection<{ _id: string }>("processes")
      .updateOne({ _id: "silent" }, { $set: { expiresAt: new Date(Date.now() - 1) } });
    expect(await schema().listProcesses()).toEqual([]);
  });
});

it("ends a waiting process on request", async () => {
  await fill();
  await schema().take("other", 60_000);
  const told = new AbortController();
  const waiting = migrator({
    migrations: [migration(2)],
    more: { signal: told.signal, pollMs: 60_000, leaseMs: 60_000 },
  });
  const ready = waiting.prepare();
  setImmediate(() => told.abort());
  await expect(ready).rejects.toThrow("The process was stopped during a database migration");
});
