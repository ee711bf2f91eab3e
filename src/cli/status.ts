import type { Command } from "commander";
import type { GetStatusResponse, Migration, Process } from "../../gen/hermod/status/v1/status_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { coreCommand } from "./core-command.ts";
import type { Paint } from "./output/paint.ts";
import { alignRows, table } from "./output/table.ts";
import { isoTime, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** The core counts no further. */
const WAITING_MAX = 100_000;

/** `hermod status`: what runs, which version the database has, and what waits. */
export function status(program: Command, surroundings: Surroundings): void {
  const command = program
    .command("status")
    .description("Show which releases run, the version of the database, its migrations and the queue.");
  coreCommand(surroundings, command, async ({ core, paint }) => {
    const found = await core.status.getStatus({});
    const { schema, queue } = found;
    if (!schema || !queue) throw fault("internal.error", { internal: "the core answered without a part" });
    return {
      json: {
        program: found.program,
        store: found.store,
        schema: {
          version: schema.version,
          known_version: schema.knownVersion,
          made_by: schema.madeBy,
        },
        migrations: found.migrations.map(migrationJson),
        processes: found.processes.map(processJson),
        queue: {
          partitions: queue.partitions,
          waiting: queue.waiting,
          waiting_is_more: queue.waiting >= WAITING_MAX,
          quarantined: queue.quarantined,
        },
      },
      text: () => describe(paint, found, schema, queue),
    };
  });
}

function migrationJson({ finishedAt, done, total, process, failure, ...migration }: Migration) {
  const { version, name, background, state } = migration;
  return {
    version,
    name,
    background,
    state,
    done: Number(done),
    total: total === 0n ? null : Number(total),
    process: process || null,
    failure: failure || null,
    finished_at: isoTime(finishedAt),
  };
}

function processJson({ id, program, knownVersion, roles }: Process) {
  return { id, program, known_version: knownVersion, roles };
}

function describe(
  paint: Paint,
  { program, store, migrations, processes }: GetStatusResponse,
  schema: NonNullable<GetStatusResponse["schema"]>,
  queue: NonNullable<GetStatusResponse["queue"]>,
): string {
  const waiting = queue.waiting >= WAITING_MAX ? `${WAITING_MAX} or more` : String(queue.waiting);
  const facts = alignRows([
    ["Hermod", printable(program)],
    ["Database", store === "embedded" ? "embedded" : "MongoDB"],
    ["Schema", `${schema.version}, made by Hermod ${printable(schema.madeBy)}`],
    ["Waiting", `${waiting}, in ${queue.partitions} partitions`],
    ["Quarantine", String(queue.quarantined)],
  ]);
  const migrationRows = migrations.map((migration) => [
    String(migration.version),
    printable(migration.name),
    migration.failure ? `failed: ${printable(migration.failure)}` : migration.state,
    migration.total === 0n ? String(migration.done) : `${migration.done} of ${migration.total}`,
    plainTime(migration.finishedAt),
  ]);
  const processRows = processes.map((process) => [
    printable(process.id),
    printable(process.program),
    String(process.knownVersion),
    printable(process.roles.join(",")),
  ]);
  return [
    ...facts,
    "",
    table(
      paint,
      ["MIGRATION", "NAME", "STATE", "DOCUMENTS", "DONE AT"],
      migrationRows,
      "No migrations were needed.",
    ),
    "",
    table(paint, ["PROCESS", "RELEASE", "SCHEMA", "ROLES"], processRows, "No process has announced itself."),
  ].join("\n");
}
