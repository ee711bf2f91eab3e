import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { build, type Role, version } from "../config.ts";
import { describeLoss, type EmbeddedEngine, startEmbeddedEngine } from "../engine/start-embedded-engine.ts";
import { Fault } from "../shared/fault.ts";
import { createPartitionOf, type PartitionOf } from "../shared/partition.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { DamagedIncident } from "../store/alert-damage.ts";
import { connectStore, type StoreConnection } from "../store/connect.ts";
import { holdId } from "../store/hold-document.ts";
import { createIndexes } from "../store/indexes.ts";
import { migrations, newestOf } from "../store/migrations/migrations.ts";
import { createMigrator, type Migrator } from "../store/migrations/migrator.ts";
import { createPresence, type Presence } from "../store/migrations/presence.ts";
import { withNamedLock } from "../store/named-lock.ts";
import { createSchemaStore } from "../store/schema-store.ts";
import { hasClearSecrets } from "../store/sealing/missing-keys.ts";
import { createStore, type Store } from "../store/store.ts";
import type { DataDir } from "./data-dir.ts";
import { agreeOnPartitions } from "./partition-count.ts";
import type { Process } from "./process.ts";
import { requireRightClock } from "./right-clock.ts";
import { openSealing } from "./secret-keys.ts";

export interface OpenStore {
  readonly store: Store;
  readonly ping: StoreConnection["ping"];
  readonly time: StoreConnection["time"];
  /** Continues with the parts of this program's schema that the database lacks and may get while roles serve. */
  readonly migrator: Migrator;
  readonly presence: Presence;
  /** No other process can have this store open, so leases of an earlier process are void. */
  readonly exclusive: boolean;
  /** Number of partitions of the queue at the start. */
  readonly partitionCount: number;
  readonly partitionOf: PartitionOf;
  /** Copies the embedded database to a new file; undefined: it is a MongoDB. */
  readonly copyDatabase: EmbeddedEngine["backUp"] | undefined;
}

const NO_WRITES =
  "the disk of the data folder takes no writes: they are refused with 503, and reads go on. Free space on it; Hermod " +
  "then goes on by itself";

/** Counts and logs incidents that are closed because of damaged documents. */
export function reportDamagedIncident({ metrics, log }: Pick<Process, "metrics" | "log">) {
  return ({ id, reason }: DamagedIncident): void => {
    metrics.damagedDocuments.inc({ kind: "incident" });
    log.error({ incident: id, reason }, "closed a damaged incident without mail");
  };
}

/** Counts and logs events that are not counted because of damaged documents. */
function reportDamagedCounters({ metrics, log }: Pick<Process, "metrics" | "log">) {
  return (accountId: string, reason: unknown): void => {
    metrics.damagedDocuments.inc({ kind: "counters" });
    log.error(
      { account: accountId, err: reason },
      "events are not counted, because the account's counters are damaged",
    );
  };
}

/**
 * Opens the MongoDB of the settings, or the embedded engine, and migrates it to this program's schema.
 * @throws StartupError naming the setting, or when the database is newer or cannot be migrated
 */
