import {
  type GetStatusResponse,
  GetStatusResponseSchema,
  QueueSchema,
} from "../../gen/hermod/status/v1/status_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { messageJson } from "./output/json.ts";
import type { Paint } from "./output/paint.ts";
import { alignRows, table } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";
import { required } from "./show-command.ts";

/** Maximum that the core counts. */
const WAITING_MAX = 100_000;

/** `hermod status`: releases, version of the database, and queue. */
export const status = coreCommand(
  {
    name: "status",
    description: "Show the running releases, the version of the database, its migrations and the queue.",
  },
  async ({ core, paint }) => {
    const found = await core.status.getStatus({});
    const schema = required(found.schema, "schema");
    const queue = required(found.queue, "queue");
    const isMore = queue.waiting >= WAITING_MAX;
    return {
      json: {
        ...messageJson(GetStatusResponseSchema, found),
        queue: { ...messageJson(QueueSchema, queue), waiting_is_more: isMore },
      },
      text: () => describe(paint, found, schema, queue),
    };
  },
);

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
    ["Schema", `${schema.version}, created by Hermod ${printable(schema.madeBy)}`],
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
    table(paint, ["PROCESS", "RELEASE", "SCHEMA", "ROLES"], processRows, "No process is registered."),
  ].join("\n");
}
