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
import { watchJob } from "./watch-job.ts";

/** `hermod delivery` */
export const deliveries = commandGroup("delivery", "What webhook endpoints were sent.", () => [
  deliveryList,
  deliveryShow,
  deliveryRetry,
  deliveryReplay,
]);

/** `hermod delivery list`: the youngest events first. */
const deliveryList = listCommand({
  description: "List the deliveries to an endpoint, those of the youngest events first.",
  arguments: [["<endpoint>", "its id"]],
  options: [["--state <state>", "only these: pending, delivered, failed or dropped", ""]],
  limit: 50,
  call: ({ core, account, args: [endpointId = ""], page }, { state }: { state: string }) =>
    core.deliveries.listDeliveries({ accountId: account, endpointId, state, ...page }),
  of: "deliveries",
  schema: DeliverySchema,
  columns: [
    ["TIME", ({ at }) => plainTime(at)],
    ["EVENT", ({ type }) => printable(type)],
    ["STATE", ({ state }) => state],
    ["ATTEMPTS", ({ attempts }) => attempts],
    ["NEXT", ({ dueAt }) => plainTime(dueAt) || "-"],
    ["DELIVERY", ({ id }) => printable(id)],
  ],
  none: "There are no such deliveries.",
});

/** `hermod delivery show` */
const deliveryShow = showCommand({
  name: "show",
  description: "Show what was sent in a delivery, and what was answered.",
  arguments: [["<delivery>", "its id"]],
  call: ({ core, account, args: [id = ""] }) => core.deliveries.getDelivery({ accountId: account, id }),
  of: "delivery",
  schema: DeliverySchema,
  text: described,
});

/** `hermod delivery retry`: at once, and not at the next attempt. */
const deliveryRetry = coreCommand(
  {
    name: "retry",
    description: "Send a waiting delivery now, or all that wait for an endpoint.",
    arguments: [["[delivery]", "its id"]],
    options: [["--endpoint <endpoint>", "all that wait for this endpoint"]],
  },
  async ({ core, account, args: [id] }, { endpoint }: Pick<ReplayOptions, "endpoint">) => {
    if ((id === undefined) === (endpoint === undefined))
      throw fault("request.validation_failed", {
        public: say("name_delivery_endpoint_all_wait"),
      });
    if (id !== undefined) {
      const { delivery } = await core.deliveries.retryDelivery({ accountId: account, id });
      return { json: deliveryJson(delivery), text: () => `${printable(id)} is sent now.` };
    }
    const asked = { accountId: account, endpointId: endpoint ?? "" };
    const { count, hasMore } = await core.deliveries.retryDeliveries(asked);
    return {
      json: { count, has_more: hasMore },
      text: () => `${count} waiting deliveries are sent now.`,
      note: hasMore ? "More deliveries wait: run the command again." : undefined,
    };
  },
);

interface ReplayOptions extends TimeRange {
  readonly endpoint?: string;
  readonly delivered?: boolean;
  readonly yes?: boolean;
  readonly detach?: boolean;
}

/** `hermod delivery replay`: one, or many of an endpoint, which are counted first. */
const deliveryReplay = coreCommand(
  {
    name: "replay",
    description: "Send a delivery once more, under its id, or all of an endpoint that have failed.",
    arguments: [["[delivery]", "its id"]],
    options: [
      ["--endpoint <endpoint>", "many: those to this endpoint"],
      ["--from <moment>", "many: of what happened from then on, as 2030-01-02T09:00:00Z", readMoment],
      ["--until <moment>", "many: of what happened before then", readMoment],
      ["--delivered", "many: those that were taken, too"],
      ["--yes", "do not ask"],
      ["--detach", "do not wait for the end: it goes on in the background"],
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
    return { json: deliveryJson(delivery), text: () => `${printable(id)} is sent once more.` };
  },
);

const deliveryJson = (delivery: Delivery | undefined) =>
  messageJson(DeliverySchema, required(delivery, "delivery"));

async function replayMany(context: CommandContext, options: ReplayOptions) {
  const { core, account, paint, isJson, surroundings } = context;
  const { endpoint: endpointId = "", delivered = false } = options;
  const replays = { endpointId, delivered, ...timesOf({ until: new Date(), ...options }) };
  const { count, hasMore } = await core.deliveries.countReplays({ accountId: account, replays });
  if (!options.yes) {
    const all = `${hasMore ? "More than " : ""}${count} deliveries are meant.`;
    if (!isJson) surroundings.err.write(`${all}\n`);
    await confirm(surroundings, "Go on?");
  }
  const begun = await core.deliveries.beginReplays({ accountId: account, replays });
  const job = required(begun.job, "job");
  const last = options.detach ? job : await watchJob(context, job.id);
  return { json: messageJson(JobSchema, last), text: () => describeJob(paint, last) };
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
