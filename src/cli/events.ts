import type { WatchEventsResponse } from "../../gen/hermod/event/v1/event_service_pb.ts";
import { type CommandOption, commandGroup, coreCommand } from "./core-command.ts";
import { type Paint, paintState } from "./output/paint.ts";
import { plainTime, printable } from "./output/text.ts";

interface EventOptions {
  readonly type?: readonly string[];
  readonly tag?: readonly string[];
  readonly policy?: readonly string[];
  readonly after: string;
}

/** `hermod event` */
export const events = commandGroup("event", "What has happened, as services and webhooks are told.", () => [
  eventList,
  eventWatch,
]);

type EventPage = Pick<WatchEventsResponse, "events" | "cursor">;

const FILTER: readonly CommandOption[] = [
  ["--type <type...>", "only events of these types, as message.bounced"],
  ["--tag <tag...>", "only of messages with one of these tags"],
  ["--policy <name...>", "only of messages of these routing policies"],
  ["--after <cursor>", "go on behind this cursor, which --json tells", ""],
];

const filterOf = ({ type = [], tag = [], policy = [] }: EventOptions, accountId: string) => ({
  accountId,
  types: [...type],
  tags: [...tag],
  routingPolicies: [...policy],
});

/** `hermod event list`: the oldest that are kept first. */
const eventList = coreCommand(
  {
    name: "list",
    description: "List events of the last three days, the oldest first.",
    options: FILTER,
  },
  async ({ core, account, paint, isJson, surroundings: { out } }, options: EventOptions) => {
    const filter = filterOf(options, account);
    for (let { after } = options; ; ) {
      const page = await core.events.listEvents({ filter, after, pageSize: 100 });
      out.write(textOf(page, paint, isJson));
      if (!page.hasMore) return undefined;
      after = page.cursor;
    }
  },
);

/** `hermod event watch`: what happens, until it is interrupted. */
const eventWatch = coreCommand(
  { name: "watch", description: "Show events as they happen.", options: FILTER },
  async ({ core, account, paint, isJson, surroundings: { out } }, options: EventOptions) => {
    const filter = filterOf(options, account);
    for await (const page of core.events.watchEvents({ filter, after: options.after }))
      out.write(textOf(page, paint, isJson));
    return undefined;
  },
);

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
