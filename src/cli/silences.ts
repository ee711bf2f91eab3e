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

const silenceGroup = commandGroup(
  "silence",
  "Silences, which suppress notifications of alerts for a time.",
  () => [silenceAdd, silenceList, silenceEnd],
);

const inhibitionGroup = commandGroup(
  "inhibition",
  "Inhibitions, which suppress notifications of alerts while other alerts are active.",
  () => [inhibitionPut, inhibitionList, inhibitionRemove],
);

/** `hermod silence` and `hermod inhibition` */
export const silences: AddCommand = (program, environment) => {
  silenceGroup(program, environment);
  inhibitionGroup(program, environment);
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
  description: "Silence alerts that match all conditions.",
  arguments: [["<conditions...>", "conditions, for example 'entity_id eq web-1' or 'severity lte warning'"]],
  options: [
    new Option("--comment <text>", "reason of the silence").makeOptionMandatory(),
    ["--for <span>", "duration, for example 2h", readSpan],
    ["--until <moment>", "end, for example 2030-01-02T09:00:00Z", readMoment],
    ["--from <moment>", "start (default: now)", readMoment],
    ["--confirm", "confirm a silence of nearly every alert"],
  ],
  call: ({ core, account, args }, options: AddOptions) => {
    const { comment, for: seconds, until, from, confirm = false } = options;
    if ((seconds === undefined) === (until === undefined))
      throw new InputError("Give either --for or --until.");
    const begin = from?.getTime() ?? Date.now();
    const endsAt = until ?? new Date(begin + (seconds ?? 0) * 1_000);
    const conditions = { match: args.map(conditionOf) };
    const subject = { name: "The command line", noun: "silence" };
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
  text: ({ id, endsAt }) => `${id} ends at ${plainTime(endsAt)}.`,
});

/**
 * Reads a field, an operator and a value. The value of a context field is JSON if it parses (a number, true or false); the
 * value of another field is text. The values of `in` and `exists` are JSON.
 */
function conditionOf(text: string) {
  const [, field = "", op = "", value] = /^\s*(\S+)\s+(\S+)\s+(.*)$/s.exec(text) ?? [];
  if (value === undefined)
    throw new InputError(
      `A condition must be a field, an operator and a value, for example 'entity_id eq web-1', but is "${printable(text)}".`,
    );
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
  description: "List scheduled and active silences.",
  options: [["--all", "include ended silences"]],
  call: ({ core, account, page }) => core.silences.listSilences({ accountId: account, ...page }),
  of: "silences",
  schema: SilenceSchema,
  keep: ({ state }, { all = false }: { all?: boolean }) => all || state !== "expired",
  columns: [
    ["SILENCE", ({ id }) => id],
    ["STATE", ({ state }) => state],
    ["UNTIL", ({ endsAt }) => plainTime(endsAt)],
    ["WHEN", conditionsText],
    ["COMMENT", ({ comment }) => printable(comment)],
  ],
  none: "There are no silences.",
});

/** `hermod silence end` */
const silenceEnd = showCommand({
  name: "end",
  description: "End a silence now.",
  arguments: [["<silence>", "id of the silence"]],
  call: ({ core, account, args: [id = ""] }) => core.silences.endSilence({ accountId: account, id }),
  of: "silence",
  schema: SilenceSchema,
  text: (_silence, { args: [id = ""] }) => `Ended the silence ${printable(id)}.`,
});

/** `hermod inhibition put` */
const inhibitionPut = putCommand({
  description: "Create inhibitions, or replace inhibitions with the same names.",
  argument: "YAML or JSON file with one or more inhibitions, or - for standard input",
  input: { schema: PutInhibitionRequestSchema, noun: "inhibition" },
  put: ({ core, account }, inhibition, options) =>
    core.silences.putInhibition({ ...inhibition, accountId: account, ...options }),
  of: "inhibition",
  schema: InhibitionSchema,
  text: ({ inhibition }) => `Stored the inhibition ${printable(inhibition?.name ?? "")}.`,
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
    ["SUPPRESSES", ({ target }) => (target?.match ?? []).map(conditionText).join(", ")],
    ["EQUAL", ({ equal }) => equal.map(printable).join(", ")],
  ],
  none: "There are no inhibitions.",
});

/** `hermod inhibition remove` */
const inhibitionRemove = removeCommand(
  {
    description: "Remove an inhibition.",
    arguments: [["<inhibition>", "name of the inhibition"]],
    options: [IF_REVISION],
  },
  async ({ core, account, args: [name = ""] }, options: OnRevision) => {
    await core.silences.deleteInhibition({ accountId: account, name, ...options });
    return { text: `Removed the inhibition ${printable(name)}.` };
  },
);
