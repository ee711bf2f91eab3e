import type { JobKindName } from "../../../contracts/common/job-kinds.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";
import type { Store } from "../../store/store.ts";
import { type JobKind, type JobStep, jobKind, jobParams, type RunningJob } from "../jobs/job-kind.ts";
import { type ItemResult, itemResult } from "./item-result.ts";

export const CLIENT_REMOVAL_JOB = "client.remove" satisfies JobKindName;

export interface ClientRemovalParams {
  readonly workspaceId: string;
  readonly clientId: string;
  /** Number of its domains at the start, and the client itself. */
  readonly total: number;
}

/** Number of removed items, so that each step differs. */
interface Position {
  readonly removed: number;
}

/** A domain may have a year of reports. */
const DOMAINS_AT_ONCE = 10;

const RESTORED: ItemResult = {
  outcome: "skipped",
  code: "client.active",
  message: "The client was restored. Its remaining domains stay.",
};

/**
 * Jobs that remove an archived client with its domains. Its schedules were checked before, and reports that were made
 * stay until they expire. Restoring the client ends the job.
 */
export function createClientRemovalJob({ store }: { readonly store: Pick<Store, "forAccount"> }): JobKind {
  const paramsOf = jobParams<ClientRemovalParams>;

  async function step(job: RunningJob, { removed }: Position): Promise<JobStep<Position>> {
    const { workspaceId, clientId } = paramsOf(job);
    const { watches, aggregateReports, workspaces } = store.forAccount(job.accountId);
    const client = await workspaces.findClient(clientId);
    if (client?.status === "active") return { results: [{ item: clientId, ...RESTORED }], next: undefined };
    const found = await watches.list(workspaceId, { clientId }, "name", { limit: DOMAINS_AT_ONCE });
    const results: JobResultEntry[] = [];
    for (const { _id, name } of found) {
      job.signal.throwIfAborted();
      // Before the domain, so that a step which runs again finds what is left.
      await aggregateReports.forget(_id);
      await watches.remove(_id, job.audit);
      results.push({ item: name, outcome: "done" });
    }
    if (found.length > 0) return { results, next: { removed: removed + found.length } };
    const result = await itemResult(async () => {
      await workspaces.removeClient(clientId, job.audit);
      return { outcome: "done" };
    });
    return { results: [{ item: clientId, ...result }], next: undefined };
  }

  return jobKind<Position>({
    kind: CLIENT_REMOVAL_JOB,
    prepare: async (job) => ({ total: paramsOf(job).total, place: { removed: 0 } }),
    step,
  });
}
