import type { Command } from "commander";
import type { Event } from "../../gen/hermod/event/v1/event_service_pb.ts";
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

const filtered = (command: Command) =>
  command
    .option("--type <type...>", "only events of these types, as message.bounced")
    .option("--tag <tag...>", "only of messages with one of these tags")
    .option("--policy <name...>", "only of messages of these routing policies")
    .option("--after <cursor>", "go on behind this cursor, that an earlier command has named", "");

const filterOf = ({ type = [], tag = [], policy = [] }: EventOptions, accountId: string) => ({
  ...{ accountId, types: [...type], tags: [...tag], routingPolicies: [...policy] },
});

/** `hermod event list`: the oldest that are kept first. */
function eventList(parent: Command, surroundings: Surroundings): void {
  const { out, err } = surroundings;
  const command = filtered(
    parent
      .command("list")
      .description("List events of the last three days, the oldest first; with --json, a line for each."),
  );
  coreCommand<EventOptions>(surroundings, command, async ({ core, account, paint, isJson }, options) => {
    const filter = filterOf(options, account);
    for (let { after } = options; ; ) {
      const page = await core.events.listEvents({ filter, after, pageSize: 100 });
      out.write(page.events.map((event) => lineOf(event, paint, isJson)).join(""));
      after = page.cursor;
      if (page.hasMore) continue;
      err.write(`Go on with --after ${after}\n`);
      return;
    }
  });
}

/** `hermod event watch`: what happens, until it is interrupted. */
function eventWatch(parent: Command, surroundings: Surroundings): void {
  const { out, err } = surroundings;
  const command = filtered(
    parent
      .command("watch")
      .description("Show events as they happen, and miss none; with --json, a line for each."),
  );
  coreCommand<EventOptions>(surroundings, command, async ({ core, account, paint, isJson }, options) => {
    let { after } = options;
    try {
      for await (const page of core.events.watchEvents({ filter: filterOf(options, account), after })) {
        out.write(page.events.map((event) => lineOf(event, paint, isJson)).join(""));
        after = page.cursor;
      }
    } finally {
      if (after !== "") err.write(`Go on with --after ${after}\n`);
    }
  });
}

function lineOf({ id, type, at, payload }: Event, paint: Paint, isJson: boolean): string {
  if (isJson) return `${payload}\n`;
  const [, kind = ""] = type.split(".");
  return `${plainTime(at)}  ${paintState(paint, kind)}  ${type}  ${printable(id)}\n`;
}