export async function openStore(
  process: Process,
  dataDir: DataDir,
  roles: ReadonlySet<Role>,
): Promise<OpenStore> {
  const { config, log, lifecycle } = process;
  const engine = config.store.mongodbUrl === undefined ? await startEngine(process, dataDir.path) : undefined;
  const connection = await connect(process, config.store.mongodbUrl ?? engine?.url ?? "");
  lifecycle.defer("store", () => connection.close());
  await requireRightClock(process, connection);
  const { db } = connection;
  const { migrator, presence } = composeSchema(process, db, roles);
  await migrator.prepare();
  const exclusive = config.store.mongodbUrl === undefined;
  // MongoDB 7.0 was seen to crash when two processes created the same collection at the same moment.
  const index = () => connection.patiently(createIndexes);
  await (exclusive ? index() : withNamedLock(db, "indexes", index));
  // Only now, because the store has its collections.
  await presence.announce();
  const auditing = {
    retentionMs: config.retention.auditMs,
    onUnclassified: (field: string) =>
      log.error({ field }, "a field has no class for the audit log, so it is not shown"),
  };
  const store = createStore(db, await openSealing(config, dataDir, db), auditing, {
    exclusive,
    channel: engine?.channel,
    onDamagedIncident: reportDamagedIncident(process),
    onDamagedCounters: reportDamagedCounters(process),
  });
  if (config.delivery.isHeld) {
    // Before any role serves, so that no message is sent in between.
    await store.holds.addBySetting({
      _id: holdId({}),
      reason: "held by the start",
      heldAt: process.clock.now(),
    });
    log.warn("delivery of all messages is held: `hermod queue release --all` releases it");
  }
  if (await hasClearSecrets(db)) {
    log.warn("the database has unencrypted secrets of an earlier release: run `hermod secrets rotate`");
  }
  const renamed = await store.acrossAccounts.suppressions.renameFormer();
  if (renamed > 0) log.info({ entries: renamed }, "migrated the suppression list of an earlier release");
  const partitionCount = await agreeOnPartitions(process, store, { exclusive });
  return {
    store,
    ping: connection.ping,
    time: connection.time,
    migrator,
    presence,
    exclusive,
    partitionCount,
    partitionOf: createPartitionOf(partitionCount),
    copyDatabase: engine?.backUp,
  };
}

async function connect({ config, log }: Process, url: string): Promise<StoreConnection> {
  try {
    return await connectStore({ url, database: config.store.database, log });
  } catch (error) {
    const reason = error instanceof Fault ? error.message : String(error);
    throw new StartupError(`MONGODB_URL: the database cannot be used: ${reason}`, error);
  }
}

function composeSchema(
  { clock, log, signal }: Process,
  db: StoreConnection["db"],
  roles: ReadonlySet<Role>,
): Pick<OpenStore, "migrator" | "presence"> {
  const id = `${hostname()}:${globalThis.process.pid}:${randomBytes(4).toString("hex")}`;
  const program = version;
  const presence = { id, program: build, roles: [...roles], schema: newestOf(migrations) };
  return {
    migrator: createMigrator({ db, migrations, holder: id, program, clock, log, signal }),
    presence: createPresence({ ...presence, store: createSchemaStore(db) }),
  };
}

async function startEngine({ config, log, lifecycle }: Process, dataDir: string): Promise<EmbeddedEngine> {
  try {
    const engine = await startEmbeddedEngine({
      directory: dataDir,
      acceptedLoss: config.store.acceptedLoss,
      troubled: (error) => {
        if (error === undefined) log.info("the disk accepts writes again");
        else log.error({ directory: dataDir, reason: error }, NO_WRITES);
      },
    });
    if (engine.lost !== undefined) log.error({ lost: engine.lost }, describeLoss(engine.lost));
    if (engine.unchecked > 0) {
      log.warn(
        { tables: engine.unchecked },
        "the database was checked only partly after an unclean shutdown",
      );
    }
    if (engine.stuckBytes > 0) {
      const hint = "`hermod compact` returns them to the disk while Hermod is stopped";
      log.info({ bytes: engine.stuckBytes, hint }, "much of the database file is unused");
    }
    lifecycle.defer("embedded engine", () => engine.close());
    engine.failed.then((error) => {
      // Acknowledged data is on the disk; continuing without the disk would accept data that cannot be stored.
      log.fatal({ err: error }, "the embedded engine failed");
      globalThis.process.exit(70);
    });
    return engine;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const reason = /disk is full|no space left/i.test(message)
      ? `${message}. Free space on its disk.`
      : message;
    throw new StartupError(
      `HERMOD_DATA_DIR: the embedded database in ${dataDir} cannot be used: ${reason}`,
      error,
    );
  }
}
