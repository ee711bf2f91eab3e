import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import {
  CreateSilenceRequestSchema,
  InhibitionSchema,
  PutInhibitionRequestSchema,
  SilenceSchema,
} from "../../gen/hermod/silence/v1/silence_service_pb.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { IF_REVISION, IF_REVISION_OR_NONE, type OnRevision, requireOne } from "./input/if-revision.ts";
import { readMessages } from "./input/read-objects.ts";
import { InputError, readMoment, readSpan } from "./input/read-options.ts";
import { conditionText, messageJson } from "./output/alert-text.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable } from "./output/text.ts";
import { putEach } from "./put-each.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod silence` and `hermod inhibition` */
export function silences(program: Command, surroundings: Surroundings): void {
  const group = program.command("silence").description("Alerts that are told to nobody for a time.");
  silenceAdd(group, surroundings);
  silenceList(group, surroundings);
  silenceEnd(group, surroundings);
  const inhibitions = program
    .command("inhibition")
    .description("Alerts that are told to nobody while something greater fires.");
  inhibitionPut(inhibitions, surroundings);
  inhibitionList(inhibitions, surroundings);
  inhibitionRemove(inhibitions, surroundings);
}

interface AddOptions {
  readonly comment: string;
  readonly for?: number;
  readonly until?: Date;
  readonly from?: Date;
  readonly confirm?: true;
}

/** `hermod silence add` */
function silenceAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<conditions...>", "as 'entity_id eq web-1' or 'severity lte warning'")
    .description("Silence alerts that meet all of the conditions.")
    .requiredOption("--comment <text>", "why")
    .option("--for <span>", "for so long, as 2h", readSpan)
    .option("--until <moment>", "until then, as 2030-01-02T09:00:00Z", readMoment)
    .option("--from <moment>", "from then on; missing: at once", readMoment)
    .option("--confirm", "it is meant to silence every alert");
  coreCommand<AddOptions>(surroundings, command, async ({ core, account, args }, options) => {
    const { comment, for: seconds, until, from, confirm = false } = options;
    if ((seconds === undefined) === (until === undefined))
      throw new InputError("Say how long: either --for or --until.");
    const begin = from?.getTime() ?? Date.now();
    const endsAt = until ?? new Date(begin + (seconds ?? 0) * 1_000);
    const asked = decodeMessage(
      CreateSilenceRequestSchema,
      { match: args.map(conditionOf) },
      {
        name: "What is given",
        noun: "silence",
      },
    );
    const { silence } = await core.silences.createSilence({
      ...asked,
      accountId: account,
      comment,
      confirm,
      endsAt: timestampFromDate(endsAt),
      ...(from && { startsAt: timestampFromDate(from) }),
    });
    return {
      json: messageJson(SilenceSchema, silence),
      text: () => `${silence?.id ?? ""} lasts until ${plainTime(silence?.endsAt)}.`,
    };
  });
}

/**
 * A field, an operator and a value. Of a context it is JSON where it can be: a number, true or false; other fields are texts,
 * whatever they look like. Lists of `in` are JSON, and so is what `exists` asks.
 */
function conditionOf(text: string) {
  const [, field = "", op = "", value] = /^\s*(\S+)\s+(\S+)\s+(.*)$/s.exec(text) ?? [];
  if (value === undefined)
    throw new InputError(`A condition is as 'entity_id eq web-1', and not "${printable(text)}".`);
  const json = jsonOr(value);
  const isText = !field.startsWith("context.") && op !== "in" && op !== "exists";
  return { field, op, value: isText && typeof json !== "string" ? value : json };
}

function jsonOr(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `hermod silence list` */
function silenceList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List silences that have not ended.")
    .option("--all", "those that have ended, too");
  coreCommand<{ readonly all?: true }>(
    surroundings,
    command,
    async ({ core, account, paint }, { all = false }) => {
      const every = await allPages(
        (pageToken) => core.silences.listSilences({ accountId: account, pageToken }),
        (page) => page.silences,
      );
      const found = every.filter(({ state }) => all || state !== "expired");
      const rows = found.map(({ id, state, endsAt, match, any, comment }) => [
        ...[id, state, plainTime(endsAt)],
        [...match.map(conditionText), ...(any.length > 0 ? [`one of ${any.length}`] : [])].join(", ") ||
          "every alert",
        printable(comment),
      ]);
      return {
        json: listJson(found.map((one) => messageJson(SilenceSchema, one))),
        text: () => table(paint, ["SILENCE", "STATE", "UNTIL", "WHEN", "WHY"], rows, "Nothing is silenced."),
      };
    },
  );
}

/** `hermod silence end` */
function silenceEnd(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("end").argument("<silence>", "its id").description("End a silence now.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const { silence } = await core.silences.endSilence({ accountId: account, id });
    return { json: messageJson(SilenceSchema, silence), text: () => `${printable(id)} has ended.` };
  });
}

/** `hermod inhibition put` */
function inhibitionPut(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("put")
    .argument("<file>", "a YAML or JSON file with one inhibition or several, or - for standard input")
    .description("Make inhibitions, or replace those with the same names.")
    .option(...IF_REVISION_OR_NONE);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account, args: [file = "-"] }, options) => {
    const names: string[] = [];
    const put: unknown[] = [];
    const given = { schema: PutInhibitionRequestSchema, noun: "inhibition" };
    const read = await readMessages(file, surroundings.input, given);
    requireOne(read, options);
    await putEach(read, async (asked) => {
      const { inhibition } = await core.silences.putInhibition({ ...asked, accountId: account, ...options });
      names.push(printable(asked.name));
      put.push(messageJson(InhibitionSchema, inhibition));
    });
    return {
      json: listJson(put),
      text: () => names.map((name) => `The inhibition ${name} holds.`).join("\n"),
    };
  });
}

/** `hermod inhibition list` */
function inhibitionList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List inhibitions.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const { inhibitions } = await core.silences.listInhibitions({ accountId: account });
    const rows = inhibitions.map(({ name, source, target, equal }) => [
      ...[printable(name), (source?.match ?? []).map(conditionText).join(", ")],
      ...[(target?.match ?? []).map(conditionText).join(", "), equal.map(printable).join(", ")],
    ]);
    return {
      json: listJson(inhibitions.map((one) => messageJson(InhibitionSchema, one))),
      text: () =>
        table(paint, ["INHIBITION", "WHILE", "NOT TOLD", "EQUAL"], rows, "There are no inhibitions."),
    };
  });
}

/** `hermod inhibition remove` */
function inhibitionRemove(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove")
    .argument("<inhibition>", "its name")
    .description("Remove an inhibition.")
    .option(...IF_REVISION);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account, args: [name = ""] }, options) => {
    await core.silences.deleteInhibition({ accountId: account, name, ...options });
    return { json: { removed: name }, text: () => `${printable(name)} is no inhibition any more.` };
  });
}
