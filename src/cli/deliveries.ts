import { type Delivery, DeliverySchema } from "../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { type CommandContext, commandGroup, coreCommand } from "./core-command.ts";
import { confirm } from "./input/confirm.ts";
import { readMoment } from "./input/read-options.ts";
import { type TimeRange, timesOf } from "./input/time-range.ts";
import { listCommand } from "./list-command.ts";
import { describeJob } from "./output/describe-job.ts";
import { messageJson } from "./output/json.ts";
import { plainTime, printable, span } from "./output/text.ts";
import { required, showCommand } from "./show-command.ts";
import { hasFailed, watchJob } from "./watch-job.ts";

/** `hermod delivery` */
export const deliveries = commandGroup("delivery", "Deliveries of events to webhook endpoints.", () => [
  deliveryList,
  deliveryShow,
  deliveryRetry,
  deliveryReplay,
]);

interface ListOptions extends TimeRange {
  readonly state: string;
  readonly type: string;
  readonly status: string;
  readonly message: string;
  readonly event: string;
}

/** `hermod delivery list`: newest events first. */
const deliveryList = listCommand({
  description: "List the deliveries to an endpoint, or to all endpoints, newest events first.",
  arguments: [["[endpoint]", "id of the endpoint"]],
  options: [
    ["--state <state>", "only deliveries in this state: pending, delivered, failed or dropped", ""],
    ["--type <type>", "only events of this type, for example message.bounced", ""],
    ["--status <class>", "only with this answer to the last attempt: 2xx, 3xx, 4xx, 5xx or none", ""],
    ["--message <message>", "only events of this message", ""],
    ["--event <event>", "only deliveries of this event", ""],
    ["--from <moment>", "only events at or after this time, for example 2030-01-02T09:00:00Z", readMoment],
    ["--until <moment>", "only events before this time", readMoment],
  ],
  limit: 50,
  call: async ({ core, account, args: [endpointId = ""], page }, options: ListOptions) => {
    const { state, type, status, message: messageId, event: eventId } = options;
    const others = { type, status, messageId, eventId, ...timesOf(options) };
    const isFiltered = Object.values(others).some((value) => value !== "");
    if (endpointId !== "" && !isFiltered)
      return core.deliveries.listDeliveries({ accountId: account, endpointId, state, ...page });
    const filter = { endpointId, state, ...others };
    return core.deliveries.listAllDeliveries({ accountId: account, filter, ...page });
  },
  of: "deliveries",
  schema: DeliverySchema,
  columns: [
    ["TIME", ({ at }) => plainTime(at)],
    ["EVENT", ({ type }) => printable(type)],
    ["STATE", ({ state }) => state],
    ["STATUS", ({ lastAttempt }) => (lastAttempt ? lastAttempt.status || "none" : "-")],
    ["ATTEMPTS", ({ attempts }) => attempts],
    ["NEXT", ({ dueAt }) => plainTime(dueAt) || "-"],
    ["DELIVERY", ({ id }) => printable(id)],
  ],
  none: "No deliveries match.",
});

/** `hermod delivery show` */
const deliveryShow = showCommand({
  name: "show",
  description: "Show the requests of a delivery and their responses.",
  arguments: [["<delivery>", "id of the delivery"]],
  call: ({ core, account, args: [id = ""] }) => core.deliveries.getDelivery({ accountId: account, id }),
  of: "delivery",
  schema: DeliverySchema,
  text: described,
});

/** `hermod delivery retry`: makes the next attempt now. */
const deliveryRetry = coreCommand(
  {
    name: "retry",
    description: "Retry a waiting delivery, or all waiting deliveries of an endpoint, now.",
    arguments: [["[delivery]", "id of the delivery"]],
    options: [["--endpoint <endpoint>", "all waiting deliveries of this endpoint"]],
  },
  async ({ core, account, args: [id] }, { endpoint }: Pick<ReplayOptions, "endpoint">) => {
    if ((id === undefined) === (endpoint === undefined))
      throw fault("request.validation_failed", {
        public: say("name_delivery_endpoint_all_wait"),
      });
    if (id !== undefined) {
      const { delivery } = await core.deliveries.retryDelivery({ accountId: account, id });
      return { json: deliveryJson(delivery), text: () => `Retrying ${printable(id)} now.` };
    }
    const asked = { accountId: account, endpointId: endpoint ?? "" };
    const { count, hasMore } = await core.deliveries.retryDeliveries(asked);
    return {
      json: { count, has_more: hasMore },
      text: () => `Retrying ${count} waiting deliveries now.`,
      note: hasMore ? "More deliveries wait: run the command again." : undefined,
    };
  },
);

