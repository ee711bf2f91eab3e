import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from "prom-client";

const ACCEPT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];
const DELIVERY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const LAG_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800, 7200, 43_200, 172_800];
const SIZE_BUCKETS = [1, 4, 16, 64, 256, 1024, 4096, 16_384].map((kilobytes) => kilobytes * 1024);

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of one thread, in the form that another thread receives. */
export type ThreadMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Creates the metrics of one thread with their own registry; nothing is global. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const bytesInFlight = new Map<string, () => number>();
  new Gauge({
    name: "hermod_bytes_in_flight",
    help: "Bytes of submissions in memory, by role (edge, core).",
    labelNames: ["role"] as const,
    registers,
    collect() {
      for (const [role, count] of bytesInFlight) this.set({ role }, count());
    },
  });

  return {
    registry,
    watchBytesInFlight: (role: "edge" | "core", count: () => number) => void bytesInFlight.set(role, count),
    build: new Gauge({
      name: "hermod_build_info",
      help: "1, with the version, the commit and the Node.js release of this process.",
      labelNames: ["version", "commit", "node"] as const,
      aggregator: "first",
      registers,
    }),
    /** Submissions: outcome is `accepted`, `replayed` or `refused`; code is the code of the fault, otherwise empty. */
    accepts: new Counter({
      name: "hermod_accepts_total",
      help: "Submissions by outcome (accepted, replayed, refused) and fault code.",
      labelNames: ["outcome", "code"] as const,
      registers,
    }),
    acceptDuration: new Histogram({
      name: "hermod_accept_duration_seconds",
      help: "Time from the arrival of a submission in the core to its response.",
      buckets: ACCEPT_BUCKETS,
      registers,
    }),
    messageSize: new Histogram({
      name: "hermod_message_size_bytes",
      help: "Size of accepted messages, encoded for delivery.",
      buckets: SIZE_BUCKETS,
      registers,
    }),
    /** via: `process` (to the worker of this process), `stream` (to or from another process) or `polling` (to no worker). */
    dispatches: new Counter({
      name: "hermod_handover_total",
      help: "New messages by their path to a worker (process, stream, polling); on a worker in another process, received messages.",
      labelNames: ["via"] as const,
      registers,
    }),
    dispatchStreams: new Gauge({
      name: "hermod_dispatch_streams",
      help: "Cores that stream new messages to this worker.",
      registers,
    }),
    dispatchPartitions: new Gauge({
      name: "hermod_dispatch_partitions",
      help: "Partitions of the queue with a worker that is subscribed to this core.",
      registers,
    }),
    /** Errors after the response was decided: bodies of duplicates that were not removed, messages that were not dispatched. */
    acceptTroubles: new Counter({
      name: "hermod_accept_troubles_total",
      help: "Errors after a submission was decided. Leftover bodies expire, and polling finds undispatched messages.",
      registers,
    }),
    requestsLeftOut: new Counter({
      name: "hermod_request_log_left_out_total",
      help: "Requests without their own entry in the request log, because it was over capacity or the core refused them.",
      registers,
    }),
    hitsLeftOut: new Counter({
      name: "hermod_tracking_left_out_total",
      help: "Opens and clicks without a timeline event, because the message is removed, the capacity was exceeded, or the core refused them.",
      registers,
    }),
    /** One per attempt: transport is `sandbox`, `smtp` or `direct`; outcome is the resulting state. */
    deliveries: new Counter({
      name: "hermod_deliveries_total",
      help: "Delivery attempts by transport and resulting state.",
      labelNames: ["transport", "outcome"] as const,
      registers,
    }),
    deliveryDuration: new Histogram({
      name: "hermod_delivery_duration_seconds",
      help: "Duration of one delivery attempt.",
      labelNames: ["transport"] as const,
      buckets: DELIVERY_BUCKETS,
      registers,
    }),
    deliveryLag: new Histogram({
      name: "hermod_delivery_lag_seconds",
      help: "Time from acceptance or send_at to the end of delivery, including retries.",
      buckets: LAG_BUCKETS,
      registers,
    }),
    deliveriesInFlight: new Gauge({
      name: "hermod_deliveries_in_flight",
      help: "Delivery attempts in progress.",
      registers,
    }),
    /** limit is the name of the limit, for example `provider google.com`. */
    wantedOfLimits: new Gauge({
      name: "hermod_limit_wanted_in_flight",
      help: "Concurrent deliveries that this worker could use for a destination, by limit; only the largest.",
      labelNames: ["limit"] as const,
      registers,
    }),
    heldOfLimits: new Gauge({
      name: "hermod_limit_held_in_flight",
      help: "Concurrent deliveries to a destination that this worker holds of the limit shared by all workers; only the largest.",
      labelNames: ["limit"] as const,
      registers,
    }),
    /** kind is `dsn`, `arf` or `other`; outcome `bounced`, `complained` or `ignored`. */
    bounceReports: new Counter({
      name: "hermod_bounce_reports_total",
      help: "Mail to return paths by kind (dsn, arf, other), notices, and aggregate reports (dmarc, tls, unknown), by outcome.",
      labelNames: ["kind", "outcome"] as const,
      registers,
    }),
    smtpSessions: new Gauge({
      name: "hermod_smtp_sessions",
      help: "Open sessions of the SMTP relay.",
      registers,
    }),
    /** reason is `credentials`, `throttled` or `unavailable`. */
    smtpAuthFailures: new Counter({
      name: "hermod_smtp_auth_failures_total",
      help: "Failed SMTP authentications: wrong credentials, throttled after too many failures, or core unavailable.",
      labelNames: ["reason"] as const,
      registers,
    }),
    /** code is the reply code of the message with its enhanced status code. */
    smtpMessages: new Counter({
      name: "hermod_smtp_messages_total",
      help: "Messages received over SMTP, by outcome (accepted, refused) and reply code.",
      labelNames: ["outcome", "code"] as const,
      registers,
    }),
    queueDepth: new Gauge({
      name: "hermod_queue_depth_messages",
      help: "Waiting messages in the partitions of this worker, at most 100000.",
      labelNames: ["state"] as const,
      registers,
    }),
    oldestDue: new Gauge({
      name: "hermod_oldest_due_age_seconds",
      help: "Time since the oldest due message in the partitions of this worker became due; 0: none is due.",
      registers,
    }),
    uncountedAge: new Gauge({
      name: "hermod_uncounted_age_seconds",
      help: "Time since the oldest event that is not in the counters yet was recorded; 0: all are counted. In cores.",
      registers,
    }),
    heldPartitions: new Gauge({
      name: "hermod_held_partitions",
      help: "Partitions of the queue that this worker holds.",
      registers,
    }),
    unfinishedMigrations: new Gauge({
      name: "hermod_unfinished_migrations",
      help: "Database migrations that are running or waiting in the background, in processes with a core or worker.",
      registers,
    }),
    silentThreads: new Gauge({
      name: "hermod_silent_threads",
      help: "Threads that do not answer. Their metrics are from their last answer.",
      registers,
    }),
    clockSkew: new Gauge({
      name: "hermod_clock_skew_seconds",
      help: "Time by which the clock of this process is ahead of the store; negative: behind. Cores compare at start, workers every second.",
      registers,
    }),
    clockSteps: new Counter({
      name: "hermod_clock_steps_total",
      help: "Steps of the wall clock of more than five seconds. A step applies only after the time of the store confirms it.",
      registers,
    }),
    damagedLeases: new Counter({
      name: "hermod_damaged_leases_total",
      help: "Unreadable leases of partitions and announcements of workers (kind: partition, worker).",
      labelNames: ["kind"] as const,
      registers,
    }),
    quarantined: new Counter({
      name: "hermod_quarantined_total",
      help: "Damaged waiting messages that were quarantined.",
      registers,
    }),
    damagedDocuments: new Counter({
      name: "hermod_damaged_documents_total",
      help: "Damaged documents that are no longer processed (kind: webhook_delivery, target_delivery, job, schedule, incident, counters). The log has the reason.",
      labelNames: ["kind"] as const,
      registers,
    }),
    quarantineDepth: new Gauge({
      name: "hermod_quarantine_messages",
      help: "Damaged messages in quarantine. The operator must repair, release or drop them.",
      registers,
    }),
    queueHolds: new Gauge({
      name: "hermod_queue_holds",
      help: "Holds of the queue. The selected messages are not sent until the operator releases the hold.",
      registers,
    }),
    /** route is the pattern, not the path, so that it has few values. */
    httpRequests: new Counter({
      name: "hermod_http_requests_total",
      help: "Requests to the HTTP API by method, route and status.",
      labelNames: ["method", "route", "status"] as const,
      registers,
    }),
    httpDuration: new Histogram({
      name: "hermod_http_request_duration_seconds",
      help: "Duration of requests to the HTTP API.",
      labelNames: ["route"] as const,
      buckets: ACCEPT_BUCKETS,
      registers,
    }),
  };
}

/** Metrics of the process and its threads in the Prometheus text format. */
export function createExposition(threads: () => Promise<readonly ThreadMetrics[]>) {
  const ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  renameGauges(ofProcess);
  return {
    contentType: ofProcess.contentType,
    metrics: async (): Promise<string> => {
      const counted = AggregatorRegistry.aggregate((await threads()).map((metrics) => [...metrics]));
      return `${await counted.metrics()}\n${await ofProcess.metrics()}`;
    },
  };
}

/**
 * Renames gauges of the library to the conventions of Prometheus, in which only counters end with `_total`.
 * `nodejs_active_handles_total` becomes `nodejs_handles`, because `nodejs_active_handles` is the same count by type.
 */
function renameGauges(registry: Registry): void {
  for (const { name, type } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name);
    if (String(type) !== "gauge" || !name.endsWith("_total") || !metric) continue;
    registry.removeSingleMetric(name);
    Object.assign(metric, { name: name.replace(/^nodejs_active_(\w+)_total$/, "nodejs_$1") });
    registry.registerMetric(metric);
  }
}
