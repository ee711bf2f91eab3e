import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import type { Delivery } from "../../gen/hermod/delivery/v1/delivery_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { type CommandContext, coreCommand } from "./core-command.ts";
import { confirm } from "./input/confirm.ts";
import { LIMIT_MAX, readLimit, readMoment } from "./input/read-options.ts";
import { describeJob, jobJson } from "./output/describe-job.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable, span } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";
import { watchJob } from "./watch-job.ts";

/** `hermod delivery` */
export function deliveries(program: Command, surroundings: Surroundings): void {
  const group = program.command("delivery").description("What webhook endpoints were sent.");
  deliveryList(group, surroundings);
  deliveryShow(group, surroundings);
  deliveryRetry(group, surroundings);
  deliveryReplay(group, surroundings);
}

interface ListOptions {
  readonly state: string;
  readonly limit: number;
  readonly cursor: string;
}

/** `hermod delivery list`: the youngest events first. */
function deliveryList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .argument("<endpoint>", "its id")
    .description("List the deliveries to an endpoint, those of the youngest events first.")
    .option("--state <state>", "only these: pending, delivered, failed or dropped", "")
    .option("--limit <count>", `how many at most, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor", "");
  coreCommand<ListOptions>(
    surroundings,
    command,
    async ({ core, account, paint, args: [endpointId = ""] }, { state, limit, cursor }) => {
      const asked = { accountId: account, endpointId, state, pageSize: limit, pageToken: cursor };
      const found = await core.deliveries.listDeliveries(asked);
      const rows = found.deliveries.map((delivery) => [
        plainTime(delivery.at),
        printable(delivery.type),
        delivery.state,
        String(delivery.attempts),
        plainTime(delivery.dueAt) || "-",
        printable(delivery.id),
      ]);
      const heading = ["TIME", "EVENT", "STATE", "ATTEMPTS", "NEXT", "DELIVERY"];
      return {
        json: listJson(found.deliveries.map(deliveryJson), found.nextPageToken),
        text: () => table(paint, heading, rows, "There are no such deliveries."),
        ...(found.nextPageToken !== "" && { note: `There are more: --cursor ${found.nextPageToken}` }),
      };
    },
  );
}

/** `hermod delivery show` */
function deliveryShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<delivery>", "its id")
    .description("Show what was sent in a delivery, and what was answered.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const { delivery } = await core.deliveries.getDelivery({ accountId: account, id });
    return { json: deliveryJson(found(delivery)), text: () => described(found(delivery)) };
  });
}

/** `hermod delivery retry`: at once, and not at the next attempt. */
function deliveryRetry(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("retry")
    .argument("[delivery]", "its id")
    .description("Send a waiting delivery now, or all that wait for an endpoint.")
    .option("--endpoint <endpoint>", "all that wait for this endpoint");
  coreCommand<Pick<ReplayOptions, "endpoint">>(
    surroundings,
    command,
    async ({ core, account, args }, { endpoint }) => {
      const [id] = args;
      if ((id === undefined) === (endpoint === undefined))
        throw fault("request.validation_failed", {
          public: "Name a delivery, or --endpoint for all that wait there. Nothing was sent.",
        });
      if (id !== undefined) {
        const { delivery } = await core.deliveries.retryDelivery({ accountId: account, id });
        return { json: deliveryJson(found(delivery)), text: () => `${printable(id)} is sent now.` };
      }
      const asked = { accountId: account, endpointId: endpoint ?? "" };
      const { count, hasMore } = await core.deliveries.retryDeliveries(asked);
      return {
        json: { count, has_more: hasMore },
        text: () => `${count} waiting deliveries are sent now.`,
        ...(hasMore && { note: "More deliveries wait: run the command again." }),
      };
    },
  );
}

interface ReplayOptions {
  readonly endpoint?: string;
  readonly from?: Date;
  readonly until?: Date;
  readonly delivered?: boolean;
  readonly yes?: boolean;
  readonly detach?: boolean;
}

/** `hermod delivery replay`: one, or many of an endpoint, which are counted first. */
function deliveryReplay(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("replay")
    .argument("[delivery]", "its id")
    .description("Send a delivery once more, under its id, or all of an endpoint that have failed.")
    .option("--endpoint <endpoint>", "many: those to this endpoint")
    .option("--from <moment>", "many: of what happened from then on, as 2030-01-02T09:00:00Z", readMoment)
    .option("--until <moment>", "many: of what happened before then", readMoment)
    .option("--delivered", "many: those that were taken, too")
    .option("--yes", "do not ask")
    .option("--detach", "do not wait for the end: it goes on in the background");
  coreCommand<ReplayOptions>(surroundings, command, async (context, options) => {
    const { core, account, args } = context;
    const [id] = args;
    if ((id === undefined) === (options.endpoint === undefined))
      throw fault("request.validation_failed", {
        public: "Name a delivery, or --endpoint for many. Nothing was sent.",
      });
    if (id === undefined) return replayMany(context, options, surroundings);
    const { delivery } = await core.deliveries.replayDelivery({ accountId: account, id });
    return { json: deliveryJson(found(delivery)), text: () => `${printable(id)} is sent once more.` };
  });
}

async function replayMany(context: CommandContext, options: ReplayOptions, surroundings: Surroundings) {
  const { core, account, paint, isJson } = context;
  const { endpoint: endpointId = "", from, until = new Date(), delivered = false } = options;
  const replays = {
    endpointId,
    delivered,
    until: timestampFromDate(until),
    ...(from && { from: timestampFromDate(from) }),
  };
  const { count, hasMore } = await core.deliveries.countReplays({ accountId: account, replays });
  if (!options.yes) {
    const all = `${hasMore ? "More than " : ""}${count} deliveries are meant.`;
    if (!isJson) surroundings.err.write(`${all}\n`);
    await confirm(surroundings, "Go on?");
  }
  const { job } = await core.deliveries.beginReplays({ accountId: account, replays });
  if (!job) throw fault("internal.error", { internal: "the core answered without the job" });
  const last = options.detach ? job : await watchJob(context, job.id, surroundings.err);
  return { json: jobJson(last), text: () => describeJob(paint, last) };
}

function found(delivery: Delivery | undefined): Delivery {
  if (!delivery) throw fault("internal.error", { internal: "the core answered without the delivery" });
  return delivery;
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

/** A delivery as `--json` writes it; in lists it has no body and no tries. */
function deliveryJson(delivery: Delivery) {
  return {
    id: delivery.id,
    account_id: delivery.accountId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    type: delivery.type,
    message_id: delivery.messageId || null,
    at: isoTime(delivery.at),
    state: delivery.state,
    attempts: delivery.attempts,
    due_at: isoTime(delivery.dueAt),
    ended_at: isoTime(delivery.endedAt),
    end_reason: delivery.endReason || null,
    body: delivery.body || null,
    tries: delivery.tries.map((one) => ({
      at: isoTime(one.at),
      duration_ms: one.durationMs,
      url: one.url,
      address: one.address || null,
      status: one.status || null,
      detail: one.detail,
      answer: one.answer || null,
    })),
  };
}
