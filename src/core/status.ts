import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { StatusService } from "../../gen/hermod/status/v1/status_service_pb.ts";
import { type Area, defineArea } from "../rpc/area.ts";
import { READS } from "../rpc/audits.ts";
import { OPERATOR_ONLY } from "../rpc/callers.ts";
import { fault } from "../shared/fault.ts";
import { migrations, newestOf } from "../store/migrations/migrations.ts";
import type { Dependencies } from "./dependencies.ts";

/** State of the installation for the operator. */
export const status: Area<StatusNeeds> = defineArea(StatusService, {
  getStatus: [
    OPERATOR_ONLY,
    READS,
    ({ store, program, copyDatabase }) =>
      async () => {
        const [schema, noted, processes, partitions, quarantined] = await Promise.all([
          store.schema.read(),
          store.schema.listMigrations(),
          store.schema.listProcesses(),
          store.partitions.count(),
          store.acrossAccounts.quarantine.count(),
        ]);
        if (!schema) throw fault("internal.error", { internal: "the database has no record of its schema" });
        const all = Array.from({ length: partitions ?? 0 }, (_, partition) => partition);
        return {
          program,
          store: copyDatabase ? "embedded" : "mongodb",
          schema: { version: schema.version, knownVersion: newestOf(migrations), madeBy: schema.program },
          migrations: noted.map(
            ({ version, name, background, state, done, total, holder, failure, finishedAt }) => ({
              version,
              name,
              background,
              state,
              done: BigInt(done),
              total: BigInt(total ?? 0),
              process: holder ?? "",
              failure: failure ?? "",
              ...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
            }),
          ),
          processes: processes.map(({ _id, program: release, schema: knownVersion, roles }) => ({
            id: _id,
            program: release,
            knownVersion,
            roles: [...roles],
          })),
          queue: {
            partitions: all.length,
            waiting: await store.acrossAccounts.queue.countWaiting(all),
            quarantined,
          },
        };
      },
  ],
});

type StatusNeeds = Pick<Dependencies, "store" | "program" | "copyDatabase">;
