import type { Command } from "commander";
import type { WatchEventsResponse } from "../../gen/hermod/event/v1/event_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { type Paint, paintState } from "./output/paint.ts";
import { plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

interface EventOptions {
  readonly type?: readonly string[];
  readonly tag?: readonly string[];
  readonly policy?: readonly string[];
  readonly after: string;
}

/** `hermod event` */
export function events(program: Command, surroundings: Surroundings): void {
  const group = program.command("event").description("What has happened, as services and webhooks are told.");
  eventList(group, surroundings);
  eventWatch(group, surroundings);
}

type EventPage = Pick<WatchEventsResponse, "events" | "cursor">;

const filtered = (command: Command) =>
  command
    .option("--type <type...>", "only events of these types, as message.bounced")
    .option("--tag <tag...>", "only of messages with one of these tags")
    .option("--policy <name...>", "only of messages of these routing policies")
    .option("--after <cursor>", "go on behind this cursor, which --json tells", "");

const filterOf = ({ type = [], tag = [], policy = [] }: EventOptions, accountId: string) => ({
  accountId,
  types: [...type],
  tags: [...tag],
  routingPolicies: [...policy],
});

/** `hermod event list`: the oldest that are kept first. */
function eventList(parent: Command, surroundings: Surroundings): void {
  const { out } = surroundings;
  const command = filtered(
    parent.command("list").description("List events of the last three days, the oldest first."),
  );
  coreCommand<EventOptions>(surroundings, command, async ({ core, account, paint, isJson }, options) => {
    const filter = filterOf(options, account);
    for (let { after } = options; ; ) {
      const page = await core.events.listEvents({ filter, after, pageSize: 100 });
      out.write(textOf(page, paint, isJson));
      if (!page.hasMore) return undefined;
      after = page.cursor;
    }
  });
}

/** `hermod event watch`: what happens, until it is interrupted. */
function eventWatch(parent: Command, surroundings: Surroundings): void {
  const { out } = surroundings;
  const command = filtered(parent.command("watch").description("Show events as they happen."));
  coreCommand<EventOptions>(surroundings, command, async ({ core, account, paint, isJson }, options) => {
    const filter = filterOf(options, account);
    for await (const page of core.events.watchEvents({ filter, after: options.after }))
      out.write(textOf(page, paint, isJson));
    return undefined;
  });
}

/** A line for each event, or one of JSON for all of them, with the cursor behind them. */
function textOf({ events: told, cursor }: EventPage, paint: Paint, isJson: boolean): string {
  if (isJson)
    return `${JSON.stringify({ cursor, events: told.map(({ payload }) => JSON.parse(payload)) })}\n`;
  const lines = told.map(({ id, type, at }) => {
    const [, kind = ""] = type.split(".");
    return `${plainTime(at)}  ${paintState(paint, kind)}  ${printable(id)}\n`;
  });
  return lines.join("");
}
