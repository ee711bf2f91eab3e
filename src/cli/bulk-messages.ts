import { create } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { BulkActionSchema, type CountBulkResponse } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { type CommandContext, coreCommand } from "./core-command.ts";
import { confirm } from "./input/confirm.ts";
import {
  choosesMessages,
  type MessageFilterOptions,
  messageFilterOf,
  withMessageFilter,
} from "./input/message-filter.ts";
import { describeJob, jobJson } from "./output/describe-job.ts";
import { printable, shortened } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";
import { watchJob } from "./watch-job.ts";

/** What can be done with many messages, and the sentence of the help. */
const actions = {
  cancel: "Withdraw messages that are not delivered yet.",
  retry: "Try deferred messages now.",
  resend: "Send finished messages once more, as new ones.",
} as const;

interface BulkOptions extends MessageFilterOptions {
  readonly yes?: boolean;
  readonly detach?: boolean;
}

/** `hermod message bulk <action>`: says how many are meant, asks, and shows how far the job is. */
export function bulkMessages(parent: Command, surroundings: Surroundings): void {
  const group = parent.command("bulk").description("Do something with all messages that a filter finds.");
  for (const [action, description] of Object.entries(actions)) {
    const command = withMessageFilter(group.command(action))
      .description(`${description} Says how many are meant, and asks.`)
      .argument("[ids...]", "messages by id, instead of a filter; up to 1000")
      .option("--yes", "do not ask")
      .option("--detach", "do not wait for the end: it goes on in the background");
    coreCommand<BulkOptions>(surroundings, command, (context, options) =>
      run(action, { context, options, surroundings }),
    );
  }
}

interface Run {
  readonly context: CommandContext;
  readonly options: BulkOptions;
  readonly surroundings: Surroundings;
}

async function run(action: string, { context, options, surroundings }: Run) {
  const { core, account, paint, args, isJson } = context;
  const filter = choosesMessages(options) ? { filter: messageFilterOf(options) } : {};
  const bulk = create(BulkActionSchema, { action, ids: [...args], ...filter });
  const counted = await core.messages.countBulk({ accountId: account, bulk });
  if (!options.yes) {
    if (!isJson) surroundings.err.write(`${described(action, counted)}\n`);
    await confirm(surroundings, "Go on?");
  }
  const { confirmation } = counted;
  const { job } = await core.messages.beginBulk({ accountId: account, bulk, confirmation });
  if (!job) throw fault("internal.error", { internal: "the core answered without the job" });
  const last = options.detach ? job : await watchJob(context, job.id, surroundings.err);
  const note = `What became of each: hermod job results ${job.id}`;
  return { json: jobJson(last), text: () => describeJob(paint, last), note };
}

/** How many are meant, and some of them. */
function described(action: string, { count, actionable, hasMore, sample }: CountBulkResponse): string {
  const all = `${hasMore ? "more than " : ""}${count} messages are meant`;
  const able = `${hasMore ? "of those counted " : ""}${actionable} can be acted on (${action})`;
  const lines = sample.map(
    ({ id, state, recipient, subject }) =>
      `  ${id}  ${state}  ${shortened(printable(recipient), 40)}  ${shortened(printable(subject), 50)}`,
  );
  return [`${all}, ${able}${lines.length > 0 ? ", as" : "."}`, ...lines].join("\n");
}
