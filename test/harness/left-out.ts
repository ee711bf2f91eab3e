/** Each takes 20 CPU seconds or more, most of them a minute, or waits for minutes. They run with HERMOD_TEST_LONG=all, as in `.ci/run --all`. */
const long = [
  "test/adding-an-area.test.ts",
  "test/api/schemathesis.test.ts",
  "test/api/untouched-clients.test.ts",
  "test/dashboard/failures.test.ts",
  "test/dashboard/ten-jobs-alerts.test.ts",
  "test/dashboard/ten-jobs.test.ts",
  "test/dashboard/ten-jobs-settings.test.ts",
  "test/flow/bench.test.ts",
  "test/flow/beside-alertmanager.test.ts",
  "test/flow/exports.test.ts",
  "test/flow/recipes.test.ts",
  "test/spectral.test.ts",
];

/**
 * These take as long as all others together: they start and kill processes, or run random repetitions. They run with
 * HERMOD_TEST_LONG=ci, as in `.ci/run`.
 */
const dear = [
  "test/api/browser.test.ts",
  "test/api/dashboard-access.test.ts",
  "test/api/dashboard-account-export.test.ts",
  "test/api/generated-client.test.ts",
  "test/api/https.test.ts",
  "test/api/intel-pages.test.ts",
  "test/api/mail-links.test.ts",
  "test/api/openapi-generator.test.ts",
  "test/api/tracking.test.ts",
  "test/core/account-export.test.ts",
  "test/core/aggregate-reports.test.ts",
  "test/core/alert-restarts.test.ts",
  "test/core/alert-storms.test.ts",
  "test/core/audited-operations.test.ts",
  "test/core/bulk-messages.test.ts",
  "test/core/damaged-incidents.test.ts",
  "test/core/domains.test.ts",
  "test/core/requests.test.ts",
  "test/core/resend-message.test.ts",
  "test/core/scheduled-reports.test.ts",
  "test/core/suppression-removal.test.ts",
  "test/core/waiting-deliveries.test.ts",
  "test/delivery/damaged-messages.test.ts",
  "test/delivery/mail-network.test.ts",
  "test/delivery/postfix-receiver.test.ts",
  "test/delivery/shares-simulation.test.ts",
  "test/delivery/smtp-transport.test.ts",
  "test/delivery/worker.test.ts",
  "test/engine/lost-commits.test.ts",
  "test/flow/alerts.test.ts",
  "test/flow/backup.test.ts",
  "test/flow/bulk-messages.test.ts",
  "test/flow/clock-skew.test.ts",
  "test/flow/compact.test.ts",
  "test/flow/crash.test.ts",
  "test/flow/delivery-crash.test.ts",
  "test/flow/doc-examples.test.ts",
  "test/flow/domain-verification.test.ts",
  "test/flow/drain.test.ts",
  "test/flow/first-run.test.ts",
  "test/flow/front-end-thread.test.ts",
  "test/flow/full-disk.test.ts",
  "test/flow/intel.test.ts",
  "test/flow/large-report.test.ts",
  "test/flow/late-answers.test.ts",
  "test/flow/live-events.test.ts",
  "test/flow/message-log.test.ts",
  "test/flow/metrics.test.ts",
  "test/flow/operations.test.ts",
  "test/flow/paused-worker.test.ts",
  "test/flow/property.test.ts",
  "test/flow/queues.test.ts",
  "test/flow/relay-crash.test.ts",
  "test/flow/requests.test.ts",
  "test/flow/resend.test.ts",
  "test/flow/roles.test.ts",
  "test/flow/secrets.test.ts",
  "test/flow/startup.test.ts",
  "test/flow/submission-crash.test.ts",
  "test/flow/upgrades.test.ts",
  "test/flow/webhooks.test.ts",
  "test/grpc/core.test.ts",
  "test/grpc/submission-streams.test.ts",
  "test/grpc/submissions.test.ts",
  "test/intel/blacklists-monitor.test.ts",
  "test/intel/monitor.test.ts",
  "test/intel/report-documents.test.ts",
  "test/intel/report-reader.test.ts",
  "test/intel/report-renderer.test.ts",
  "test/intel/transport-servers.test.ts",
  "test/nemesis/nemesis.test.ts",
  "test/smtp/notices.test.ts",
  "test/smtp/relay-load.test.ts",
  "test/smtp/relay-start.test.ts",
  "test/store/account-isolation.test.ts",
  "test/store/damaged-neighbours.test.ts",
  "test/store/search.test.ts",
  "test/store/store-functions.test.ts",
];

export interface LeftOutOptions {
  /** HERMOD_TEST_LONG: `all`, `ci`, or empty. */
  readonly level: string;
  /** Parts of paths on the command line: a matching file always runs. */
  readonly filters: readonly string[];
}

/** Returns the test files that a run leaves out. */
export function leftOutBy({ level, filters }: LeftOutOptions): string[] {
  if (level === "all") return [];
  const listed = level === "ci" ? long : [...long, ...dear];
  return listed.filter((file) => !filters.some((filter) => file.includes(filter)));
}
