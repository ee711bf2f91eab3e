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

/** The counts of one thread, in the form in which another one is told of them. */
export type ThreadMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics of one thread. A registry of its own each time: nothing is global. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const bytesInFlight = new Map<string, () => number>();
  new Gauge({
    name: "hermod_bytes_in_flight",
    help: "Bytes of submissions in memory, by the role that has them (edge, core).",
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
      help: "1, with the version, the commit and the release of Node that this process runs.",
      labelNames: ["version", "commit", "node"] as const,
      aggregator: "first",
      registers,
    }),
    /** Submissions: outcome is `accepted`, `replayed` or `refused`; code is the fault's, else empty. */
    accepts: new Counter({
      name: "hermod_accepts_total",
      help: "Submissions by outcome (accepted, replayed, refused) and fault code.",
      labelNames: ["outcome", "code"] as const,
      registers,
    }),
    acceptDuration: new Histogram({
      name: "hermod_accept_duration_seconds",
      help: "Time from a submission's arrival in the core to its answer.",
      buckets: ACCEPT_BUCKETS,
      registers,
    }),
    messageSize: new Histogram({
      name: "hermod_message_size_bytes",
      help: "Size of accepted messages, encoded for delivery.",
      buckets: SIZE_BUCKETS,
      registers,
    }),
    /** via: `process` (to this process's own worker), `stream` (to or from another process) or `polling` (to nobody). */
    dispatches: new Counter({
      name: "hermod_handover_total",
      help: "Freshly stored messages by the way to their worker (process, stream, polling); on a worker of another process, those received.",
      labelNames: ["via"] as const,
      registers,
    }),
    dispatchStreams: new Gauge({
      name: "hermod_dispatch_streams",
      help: "Cores that hand fresh messages over to this worker by a stream.",
      registers,
    }),
    dispatchPartitions: new Gauge({
      name: "hermod_dispatch_partitions",
      help: "Partitions of the queue whose worker has subscribed to this core.",
      registers,
    }),
    /** After the answer was known: bodies of duplicates that were not removed, messages that no worker was told of. */
    acceptTroubles: new Counter({
      name: "hermod_accept_troubles_total",
      help: "What went wrong after a submission was decided; what is left of it expires, or is found by polling.",
      registers,
    }),
    requestsLeftOut: new Counter({
      name: "hermod_request_log_left_out_total",
      help: "Requests that the log of requests has by their number at most: more came than it has room for, or the core refused them.",
      registers,
    }),
    hitsLeftOut: new Counter({
      name: "hermod_tracking_left_out_total",
      help: "Opens and clicks that are in no timeline: their message is gone, more came than there is room for, or the core refused them.",
      registers,
    }),
    /** One per attempt: transport is `sandbox`, `smtp` or `direct`; outcome the state that it led to. */
    deliveries: new Counter({
      name: "hermod_deliveries_total",
      help: "Delivery attempts by transport and the state that they led to.",
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
      help: "Time from acceptance, or from send_at, to the end of delivery, retries included.",
      buckets: LAG_BUCKETS,
      registers,
    }),
    deliveriesInFlight: new Gauge({
      name: "hermod_deliveries_in_flight",
      help: "Delivery attempts under way.",
      registers,
    }),
    /** limit is its name, as `provider google.com`. */
    wantedOfLimits: new Gauge({
      name: "hermod_limit_wanted_in_flight",
      help: "Deliveries at once that this worker's messages for a destination would keep busy, by limit; the largest ones.",
      labelNames: ["limit"] as const,
      registers,
    }),
    heldOfLimits: new Gauge({
      name: "hermod_limit_held_in_flight",
      help: "Deliveries at once to a destination that this worker holds of the limit that all workers share; the largest ones.",
      labelNames: ["limit"] as const,
      registers,
    }),
    /** kind is `dsn`, `arf` or `other`; outcome `bounced`, `complained` or `ignored`. */
    bounceReports: new Counter({
      name: "hermod_bounce_reports_total",
      help: "Mail to return paths by kind (dsn, arf, other), notices, and aggregate reports (dmarc, tls, unknown), and what followed from it.",
      labelNames: ["kind", "outcome"] as const,
      registers,
    }),
    smtpSessions: new Gauge({
      name: "hermod_smtp_sessions",
      help: "Sessions of the SMTP relay that are open.",
      registers,
    }),
    /** reason is `credentials`, `throttled` or `unavailable`. */
    smtpAuthFailures: new Counter({
      name: "hermod_smtp_auth_failures_total",
      help: "SMTP authentications that failed: wrong credentials, wrong ones beside too many others, or the core away.",
      labelNames: ["reason"] as const,
      registers,
    }),
    /** code is that of the reply to the message with its enhanced status code. */
    smtpMessages: new Counter({
      name: "hermod_smtp_messages_total",
      help: "Messages that came by SMTP, by outcome (accepted, refused) and the code of the reply.",
      labelNames: ["outcome", "code"] as const,
      registers,
    }),
    queueDepth: new Gauge({
      name: "hermod_queue_depth_messages",
      help: "Messages that wait in the partitions of this worker; 100000 where there are as many or more.",
      labelNames: ["state"] as const,
      registers,
    }),
    oldestDue: new Gauge({
      name: "hermod_oldest_due_age_seconds",
      help: "Time for which the oldest due message of this worker's partitions has been due; 0: none is due.",
      registers,
    }),
    heldPartitions: new Gauge({
      name: "hermod_held_partitions",
      help: "Partitions of the queue that this worker holds.",
      registers,
    }),
    unfinishedMigrations: new Gauge({
      name: "hermod_unfinished_migrations",
      help: "Migrations of the database that go on in the background, or wait for it; of processes with a core or worker.",
      registers,
    }),
    silentThreads: new Gauge({
      name: "hermod_silent_threads",
      help: "Threads that have not answered: what they count is here as of their last answer.",
      registers,
    }),
    clockSkew: new Gauge({
      name: "hermod_clock_skew_seconds",
      help: "How far this process's clock is ahead of the store's; negative: behind. Cores compare when they start, workers every second.",
      registers,
    }),
    clockSteps: new Counter({
      name: "hermod_clock_steps_total",
      help: "Steps of the wall clock of more than five seconds; none of them counts before the store's time confirms it.",
      registers,
    }),
    damagedLeases: new Counter({
      name: "hermod_damaged_leases_total",
      help: "Leases of partitions and announcements of workers that could not be read (kind: partition, worker).",
      labelNames: ["kind"] as const,
      registers,
    }),
    quarantined: new Counter({
      name: "hermod_quarantined_total",
      help: "Waiting messages that are damaged and were quarantined.",
      registers,
    }),
    damagedDocuments: new Counter({
      name: "hermod_damaged_documents_total",
      help: "Stored documents that are damaged and are not worked on any more (kind: webhook_delivery, job, schedule, incident); the log says why.",
      labelNames: ["kind"] as const,
      registers,
    }),
    quarantineDepth: new Gauge({
      name: "hermod_quarantine_messages",
      help: "Messages in quarantine because they are damaged: the operator has to mend, release or drop them.",
      registers,
    }),
    queueHolds: new Gauge({
      name: "hermod_queue_holds",
      help: "Holds of the queue: messages that they select are not sent until the operator releases them.",
      registers,
    }),
    /** route is the pattern, never the path: its values are few. */
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

/** The Prometheus text format of what is counted in the threads of this process, with the metrics of the process itself. */
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
 * Renames gauges of the library to Prometheus' conventions: `_total` is the end of a counter's name. `nodejs_active_handles_total` becomes
 * `nodejs_handles`, for `nodejs_active_handles` is taken by the same count by type.
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
