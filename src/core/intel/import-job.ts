import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import { Fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { idOfPart } from "../../shared/ids.ts";
import type { ClientSettings } from "../../store/intel-documents.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { type JobKind, type JobStep, jobKind, jobParams, type RunningJob } from "../jobs/job-kind.ts";
import { type ItemResult, itemResult } from "./item-result.ts";
import { clientNames, createOwners } from "./plan-import.ts";
import type { ImportRow } from "./read-import.ts";
import { subjectKeys } from "./read-watch.ts";

export const IMPORT_JOB = "watched_domain.import" satisfies JobKindName;

export interface ImportParams {
  readonly workspaceId: string;
  readonly rows: number;
  /** Number of stored parts of the rows. */
  readonly parts: number;
}

interface Position {
  readonly part: number;
  /** Index of the next row of the part. */
  readonly from: number;
}

/** Each row needs up to two transactions. */
const ROWS_AT_ONCE = 50;

/**
 * Jobs that import clients and domains. A row has the same effect for any number of runs: existing clients and domains
 * stay unchanged.
 */
export function createImportJob({ store }: { readonly store: Pick<Store, "forAccount"> }): JobKind {
  const paramsOf = jobParams<ImportParams>;

  async function step(job: RunningJob, { part, from }: Position): Promise<JobStep<Position>> {
    const { workspaceId, parts } = paramsOf(job);
    const stored = await job.foundBy(part);
    const rows = stored.slice(from, from + ROWS_AT_ONCE).map((row) => JSON.parse(row) as ImportRow);
    const results = await importRows(store.forAccount(job.accountId), workspaceId, rows, job);
    if (from + ROWS_AT_ONCE < stored.length) return { results, next: { part, from: from + ROWS_AT_ONCE } };
    return { results, next: part + 1 < parts ? { part: part + 1, from: 0 } : undefined };
  }

  return jobKind<Position>({
    kind: IMPORT_JOB,
    prepare: async (job) => ({ total: paramsOf(job).rows, place: { part: 0, from: 0 } }),
    step,
  });
}

async function importRows(
  account: AccountStore,
  workspaceId: string,
  rows: readonly ImportRow[],
  { _id: jobId, audit, signal, createdAt }: RunningJob,
): Promise<JobResultEntry[]> {
  const { workspaces, watches } = account;
  const [clients, owned] = await Promise.all([
    workspaces.findClientsNamed(workspaceId, clientNames(rows)),
    watches.findOwners(
      workspaceId,
      rows.map(({ name }) => name),
    ),
  ]);
  const owners = createOwners(clients);

  /** Id of the client of a row, which is created if there is none. */
  async function clientOf({ client }: ImportRow): Promise<string> {
    const known = owners.find(client);
    if (known?.id !== undefined) return known.id;
    const { id, status } = await created(client);
    owners.add({ id, status, settings: client });
    return id;
  }

  /** Another import may create the same client at the same moment. */
  async function created(client: ClientSettings) {
    try {
      const outcome = await workspaces.createClient(workspaceId, client, audit);
      if ("client" in outcome) return { id: outcome.client._id, status: outcome.client.status };
    } catch (thrown) {
      const isTwin = thrown instanceof Fault && thrown.code === "client.duplicate";
      const id = isTwin ? thrown.existing?.id : undefined;
      const found = id === undefined ? null : await workspaces.findClient(id);
      if (!found) throw thrown;
      return { id: found._id, status: found.status };
    }
    throw new Error("a request without a key has an earlier answer");
  }

  async function add(row: ImportRow): Promise<ItemResult> {
    const { name, nameUnicode, settings } = row;
    const present = owned.get(name);
    // Before the client: a row that adds no domain creates none.
    if (present !== undefined && present !== owners.find(row.client)?.id) {
      const message = say("workspace_watches_already", { name }).text;
      return { outcome: "failed", code: "domain.duplicate", message };
    }
    const clientId = await clientOf(row);
    const id = idOfPart("dom", createdAt, row.row, [jobId, name]);
    try {
      const subjects = subjectKeys(name, settings.sendingIps);
      await watches.add({ id, ...settings, name, nameUnicode, clientId, workspaceId, subjects }, audit);
      owned.set(name, clientId);
      return { outcome: "done" };
    } catch (thrown) {
      const existing = thrown instanceof Fault ? thrown.existing : undefined;
      if (existing?.clientId !== clientId) throw thrown;
      // This row has added it: a step that was not stored runs again.
      if (existing.id === id) return { outcome: "done" };
      return { outcome: "skipped", code: "domain.duplicate", message: "The client already has this domain." };
    }
  }

  const results: JobResultEntry[] = [];
  for (const row of rows) {
    signal.throwIfAborted();
    results.push({ item: row.name, ...(await itemResult(() => add(row))) });
  }
  return results;
}
