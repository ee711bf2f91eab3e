import { type Command, Option } from "commander";
import type { Message } from "../../../gen/hermod/message/v1/message_service_pb.ts";
import { messageStates } from "../../shared/message-state.ts";
import { coreCommand } from "../core-command.ts";
import { LIMIT_MAX, readLimit } from "../input/read-limit.ts";
import { listJson } from "../output/list-json.ts";
import { paintState } from "../output/paint.ts";
import { printable, shortened } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { plainTime } from "../output/time.ts";
import { messageJson } from "../resources/message.ts";
import type { Surroundings } from "../surroundings.ts";

interface Options {
  readonly state?: string;
  readonly limit: number;
  readonly cursor?: string;
}

const MAX_PAGES = 100;
const heading = ["ID", "STATE", "CREATED", "RECIPIENT", "ATTEMPTS", "SUBJECT"];

/** `hermod message list`: newest first. */
export function messageList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List messages, newest first.")
    .addOption(new Option("--state <state>", "only those in this state").choices(messageStates))
    .option("--limit <count>", `how many, 1 to ${LIMIT_MAX}`, readLimit, 50)
    .option("--cursor <cursor>", "go on behind an earlier list: its next_cursor");

  coreCommand<Options>(surroundings, command, async ({ core, account, paint }, { state, limit, cursor }) => {
    const messages: Message[] = [];
    let nextPageToken = cursor ?? "";
    // The core looks through so many messages a page: those of a rare state are found in several.
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await core.messages.listMessages({
        accountId: account,
        pageSize: limit - messages.length,
        pageToken: nextPageToken,
        state: state ?? "",
      });
      messages.push(...answer.messages);
      nextPageToken = answer.nextPageToken;
      if (state === undefined || nextPageToken === "" || messages.length >= limit) break;
    }
    const rows = messages.map((message) => [
      message.id,
      paintState(paint, message.state),
      plainTime(message.createdAt),
      shortened(printable(message.recipient), 40),
      String(message.attempts),
      shortened(printable(message.subject), 50),
    ]);
    return {
      json: listJson(messages.map(messageJson), nextPageToken),
      text: () =>
        table(paint, heading, rows, state ? `There are no ${state} messages.` : "There are no messages."),
      ...(nextPageToken !== "" && { note: `There are more: --cursor ${nextPageToken}` }),
    };
  });
}
