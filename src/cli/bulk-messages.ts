import { create } from "@bufbuild/protobuf";
import { BulkActionSchema, type CountBulkResponse } from "../../gen/hermod/message/v1/message_service_pb.ts";
import { confirmedJobCommand } from "./confirmed-job.ts";
import { commandGroup } from "./core-command.ts";
import {
  choosesMessages,
  MESSAGE_FILTER,
  type MessageFilterOptions,
  messageFilterOf,
} from "./input/message-filter.ts";
import { printable, shortened } from "./output/text.ts";

/** `hermod message bulk <action>`: shows the number of selected messages, asks, and shows the progress of the job. */
export const bulkMessages = commandGroup(
  "bulk",
  "Cancel, retry or resend all messages that match a filter.",
  () => [
    bulkCommand("cancel", "Cancel messages that are not delivered yet."),
    bulkCommand("retry", "Retry deferred messages now."),
    bulkCommand("resend", "Resend finished messages as new messages."),
  ],
);

function bulkCommand(action: string, description: string) {
  return confirmedJobCommand({
    name: action,
    description: `${description} Shows the number of messages and asks first.`,
    arguments: [["[ids...]", "ids of up to 1000 messages, instead of a filter"]],
    options: MESSAGE_FILTER,
    count: async ({ core, account, args }, options: MessageFilterOptions) => {
      const filter = choosesMessages(options) ? { filter: messageFilterOf(options) } : {};
      const bulk = create(BulkActionSchema, { action, ids: [...args], ...filter });
      const counted = await core.messages.countBulk({ accountId: account, bulk });
      const { confirmation } = counted;
      return {
        described: described(action, counted),
        begin: () => core.messages.beginBulk({ accountId: account, bulk, confirmation }),
      };
    },
  });
}

/** The number of selected messages, and some of them. */
function described(action: string, { count, actionable, hasMore, sample }: CountBulkResponse): string {
  const all = `${hasMore ? "more than " : ""}${count} messages selected`;
  const able = `${hasMore ? "of the counted ones " : ""}${actionable} can be processed (${action})`;
  const lines = sample.map(
    ({ id, state, recipient, subject }) =>
      `  ${id}  ${state}  ${shortened(printable(recipient), 40)}  ${shortened(printable(subject), 50)}`,
  );
  return [`${all}, ${able}${lines.length > 0 ? ", for example:" : "."}`, ...lines].join("\n");
}
