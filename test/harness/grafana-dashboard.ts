import {
  GraphDrawStyle,
  StackingConfigBuilder,
  StackingMode,
  VisibilityMode,
} from "@grafana/grafana-foundation-sdk/common";
import {
  type Dashboard,
  DashboardBuilder,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as StatBuilder } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as TimeBuilder } from "@grafana/grafana-foundation-sdk/timeseries";

/** One line, or one for each value of the labels in its legend. */
type Query = readonly [expression: string, legend: string];

interface Graph {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly queries: readonly Query[];
  /** The lines add up. */
  readonly isStacked?: boolean;
}

interface Figure {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly expression: string;
  /** From this value on it is red. Missing: never. */
  readonly red?: number;
}

const SOURCE = { type: "prometheus", uid: "$datasource" } as const;
const OF_PROCESSES = `job=~"$job", instance=~"$instance"`;

const rate = (metric: string, labels = "") =>
  `sum by (${labels}) (rate(${metric}{${OF_PROCESSES}}[$__rate_interval]))`.replace(" by ()", "");
const quantile = (q: number, metric: string) =>
  `histogram_quantile(${q}, sum by (le) (rate(${metric}_bucket{${OF_PROCESSES}}[$__rate_interval])))`;
const all = (how: "sum" | "max", metric: string) => `${how}(${metric}{${OF_PROCESSES}})`;
/** One line for each process. */
const byInstance = (how: "sum" | "max", metric: string, legend = "{{instance}}"): Query => [
  `${how} by (instance) (${metric}{${OF_PROCESSES}})`,
  legend,
];

const figures: readonly Figure[] = [
  {
    title: "Processes",
    description: "Processes of Hermod that answer.",
    unit: "none",
    expression: `count(hermod_build_info{${OF_PROCESSES}})`,
  },
  {
    title: "Waiting messages",
    description: "Messages in the queue, due or not. Each worker counts up to 100,000.",
    unit: "short",
    expression: all("sum", "hermod_queue_depth_messages"),
  },
  {
    title: "Oldest due message",
    description:
      "How long the oldest message that is due has been due. Minutes: workers do not keep up, or the queue is held.",
    unit: "s",
    expression: all("max", "hermod_oldest_due_age_seconds"),
    red: 300,
  },
  {
    title: "Holds",
    description: "Holds of the queue. The messages that they select wait until the holds are released.",
    unit: "none",
    expression: all("max", "hermod_queue_holds"),
    red: 1,
  },
  {
    title: "Quarantine",
    description: "Damaged messages that the operator must repair, release or drop.",
    unit: "none",
    expression: all("max", "hermod_quarantine_messages"),
    red: 1,
  },
  {
    title: "Counters behind",
    description: "How late the counters of statistics are.",
    unit: "s",
    expression: all("max", "hermod_uncounted_age_seconds"),
    red: 300,
  },
];

