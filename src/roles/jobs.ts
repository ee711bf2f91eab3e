import { createIncidentBulkJob } from "../core/alerts/incident-bulk-job.ts";
import { createReplayJob } from "../core/deliveries/replay-job.ts";
import type { Dependencies } from "../core/dependencies.ts";
import { createClientRemovalJob } from "../core/intel/client-removal-job.ts";
import { createImportJob } from "../core/intel/import-job.ts";
import { createReportJob } from "../core/intel/report-job.ts";
import { createBulkWatchJob } from "../core/intel/watch-bulk-job.ts";
import type { JobKind } from "../core/jobs/job-kind.ts";
import { createRunJobs } from "../core/jobs/run-jobs.ts";
import { bulkActions, bulkNeeds } from "../core/messages/bulk-actions.ts";
import { createBulkJob } from "../core/messages/bulk-job.ts";
import { createRemovalJob } from "../core/suppressions/removal-job.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { Process } from "./process.ts";

/**
 * Kinds of jobs: a new kind adds a line here. A process runs no others: during an upgrade, jobs of a new kind wait for a
 * process that knows it.
 */
function jobKinds(dependencies: Dependencies): readonly JobKind[] {
  const { store, clock } = dependencies;
  const bulk = createBulkJob({ store, actions: bulkActions(bulkNeeds(dependencies)) });
  const removal = createRemovalJob({ store, clock });
  return [
    bulk,
    removal,
    createReplayJob({ store, clock }),
    createReportJob(dependencies),
    createIncidentBulkJob(dependencies),
    createImportJob({ store }),
    createBulkWatchJob({ store, clock }),
    createClientRemovalJob({ store }),
  ];
}

/** Returns the function that runs due jobs of all accounts. */
export function composeJobs(
  { clock, log, metrics, signal }: Process,
  dependencies: Dependencies,
  jobs: AcrossAccounts["jobs"],
): () => Promise<void> {
  return createRunJobs({
    jobs,
    kinds: jobKinds(dependencies),
    onDamaged: () => metrics.damagedDocuments.inc({ kind: "job" }),
    clock,
    log,
    signal,
  });
}
