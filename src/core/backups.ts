import { isAbsolute } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type BackUpRequest,
  type BackUpResponseSchema,
  BackupService,
} from "../../gen/hermod/backup/v1/backup_service_pb.ts";
import { type Area, defineArea } from "../rpc/area.ts";
import { reads } from "../rpc/audits.ts";
import { type HandlerContext, OPERATOR_ONLY } from "../rpc/callers.ts";
import { fault } from "../shared/fault.ts";
import { type FaultText, say } from "../shared/fault-text.ts";
import type { Store } from "../store/store.ts";
import type { CopyDatabase, Dependencies } from "./dependencies.ts";

/** Copies of the embedded database. */
export const backups: Area<Pick<Dependencies, "copyDatabase" | "store">> = defineArea(BackupService, {
  backUp: [
    OPERATOR_ONLY,
    reads("backup.begin", "file"),
    ({ copyDatabase: copy, store }) => createBackUp({ copy, store }),
  ],
});

interface Backup {
  readonly file: string;
  doneBytes: number;
  totalBytes: number;
  outcome: "finished" | Error | undefined;
  ended: Promise<void>;
}

/** Time for which a call waits for the end, so that repeated calls are infrequent. */
const WAIT_MS = 500;

interface BackUpNeeds {
  /** undefined: the database is a MongoDB, which has its own tools. */
  readonly copy: CopyDatabase | undefined;
  readonly store: Pick<Store, "audit">;
}

function createBackUp({ copy, store }: BackUpNeeds) {
  /** The running or last backup; set by the call that starts it. */
  let current: Backup | undefined;

  function begin(file: string, from: CopyDatabase): Backup {
    if (current !== undefined && current.outcome === undefined) {
      throw refusal(say("another_backup_under_way_wait_end"));
    }
    const backup: Backup = {
      file,
      doneBytes: 0,
      totalBytes: 0,
      outcome: undefined,
      ended: Promise.resolve(),
    };
    backup.ended = from(file, (progress) => Object.assign(backup, progress)).then(
      () => {
        backup.outcome = "finished";
      },
      (error: Error) => {
        backup.outcome = error;
      },
    );
    current = backup;
    return backup;
  }

  return async (
    request: BackUpRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof BackUpResponseSchema>> => {
    if (copy === undefined) {
      throw refusal(say("database_mongodb_mongodb_url_back_up"));
    }
    if (!isAbsolute(request.file)) throw refusal(say("file_absolute_path"));
    if (request.begin) {
      const target = { kind: "backup", id: request.file, name: request.file };
      await store.audit.installation.add(audit, { target, outcome: "read" });
    }
    const backup = request.begin ? begin(request.file, copy) : current;
    if (backup === undefined || backup.file !== request.file) {
      throw refusal(say("no_backup_file_under_way_core"));
    }
    await Promise.race([backup.ended, sleep(WAIT_MS, undefined, { ref: false })]);
    if (backup.outcome instanceof Error) throw failureOf(backup.file, backup.outcome);
    return {
      doneBytes: BigInt(backup.doneBytes),
      totalBytes: BigInt(backup.totalBytes),
      finished: backup.outcome === "finished",
    };
  };
}

function failureOf(file: string, error: Error) {
  const exists = "code" in error && error.code === "EEXIST";
  return refusal(
    exists ? say("file_exists", { existing: file }) : say("backup_failed", { detail: error.message }),
  );
}

function refusal(words: FaultText) {
  return fault("request.validation_failed", { public: words });
}
