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
export const events = commandGroup("event", "Events, as services and webhooks receive them.", () => [
  eventList,
  eventWatch,
]);

type EventPage = Pick<WatchEventsResponse, "events" | "cursor">;

const FILTER: readonly CommandOption[] = [
  ["--type <type...>", "only events of these types, for example message.bounced"],
  ["--tag <tag...>", "only events of messages with one of these tags"],
  ["--policy <name...>", "only events of messages of these routing policies"],
  ["--after <cursor>", "continue after this cursor, from the output of --json", ""],
];

const filterOf = ({ type = [], tag = [], policy = [] }: EventOptions, accountId: string) => ({
  accountId,
  types: [...type],
  tags: [...tag],
  routingPolicies: [...policy],
});

/** `hermod event list`: oldest first. */
const eventList = coreCommand(
  {
    name: "list",
    description: "List events of the last three days, oldest first.",
    options: FILTER,
  },
  async ({ core, account, paint, isJson, environment: { out } }, options: EventOptions) => {
    const filter = filterOf(options, account);
    for (let { after } = options; ; ) {
      const page = await core.events.listEvents({ filter, after, pageSize: 100 });
      out.write(textOf(page, paint, isJson));
      if (!page.hasMore) return undefined;
      after = page.cursor;
    }
  },
);

/** `hermod event watch`: runs until it is interrupted. */
const eventWatch = coreCommand(
  { name: "watch", description: "Show events as they happen.", options: FILTER },
  async ({ core, account, paint, isJson, environment: { out } }, options: EventOptions) => {
    const filter = filterOf(options, account);
    for await (const page of core.events.watchEvents({ filter, after: options.after }))
      out.write(textOf(page, paint, isJson));
    return undefined;
  },
);

/** A line for each event, or one JSON line for all of them with the cursor after them. */
function textOf({ events: column, cursor }: EventPage, paint: Paint, isJson: boolean): string {
  if (isJson)
    return `${JSON.stringify({ cursor, events: column.map(({ payload }) => JSON.parse(payload)) })}\n`;
  const lines = column.map(({ id, type, at }) => {
    const [, kind = ""] = type.split(".");
    return `${plainTime(at)}  ${paintState(paint, kind)}  ${printable(id)}\n`;
  });
  return lines.join("");
}