const rows: readonly (readonly [title: string, graphs: readonly Graph[]])[] = [
  [
    "Mail",
    [
      {
        title: "Submissions",
        description:
          "Submissions over HTTP, SMTP and gRPC by outcome. `replayed`: a repetition of an accepted one.",
        unit: "reqps",
        queries: [[rate("hermod_accepts_total", "outcome"), "{{outcome}}"]],
        isStacked: true,
      },
      {
        title: "Delivery attempts",
        description: "Attempts by the resulting state of their message.",
        unit: "reqps",
        queries: [[rate("hermod_deliveries_total", "outcome"), "{{outcome}}"]],
        isStacked: true,
      },
      {
        title: "Time to the end of delivery",
        description: "From acceptance, or `send_at`, to the end of delivery, including retries.",
        unit: "s",
        queries: [
          [quantile(0.5, "hermod_delivery_lag_seconds"), "half"],
          [quantile(0.95, "hermod_delivery_lag_seconds"), "95 %"],
        ],
      },
      {
        title: "Duration of an attempt",
        description: "By transport: half of the attempts are faster than the first line.",
        unit: "s",
        queries: [
          [quantile(0.5, "hermod_delivery_duration_seconds"), "half"],
          [quantile(0.95, "hermod_delivery_duration_seconds"), "95 %"],
        ],
      },
      {
        title: "Bounces, complaints and reports",
        description: "Mail to return paths by kind.",
        unit: "reqps",
        queries: [[rate("hermod_bounce_reports_total", "kind, outcome"), "{{kind}} {{outcome}}"]],
      },
      {
        title: "Size of messages",
        description: "Encoded for delivery.",
        unit: "bytes",
        queries: [
          [quantile(0.5, "hermod_message_size_bytes"), "half"],
          [quantile(0.95, "hermod_message_size_bytes"), "95 %"],
        ],
      },
    ],
  ],
  [
    "Queue and workers",
    [
      {
        title: "Waiting messages",
        description: "By worker.",
        unit: "short",
        queries: [byInstance("sum", "hermod_queue_depth_messages")],
        isStacked: true,
      },
      {
        title: "Oldest due message",
        description: "By worker.",
        unit: "s",
        queries: [byInstance("max", "hermod_oldest_due_age_seconds")],
      },
      {
        title: "Attempts in progress",
        description: "By worker, up to `HERMOD_WORKER_CONCURRENCY` each.",
        unit: "short",
        queries: [byInstance("sum", "hermod_deliveries_in_flight")],
        isStacked: true,
      },
      {
        title: "Destinations that want more",
        description:
          "The ten destinations with the most deliveries that could begin beyond what their limits permit.",
        unit: "short",
        queries: [
          [
            `topk(10, sum by (limit) (hermod_limit_wanted_in_flight{${OF_PROCESSES}}) - sum by (limit) (hermod_limit_held_in_flight{${OF_PROCESSES}}) > 0)`,
            "{{limit}}",
          ],
        ],
      },
      {
        title: "Path of new messages to a worker",
        description: "Many by `polling` mean that workers are full, or cannot reach a core.",
        unit: "reqps",
        queries: [[rate("hermod_handover_total", "via"), "{{via}}"]],
        isStacked: true,
      },
      {
        title: "Partitions",
        description: "Partitions of the queue that workers hold. The sum is `HERMOD_PARTITIONS`.",
        unit: "none",
        queries: [byInstance("sum", "hermod_held_partitions")],
        isStacked: true,
      },
    ],
  ],
  [
    "API and relay",
    [
      {
        title: "HTTP requests",
        description: "By status.",
        unit: "reqps",
        queries: [[rate("hermod_http_requests_total", "status"), "{{status}}"]],
        isStacked: true,
      },
      {
        title: "Slowest routes",
        description: "The five routes with the highest 95th percentile.",
        unit: "s",
        queries: [
          [
            `topk(5, histogram_quantile(0.95, sum by (le, route) (rate(hermod_http_request_duration_seconds_bucket{${OF_PROCESSES}}[$__rate_interval]))))`,
            "{{route}}",
          ],
        ],
      },
      {
        title: "Time to accept",
        description: "From the arrival of a submission in the core to its answer.",
        unit: "s",
        queries: [
          [quantile(0.5, "hermod_accept_duration_seconds"), "half"],
          [quantile(0.95, "hermod_accept_duration_seconds"), "95 %"],
          [quantile(0.99, "hermod_accept_duration_seconds"), "99 %"],
        ],
      },
      {
        title: "Refused submissions",
        description: "By error code.",
        unit: "reqps",
        queries: [
          [
            `sum by (code) (rate(hermod_accepts_total{${OF_PROCESSES}, outcome="refused"}[$__rate_interval])) > 0`,
            "{{code}}",
          ],
        ],
      },
      {
        title: "SMTP messages",
        description: "Messages over SMTP by reply code.",
        unit: "reqps",
        queries: [[rate("hermod_smtp_messages_total", "outcome, code"), "{{outcome}} {{code}}"]],
      },
      {
        title: "SMTP sessions and failed authentications",
        description: "Open sessions, and failures a minute by reason.",
        unit: "short",
        queries: [
          [all("sum", "hermod_smtp_sessions"), "sessions"],
          [`60 * ${rate("hermod_smtp_auth_failures_total", "reason")}`, "{{reason}} a minute"],
        ],
      },
    ],
  ],
  [
    "Health",
    [
      {
        title: "Clock",
        description: "Time by which the clock of a process is ahead of the store.",
        unit: "s",
        queries: [byInstance("max", "hermod_clock_skew_seconds")],
      },
      {
        title: "Damage and troubles",
        description:
          "In each hour: damaged documents and leases, quarantined messages, and errors after a decision.",
        unit: "short",
        queries: [
          [
            `sum by (kind) (increase(hermod_damaged_documents_total{${OF_PROCESSES}}[1h]))`,
            "damaged {{kind}}",
          ],
          [
            `sum by (kind) (increase(hermod_damaged_leases_total{${OF_PROCESSES}}[1h]))`,
            "damaged lease: {{kind}}",
          ],
          [`sum(increase(hermod_quarantined_total{${OF_PROCESSES}}[1h]))`, "quarantined"],
          [`sum(increase(hermod_accept_troubles_total{${OF_PROCESSES}}[1h]))`, "accept troubles"],
        ],
      },
      {
        title: "Counters behind, and migrations",
        description: "How late the counters of statistics are, and unfinished migrations of the database.",
        unit: "short",
        queries: [
          [all("max", "hermod_uncounted_age_seconds"), "counters, seconds"],
          [all("max", "hermod_unfinished_migrations"), "migrations"],
          [all("sum", "hermod_silent_threads"), "silent threads"],
        ],
      },
      {
        title: "Left out of logs",
        description:
          "Requests without their own entry in the request log, and opens and clicks without an event.",
        unit: "reqps",
        queries: [
          [rate("hermod_request_log_left_out_total"), "requests"],
          [rate("hermod_tracking_left_out_total"), "opens and clicks"],
        ],
      },
    ],
  ],
  [
    "Processes",
    [
      {
        title: "CPU",
        description: "Seconds of CPU time a second: 1 is one core.",
        unit: "none",
        queries: [
          [
            `sum by (instance) (rate(process_cpu_seconds_total{${OF_PROCESSES}}[$__rate_interval]))`,
            "{{instance}}",
          ],
        ],
      },
      {
        title: "Memory",
        description: "Resident memory.",
        unit: "bytes",
        queries: [byInstance("sum", "process_resident_memory_bytes")],
      },
      {
        title: "Event loop",
        description:
          "Delay of the event loop of the main thread, 99th percentile. Above 0.1 s, everything is late.",
        unit: "s",
        queries: [byInstance("max", "nodejs_eventloop_lag_p99_seconds")],
      },
      {
        title: "Open files",
        description: "Open files and sockets, and submissions in memory.",
        unit: "short",
        queries: [byInstance("sum", "process_open_fds")],
      },
      {
        title: "Submissions in memory",
        description: "By role.",
        unit: "bytes",
        queries: [
          [`sum by (instance, role) (hermod_bytes_in_flight{${OF_PROCESSES}})`, "{{instance}} {{role}}"],
        ],
      },
      {
        title: "Streams of new messages",
        description:
          "Cores that stream new messages to each worker, and partitions with a worker that is subscribed to a core.",
        unit: "none",
        queries: [
          byInstance("sum", "hermod_dispatch_streams", "{{instance}}: cores"),
          byInstance("sum", "hermod_dispatch_partitions", "{{instance}}: partitions"),
        ],
      },
    ],
  ],
];

