import { createHash } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  BeginWatchImportRequest,
  BeginWatchImportResponseSchema,
  PreviewWatchImportRequest,
  PreviewWatchImportResponseSchema,
  WatchImportRowSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { idOfPart } from "../../shared/ids.ts";
import type { Dependencies } from "../dependencies.ts";
import { beginJob } from "../jobs/begin-job.ts";
import { MAX_STEP_ITEMS } from "../jobs/job-kind.ts";
import { toJob } from "../jobs/to-job.ts";
import { CONFIRMABLE_MS, createConfirmationOpener } from "../messages/confirmation.ts";
import { toStruct } from "../text-parts.ts";
import { IMPORT_JOB, type ImportParams } from "./import-job.ts";
import { type PlannedRow, planImport } from "./plan-import.ts";
import { readImport, readImportRow } from "./read-import.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";

type Needs = Pick<Dependencies, "store" | "intel" | "clock">;

/**
 * Imports clients and domains from a file: a call returns the expected result of each row, the client confirms it,
 * and a job starts.
 */
export function createImportWatches(needs: Needs) {
  const { store, intel, clock } = needs;
  const confirmations = createConfirmationOpener(store);

  async function read(csv: string) {
    const table = await readImport(csv);
    return { ...table, rows: table.rows.map((row) => readImportRow(row, intel.allowsPrivate)) };
  }

  return {
    /** @throws Fault account.unknown, workspace.unknown, request.validation_failed */
    preview: async (
      request: PreviewWatchImportRequest,
      { audit }: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof PreviewWatchImportResponseSchema>> => {
      const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
      const { columns, rows } = await read(request.csv);
      const planned = await planImport(account, workspaceId, rows);
      const count = (of: PlannedRow["outcome"]) => planned.filter(({ outcome }) => outcome === of).length;
      const at = clock.now();
      const canonical = canonicalOf(workspaceId, request.csv);
      const by = { accountId: account.id, actorId: audit.actor.id, canonical };
      const added = count("added");
      return {
        added,
        alreadyThere: count("already_there"),
        refused: count("refused"),
        newClients: planned.filter((row) => row.outcome === "added" && row.isNewClient).length,
        columns: columns.map(({ name, field = "" }) => ({ name, field })),
        rows: planned.map(toRow),
        confirmation: (await confirmations()).encode({ ...by, count: added, at }),
        confirmBefore: timestampFromDate(new Date(at.getTime() + CONFIRMABLE_MS)),
      };
    },

    /**
     * @throws Fault account.unknown, workspace.unknown, request.validation_failed, job.too_many,
     *   watched_domain.confirmation_invalid
     */
    begin: async (
      request: BeginWatchImportRequest,
      context: Pick<HandlerContext, "audit">,
    ): Promise<MessageInitShape<typeof BeginWatchImportResponseSchema>> => {
      const { account, workspaceId } = await resolveWorkspace(needs, request, context.audit);
      const canonical = canonicalOf(workspaceId, request.csv);
      const by = { accountId: account.id, actorId: context.audit.actor.id, canonical };
      const confirmed = (await confirmations()).decode(request.confirmation, by);
      if (!confirmed) throw fault("watched_domain.confirmation_invalid");
      const id = idOfPart("job", confirmed.at, 0, [account.id, request.confirmation]);
      const known = await account.jobs.find(id);
      if (known) return { job: toJob(known) };
      if (clock.now().getTime() - confirmed.at.getTime() > CONFIRMABLE_MS)
        throw fault("watched_domain.confirmation_invalid");
      const table = await read(request.csv);
      const rows = table.rows.flatMap((row) => ("name" in row ? [JSON.stringify(row)] : []));
      if (rows.length === 0) {
        const message = say("csv_nothing_to_import");
        throw validationFault([{ pointer: "/csv", code: "field.invalid", message }]);
      }
      const items = [];
      for (let from = 0; from < rows.length; from += MAX_STEP_ITEMS)
        items.push(rows.slice(from, from + MAX_STEP_ITEMS));
      const params: ImportParams = { workspaceId, rows: rows.length, parts: items.length };
      const wanted = {
        id,
        kind: IMPORT_JOB,
        params: { ...params },
        about: { workspace: workspaceId, rows: String(rows.length) },
        permission: "intel.write" as const,
        items,
      };
      return { job: toJob(await beginJob(account, wanted, context)) };
    },
  };
}

/** The import that a client confirms. */
function canonicalOf(workspaceId: string, csv: string): string {
  return JSON.stringify([IMPORT_JOB, workspaceId, createHash("sha256").update(csv).digest("base64url")]);
}

function toRow(planned: PlannedRow): MessageInitShape<typeof WatchImportRowSchema> {
  if (planned.outcome === "refused") {
    const { row, domain, code, field, message, params } = planned.refused;
    return {
      row,
      domain,
      outcome: "refused",
      code,
      field,
      message,
      ...(Object.keys(params).length > 0 && { params: toStruct(params) }),
    };
  }
  const { outcome, isNewClient, row } = planned;
  return { row: row.row, domain: row.name, client: row.client.name, outcome, newClient: isNewClient };
}
