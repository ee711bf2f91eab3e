import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import {
  CreateSilenceRequestSchema,
  InhibitionSchema,
  PutInhibitionRequestSchema,
  SilenceSchema,
} from "../../gen/hermod/silence/v1/silence_service_pb.ts";
import { type AddCommand, commandGroup } from "./core-command.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { InputError, readMoment, readSpan } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { conditionsText, conditionText } from "./output/alert-text.ts";
import { plainTime, printable } from "./output/text.ts";
import { putCommand } from "./put-each.ts";
import { removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

const silenceGroup = commandGroup("silence", "Alerts that are told to nobody for a time.", () => [
  silenceAdd,
  silenceList,
  silenceEnd,
]);

const inhibitionGroup = commandGroup(
  "inhibition",
  "Alerts that are told to nobody while something greater fires.",
  () => [inhibitionPut, inhibitionList, inhibitionRemove],
);

/** `hermod silence` and `hermod inhibition` */
export const silences: AddCommand = (program, surroundings) => {
  silenceGroup(program, surroundings);
  inhibitionGroup(program, surroundings);
};

interface AddOptions {
  readonly comment: string;
  readonly for?: number;
  readonly until?: Date;
  readonly from?: Date;
  readonly confirm?: true;
}

/** `hermod silence add` */
const silenceAdd = showCommand({
  name: "add",
  description: "Silence alerts that meet all of the conditions.",
  arguments: [["<conditions...>", "as 'entity_id eq web-1' or 'severity lte warning'"]],
  options: [
    new Option("--comment <text>", "why").makeOptionMandatory(),
    ["--for <span>", "for so long, as 2h", readSpan],
    ["--until <moment>", "until then, as 2030-01-02T09:00:00Z", readMoment],
    ["--from <moment>", "from then on; missing: at once", readMoment],
    ["--confirm", "it is meant to silence every alert"],
  ],
  call: ({ core, account, args }, options: AddOptions) => {
    const { comment, for: seconds, until, from, confirm = false } = options;
    if ((seconds === undefined) === (until === undefined))
      throw new InputError("Say how long: either --for or --until.");
    const begin = from?.getTime() ?? Date.now();
    const endsAt = until ?? new Date(begin + (seconds ?? 0) * 1_000);
    const conditions = { match: args.map(conditionOf) };
    const subject = { name: "What is given", noun: "silence" };
    return core.silences.createSilence({
      ...decodeMessage(CreateSilenceRequestSchema, conditions, subject),
      accountId: account,
      comment,
      confirm,
      endsAt: timestampFromDate(endsAt),
      ...(from && { startsAt: timestampFromDate(from) }),
    });
  },
  of: "silence",
  schema: SilenceSchema,
  text: ({ id, endsAt }) => `${id} lasts until ${plainTime(endsAt)}.`,
});

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
const silenceList = listCommand({
  description: "List silences that have not ended.",
  options: [["--all", "those that have ended, too"]],
  call: ({ core, account, page }) => core.silences.listSilences({ accountId: account, ...page }),
  of: "silences",
  schema: SilenceSchema,
  keep: ({ state }, { all = false }: { all?: boolean }) => all || state !== "expired",
  columns: [
    ["SILENCE", ({ id }) => id],
    ["STATE", ({ state }) => state],
    ["UNTIL", ({ endsAt }) => plainTime(endsAt)],
    ["WHEN", conditionsText],
    ["WHY", ({ comment }) => printable(comment)],
  ],
  none: "Nothing is silenced.",
});

/** `hermod silence end` */
const silenceEnd = showCommand({
  name: "end",
  description: "End a silence now.",
  arguments: [["<silence>", "its id"]],
  call: ({ core, account, args: [id = ""] }) => core.silences.endSilence({ accountId: account, id }),
  of: "silence",
  schema: SilenceSchema,
  text: (_silence, { args: [id = ""] }) => `${printable(id)} has ended.`,
});

/** `hermod inhibition put` */
const inhibitionPut = putCommand({
  description: "Make inhibitions, or replace those with the same names.",
  argument: "a YAML or JSON file with one inhibition or several, or - for standard input",
  input: { schema: PutInhibitionRequestSchema, noun: "inhibition" },
  put: ({ core, account }, inhibition, options) =>
    core.silences.putInhibition({ ...inhibition, accountId: account, ...options }),
  of: "inhibition",
  schema: InhibitionSchema,
  text: ({ inhibition }) => `The inhibition ${printable(inhibition?.name ?? "")} holds.`,
});

/** `hermod inhibition list` */
const inhibitionList = listCommand({
  description: "List inhibitions.",
  limit: "none",
  call: ({ core, account }) => core.silences.listInhibitions({ accountId: account }),
  of: "inhibitions",
  schema: InhibitionSchema,
  columns: [
    ["INHIBITION", ({ name }) => printable(name)],
    ["WHILE", ({ source }) => (source?.match ?? []).map(conditionText).join(", ")],
    ["NOT TOLD", ({ target }) => (target?.match ?? []).map(conditionText).join(", ")],
    ["EQUAL", ({ equal }) => equal.map(printable).join(", ")],
  ],
  none: "There are no inhibitions.",
});

/** `hermod inhibition remove` */
const inhibitionRemove = removeCommand(
  {
    description: "Remove an inhibition.",
    arguments: [["<inhibition>", "its name"]],
    options: [IF_REVISION],
  },
  async ({ core, account, args: [name = ""] }, options: OnRevision) => {
    await core.silences.deleteInhibition({ accountId: account, name, ...options });
    return { text: `${printable(name)} is no inhibition any more.` };
  },
);