/** Grafana's dashboard of an installation. */
export function grafanaDashboard(): Dashboard {
  const builder = new DashboardBuilder("Hermod")
    .uid("hermod")
    .description("Mail, queue, API, relay and health of an installation of Hermod.")
    .tags(["hermod", "mail"])
    .timezone("browser")
    .time({ from: "now-6h", to: "now" })
    .refresh("30s")
    .editable()
    .withVariable(new DatasourceVariableBuilder("datasource").label("Data source").type("prometheus"))
    .withVariable(choice("job", "label_values(hermod_build_info, job)"))
    .withVariable(choice("instance", `label_values(hermod_build_info{job=~"$job"}, instance)`));
  for (const figure of figures) builder.withPanel(statOf(figure));
  for (const [title, graphs] of rows) {
    builder.withRow(new RowBuilder(title));
    for (const graph of graphs) builder.withPanel(graphOf(graph));
  }
  return builder.build();
}

function choice(name: string, query: string): QueryVariableBuilder {
  return new QueryVariableBuilder(name)
    .query(query)
    .datasource(SOURCE)
    .multi(true)
    .includeAll(true)
    .allValue(".*")
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc);
}

function statOf({ title, description, unit, expression, red }: Figure): StatBuilder {
  const steps = [
    { value: null, color: "green" },
    ...(red === undefined ? [] : [{ value: red, color: "red" }]),
  ];
  return new StatBuilder()
    .title(title)
    .description(description)
    .datasource(SOURCE)
    .unit(unit)
    .height(4)
    .span(4)
    .thresholds(new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps))
    .withTarget(new DataqueryBuilder().refId("A").expr(expression).instant());
}

function graphOf({ title, description, unit, queries, isStacked = false }: Graph): TimeBuilder {
  const panel = new TimeBuilder()
    .title(title)
    .description(description)
    .datasource(SOURCE)
    .unit(unit)
    .min(0)
    .height(8)
    .span(8)
    .drawStyle(GraphDrawStyle.Line)
    .showPoints(VisibilityMode.Never)
    .fillOpacity(isStacked ? 30 : 8)
    .stacking(new StackingConfigBuilder().mode(isStacked ? StackingMode.Normal : StackingMode.None));
  queries.forEach(([expression, legend], index) => {
    const refId = String.fromCharCode("A".charCodeAt(0) + index);
    panel.withTarget(new DataqueryBuilder().refId(refId).expr(expression).legendFormat(legend).range());
  });
  return panel;
}
