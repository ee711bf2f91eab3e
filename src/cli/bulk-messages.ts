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
  return confirmedJobCommand({
    name: action,
    description: `${description} Says how many are meant, and asks.`,
    arguments: [["[ids...]", "messages by id, instead of a filter; up to 1000"]],
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