interface ReplayOptions extends TimeRange {
  readonly endpoint?: string;
  readonly delivered?: boolean;
  readonly type?: string[];
  readonly status?: string;
  readonly yes?: boolean;
  readonly detach?: boolean;
}

/** `hermod delivery replay`: one delivery, or many of an endpoint, which are counted first. */
const deliveryReplay = coreCommand(
  {
    name: "replay",
    description: "Resend a delivery under the same id, or all failed deliveries of an endpoint.",
    arguments: [["[delivery]", "id of the delivery"]],
    options: [
      ["--endpoint <endpoint>", "failed deliveries of this endpoint"],
      [
        "--from <moment>",
        "with --endpoint: events at or after this time, for example 2030-01-02T09:00:00Z",
        readMoment,
      ],
      ["--until <moment>", "with --endpoint: events before this time", readMoment],
      ["--delivered", "with --endpoint: also deliveries that succeeded"],
      ["--type <types...>", "with --endpoint: only events of these types"],
      ["--status <class>", "with --endpoint: only with this answer: 2xx, 3xx, 4xx, 5xx or none"],
      ["--yes", "do not ask"],
      ["--detach", "do not wait for the end of the job"],
    ],
  },
  async (context, options: ReplayOptions) => {
    const { core, account, args } = context;
    const [id] = args;
    if ((id === undefined) === (options.endpoint === undefined))
      throw fault("request.validation_failed", {
        public: say("name_delivery_endpoint_many"),
      });
    if (id === undefined) return replayMany(context, options);
    const { delivery } = await core.deliveries.replayDelivery({ accountId: account, id });
    return { json: deliveryJson(delivery), text: () => `Resending ${printable(id)}.` };
  },
);

const deliveryJson = (delivery: Delivery | undefined) =>
  messageJson(DeliverySchema, required(delivery, "delivery"));

async function replayMany(context: CommandContext, options: ReplayOptions) {
  const { core, account, paint, isJson, environment } = context;
  const { endpoint: endpointId = "", delivered = false, type: types = [], status = "" } = options;
  const times = timesOf({ until: new Date(), ...options });
  const replays = { endpointId, delivered, types, status, ...times };
  const { count, hasMore } = await core.deliveries.countReplays({ accountId: account, replays });
  if (!options.yes) {
    const all = `${hasMore ? "More than " : ""}${count} deliveries selected.`;
    if (!isJson) environment.err.write(`${all}\n`);
    await confirm(environment, "Continue?");
  }
  const begun = await core.deliveries.beginReplays({ accountId: account, replays });
  const job = required(begun.job, "job");
  const last = options.detach ? job : await watchJob(context, job.id);
  const text = () => describeJob(paint, last);
  return { json: messageJson(JobSchema, last), text, isFailure: hasFailed(last) };
}

function described({ id, type, state, at, dueAt, endReason, tries, body }: Delivery): string {
  const lines = [
    `${printable(id)}: ${printable(type)} of ${plainTime(at)}, ${state}`,
    ...(dueAt ? [`next attempt: ${plainTime(dueAt)}`] : []),
    ...(endReason === "" ? [] : [printable(endReason)]),
    ...tries.map(({ at, url, address, detail, durationMs }) =>
      [plainTime(at), printable(url), printable(address) || "-", printable(detail), span(durationMs)].join(
        "  ",
      ),
    ),
    ...(body === "" ? [] : ["", printable(body)]),
  ];
  return lines.join("\n");
}
