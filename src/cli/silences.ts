import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import {
  ChangeSilenceRequestSchema,
  CreateSilenceRequestSchema,
  InhibitionSchema,
  PreviewSilenceRequestSchema,
  type PreviewSilenceResponse,
  PreviewSilenceResponseSchema,
  PutInhibitionRequestSchema,
  type Silence,
  SilenceSchema,
  WeeklyWindowsSchema,
} from "../../gen/hermod/silence/v1/silence_service_pb.ts";
import { type AddCommand, type CommandOption, commandGroup } from "./core-command.ts";
import { decodeMessage } from "./input/decode-message.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { InputError, readMoment, readSpan } from "./input/read-options.ts";
import { readWindows, type Window, windowText } from "./input/read-windows.ts";
import { listCommand } from "./list-command.ts";
import { conditionsText, conditionText } from "./output/alert-text.ts";
import { alignRows } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";
import { putCommand } from "./put-each.ts";
import { removeCommand } from "./remove-command.ts";
import { required, showCommand } from "./show-command.ts";

const silenceGroup = commandGroup(
  "silence",
  "Silences, which suppress notifications of alerts for a time or in weekly windows.",
  () => [silenceAdd, silencePreview, silenceChange, silenceList, silenceEnd],
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

interface TimeOptions {
  readonly for?: number;
  readonly until?: Date;
  readonly from?: Date;
  readonly weekly?: readonly Window[];
  readonly timeZone?: string;
}

interface AddOptions extends TimeOptions {
  readonly comment: string;
  readonly confirm?: true;
}

const WEEKLY: readonly CommandOption[] = [
  [
    "--weekly <window>",
    "weekly window, for example 'sun 02:00-04:00' or 'mon-fri 22:00-06:00'; repeatable",
    readWindows,
  ],
  ["--time-zone <zone>", "time zone of the windows (default: that of this machine)"],
];

const TIMES: readonly CommandOption[] = [
  ["--for <span>", "duration, for example 2h", readSpan],
  ["--until <moment>", "end, for example 2030-01-02T09:00:00Z", readMoment],
  ["--from <moment>", "start (default: now)", readMoment],
  ...WEEKLY,
  ["--confirm", "confirm a silence of nearly every alert"],
];

/** `hermod silence add` */
const silenceAdd = showCommand({
  name: "add",
  description: "Silence alerts that match all conditions, for a time or in weekly windows.",
  arguments: [["<conditions...>", "conditions, for example 'entity_id eq web-1' or 'severity lte warning'"]],
  options: [new Option("--comment <text>", "reason of the silence").makeOptionMandatory(), ...TIMES],
  call: ({ core, account, args }, options: AddOptions) => {
    const { comment, confirm = false, ...times } = options;
    const isEnded = times.for !== undefined || times.until !== undefined;
    if (!times.weekly && !isEnded) throw new InputError("Give either --for or --until.");
    return core.silences.createSilence({
      ...decodeMessage(CreateSilenceRequestSchema, { match: args.map(conditionOf) }, SUBJECT),
      accountId: account,
      comment,
      confirm,
      ...timesOf(times),
    });
  },
  of: "silence",
  schema: SilenceSchema,
  text: ({ id, ...silence }) => `${id} ${timesText(silence)}.`,
});

const SUBJECT = { name: "The command line", noun: "silence" };

/** Times of a request. @throws InputError */
function timesOf({ for: seconds, until, from, weekly, timeZone }: TimeOptions) {
  if (seconds !== undefined && until !== undefined) throw new InputError("Give either --for or --until.");
  if (timeZone !== undefined && !weekly) throw new InputError("--time-zone needs --weekly.");
  const begin = from?.getTime() ?? Date.now();
  const endsAt = until ?? (seconds === undefined ? undefined : new Date(begin + seconds * 1_000));
  return {
    ...(from && { startsAt: timestampFromDate(from) }),
    ...(endsAt && { endsAt: timestampFromDate(endsAt) }),
    ...(weekly && { weekly: weeklyOf(weekly, timeZone ?? ownTimeZone()) }),
  };
}

const weeklyOf = (windows: readonly Window[], timeZone: string) =>
  create(WeeklyWindowsSchema, { timeZone, windows: [...windows] });

const ownTimeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** For example `sun 02:00-04:00 in Europe/Berlin, ends at 2030-01-02 09:00 UTC`. */
function timesText({ endsAt, weekly }: Pick<Silence, "endsAt" | "weekly">): string {
  const end = endsAt ? `ends at ${plainTime(endsAt)}` : "has no end";
  return weekly ? `recurs ${weeklyText(weekly)}, ${end}` : end;
}

function weeklyText({ timeZone, windows }: NonNullable<Silence["weekly"]>): string {
  return printable(`${windows.map(windowText).join(", ")} in ${timeZone}`);
}

interface ChangeOptions extends TimeOptions, OnRevision {
  readonly comment?: string;
  readonly confirm?: true;
}

/** `hermod silence change`: what is not given stays. */
const silenceChange = showCommand({
  name: "change",
  description:
    "Change a silence that has not ended. Options and conditions that are left out stay as they are.",
  arguments: [
    ["<silence>", "id of the silence"],
    ["[conditions...]", "conditions in place of the present ones"],
  ],
  options: [["--comment <text>", "reason of the silence"], ...TIMES, IF_REVISION],
  call: async ({ core, account, args: [id = "", ...args] }, options: ChangeOptions) => {
    const { comment, confirm = false, ifRevision, ...times } = options;
    const { silence } = await core.silences.getSilence({ accountId: account, id });
    const { match, any, endsAt, weekly, ...present } = required(silence, "silence");
    const conditions =
      args.length > 0
        ? decodeMessage(ChangeSilenceRequestSchema, { match: args.map(conditionOf) }, SUBJECT).match
        : match;
    return core.silences.changeSilence({
      ...(endsAt && { endsAt }),
      ...(weekly && { weekly }),
      ...timesOf(times),
      accountId: account,
      id,
      match: conditions,
      any: args.length > 0 ? [] : any,
      comment: comment ?? present.comment,
      confirm,
      ifRevision: ifRevision ?? present.revision,
    });
  },
  of: "silence",
  schema: SilenceSchema,
  text: ({ id, ...silence }) => `Changed the silence ${printable(id)}: it ${timesText(silence)}.`,
});

/** `hermod silence preview` */
const silencePreview = showCommand({
  name: "preview",
  description: "Count the open incidents and past alerts that a silence would suppress. Nothing is stored.",
  arguments: [["<conditions...>", "conditions, as for `add`"]],
  options: WEEKLY,
  call: async ({ core, account, args }, options: Pick<TimeOptions, "weekly" | "timeZone">) => {
    const preview = await core.silences.previewSilence({
      ...decodeMessage(PreviewSilenceRequestSchema, { match: args.map(conditionOf) }, SUBJECT),
      accountId: account,
      ...timesOf(options),
    });
    return { preview };
  },
  of: "preview",
  schema: PreviewSilenceResponseSchema,
  text: previewText,
});

function previewText(preview: PreviewSilenceResponse): string {
  const { incidents, partialIncidents, alerts, alertsRead, since, listed, needsConfirmation } = preview;
  const least = preview.allIncidentsRead ? "" : "At least ";
  const lines = [
    `${least}${counted(incidents, "open incident")} would be suppressed, and ${partialIncidents} in part.`,
    `${counted(alerts, "alert")} of ${alertsRead} since ${plainTime(since)} would have been suppressed.`,
    ...(needsConfirmation ? ["The silence matches nearly every alert: it needs --confirm."] : []),
  ];
  const rows = listed.map(({ id, state, matching, firing, title }) => {
    const alerts = `${matching} of ${firing} alerts`;
    return [id, state, alerts, printable(title)];
  });
  return [...lines, ...(rows.length > 0 ? ["", ...alignRows(rows)] : [])].join("\n");
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

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
    ["UNTIL", ({ endsAt }) => (endsAt ? plainTime(endsAt) : "no end")],
    ["WEEKLY", ({ weekly }) => (weekly ? weeklyText(weekly) : "")],
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
