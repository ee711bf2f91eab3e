import { create } from "@bufbuild/protobuf";
import { JobSchema } from "../../gen/hermod/job/v1/job_service_pb.ts";
import { BulkActionSchema, type CountBulkResponse } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { confirm } from "./input/confirm.ts";
import {
  choosesMessages,
  MESSAGE_FILTER,
  type MessageFilterOptions,
  messageFilterOf,
} from "./input/message-filter.ts";
import { describeJob } from "./output/describe-job.ts";
import { printable, shortened } from "./output/text.ts";
import { required, showCommand } from "./show-command.ts";
import { watchJob } from "./watch-job.ts";

interface BulkOptions extends MessageFilterOptions {
  readonly yes?: boolean;
  readonly detach?: boolean;
}

/** `hermod message bulk <action>`: says how many are meant, asks, and shows how far the job is. */
export const bulkMessages = commandGroup(
  "bulk",
  "Do something with all messages that a filter finds.",
  () => [
    bulkCommand("cancel", "Withdraw messages that are not delivered yet."),
    bulkCommand("retry", "Try deferred messages now."),
    bulkCommand("resend", "Send finished messages once more, as new ones."),
  ],
);

function bulkCommand(action: string, description: string) {
  return showCommand({
    name: action,
    description: `${description} Says how many are meant, and asks.`,
    arguments: [["[ids...]", "messages by id, instead of a filter; up to 1000"]],
    options: [
      ...MESSAGE_FILTER,
      ["--yes", "do not ask"],
      ["--detach", "do not wait for the end: it goes on in the background"],
    ],
    call: async (context, options: BulkOptions) => {
      const { core, account, args, isJson, surroundings } = context;
      const filter = choosesMessages(options) ? { filter: messageFilterOf(options) } : {};
      const bulk = create(BulkActionSchema, { action, ids: [...args], ...filter });
      const counted = await core.messages.countBulk({ accountId: account, bulk });
      if (!options.yes) {
        if (!isJson) surroundings.err.write(`${described(action, counted)}\n`);
        await confirm(surroundings, "Go on?");
      }
      const { confirmation } = counted;
      const begun = await core.messages.beginBulk({ accountId: account, bulk, confirmation });
      const job = required(begun.job, "job");
      return { job: options.detach ? job : await watchJob(context, job.id) };
    },
    of: "job",
    schema: JobSchema,
    text: (job, { paint }) => describeJob(paint, job),
    note: ({ id }) => `What became of each: hermod job results ${id}`,
  });
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
