import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  GetOnCallResponseSchema,
  type OnCallLayer,
  type OnCallOverride,
  OnCallOverrideSchema,
  type OnCallPerson,
  OnCallScheduleSchema,
  OnCallScheduleSettingsSchema,
  OnCallShiftSchema,
  OnCallStateSchema,
  type ParticipantSchema,
  type PutOnCallScheduleResponse,
  type SwappedShiftSchema,
} from "../../gen/hermod/oncall/v1/oncall_service_pb.ts";
import { parseMoment } from "../shared/parse-moment.ts";
import { commandGroup } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { InputError, readMoment, readSpan } from "./input/read-options.ts";
import { type Column, listCommand } from "./list-command.ts";
import { fileJson } from "./output/json.ts";
import { plainTime, printable } from "./output/text.ts";
import { putCommand } from "./put-each.ts";
import { removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** `hermod on-call` */
export const oncalls = commandGroup(
  "on-call",
  "On-call schedules: rotations and overrides that alert rules notify.",
  () => [
    schedulePut,
    scheduleList,
    scheduleShow,
    scheduleRemove,
    onCallWho,
    onCallNow,
    onCallShifts,
    onCallSwap,
    overrideGroup,
  ],
);

const NAME = ["<schedule>", "name of the on-call schedule"] as const;

/** `hermod on-call put`: stores schedules in order and ends at the first refused one. */
const schedulePut = putCommand({
  description: "Create on-call schedules, or new versions of schedules with the same names.",
  argument: "YAML or JSON file with one or more on-call schedules, or - for standard input",
  input: { schema: OnCallScheduleSettingsSchema, noun: "on-call schedule" },
  put: ({ core, account }, settings, options) =>
    core.oncalls.putOnCallSchedule({ accountId: account, settings, ...options }),
  of: "schedule",
  schema: OnCallScheduleSchema,
  text: ({ schedule, created }: PutOnCallScheduleResponse) =>
    `The on-call schedule ${printable(schedule?.settings?.name ?? "")} is ${created ? "created" : "stored"}.`,
});

/** `hermod on-call list` */
const scheduleList = listCommand({
  description: "List the on-call schedules of an account.",
  call: ({ core, account, page }) => core.oncalls.listOnCallSchedules({ accountId: account, ...page }),
  of: "schedules",
  schema: OnCallScheduleSchema,
  columns: [
    ["SCHEDULE", ({ settings }) => printable(settings?.name ?? "")],
    ["LAYERS", ({ settings }) => (settings?.layers ?? []).map(layerText).join(", ")],
    ["PEOPLE", ({ people }) => people.map(personText).join(", ")],
    ["FALLBACK", ({ settings }) => (settings?.fallbackRecipients ?? []).map(printable).join(", ")],
  ],
  none: "There are no on-call schedules. Create one with `hermod on-call put`.",
});

function layerText({ name, shift }: OnCallLayer): string {
  const { length = 0, unit = "" } = shift ?? {};
  return `${printable(name)} (${length} ${unit}${length === 1 ? "" : "s"})`;
}

function personText(person: OnCallPerson | undefined): string {
  if (!person) return "none";
  return printable(person.address || `${person.userId} (left)`);
}

/** `hermod on-call show`: in the form of a file for `put`. */
const scheduleShow = showCommand({
  name: "show",
  description: "Show an on-call schedule.",
  arguments: [NAME],
  call: ({ core, account, args: [name = ""] }) =>
    core.oncalls.getOnCallSchedule({ accountId: account, name }),
  of: "schedule",
  schema: OnCallScheduleSchema,
  text: ({ settings }) =>
    JSON.stringify(settings ? fileJson(OnCallScheduleSettingsSchema, settings) : null, null, 2),
});

/** `hermod on-call remove` */
const scheduleRemove = removeCommand(
  {
    description: "Remove an on-call schedule that no alert rule names, with its overrides.",
    arguments: [NAME],
    options: [IF_REVISION],
  },
  async ({ core, account, args: [name = ""] }, options: OnRevision) => {
    await core.oncalls.deleteOnCallSchedule({ accountId: account, name, ...options });
    return { text: `Removed the on-call schedule ${printable(name)}.` };
  },
);

/** `hermod on-call who` */
const onCallWho = showCommand({
  name: "who",
  description: "Show the participant on call.",
  arguments: [NAME],
  options: [["--at <moment>", "time, for example 2030-01-02T09:00:00Z (default: now)", readMoment]],
  call: async ({ core, account, args: [name = ""] }, { at }: { readonly at?: Date }) => {
    const asked = { accountId: account, name, ...(at && { at: timestampFromDate(at) }) };
    return { found: await core.oncalls.getOnCall(asked) };
  },
  of: "found",
  schema: GetOnCallResponseSchema,
  text: ({ shift, recipients }) => {
    const until = `until ${plainTime(shift?.until)}`;
    if (shift?.person) return `${personText(shift.person)} is on call ${until}.`;
    return `No participant is on call ${until}. Notified instead: ${recipients.map(printable).join(", ")}.`;
  },
});

/** `hermod on-call now` */
const onCallNow = listCommand({
  name: "now",
  description: "List the participants on call now and next.",
  call: ({ core, account, page }) => core.oncalls.listOnCall({ accountId: account, ...page }),
  of: "states",
  schema: OnCallStateSchema,
  columns: [
    ["SCHEDULE", ({ name }) => printable(name)],
    ["NOW", ({ now }) => (now ? personText(now.person) : "not known")],
    ["UNTIL", ({ now }) => plainTime(now?.until)],
    ["NEXT", ({ next }) => (next ? personText(next.person) : "")],
    ["NOTIFIED NOW", ({ recipients }) => recipients.map(printable).join(", ")],
  ],
  none: "There are no on-call schedules. Create one with `hermod on-call put`.",
});

const DAY_MS = 86_400_000;
const SHOWN_DAYS = 14;

interface Range {
  readonly from?: Date;
  readonly until?: Date;
}

/** `hermod on-call shifts` */
const onCallShifts = listCommand({
  name: "shifts",
  description: "List the shifts of an on-call schedule.",
  arguments: [NAME],
  options: [
    ["--from <moment>", "start (default: now)", readMoment],
    ["--until <moment>", `end, at most 93 days later (default: ${SHOWN_DAYS} days later)`, readMoment],
  ],
  call: ({ core, account, page, args: [name = ""] }, { from = new Date(), until }: Range) =>
    core.oncalls.listOnCallShifts({
      accountId: account,
      name,
      from: timestampFromDate(from),
      until: timestampFromDate(until ?? new Date(from.getTime() + SHOWN_DAYS * DAY_MS)),
      ...page,
    }),
  of: "shifts",
  schema: OnCallShiftSchema,
  columns: [
    ["FROM", ({ from }) => plainTime(from)],
    ["UNTIL", ({ until }) => plainTime(until)],
    ["ON CALL", ({ person }) => personText(person)],
    ["BY", ({ layer, overrideId }) => printable(overrideId || layer || "fallback")],
  ],
  none: "There are no shifts.",
});

const OVERRIDE_COLUMNS: readonly Column<OnCallOverride>[] = [
  ["OVERRIDE", ({ id }) => id],
  ["STATE", ({ state }) => state],
  ["FROM", ({ from }) => plainTime(from)],
  ["UNTIL", ({ until }) => plainTime(until)],
  ["ON CALL", ({ person }) => personText(person)],
  ["COMMENT", ({ comment }) => printable(comment)],
];

/** `hermod on-call swap` */
const onCallSwap = listCommand({
  name: "swap",
  description: "Swap two shifts of two participants.",
  arguments: [
    NAME,
    ["<first>", "one shift, as 2030-01-07T08:00:00Z/2030-01-08T08:00:00Z"],
    ["<second>", "the other shift, in the same form"],
  ],
  options: [["--comment <text>", "reason of the swap"]],
  limit: "none",
  call: ({ core, account, args }, { comment = "" }: { readonly comment?: string }) => {
    const [name = "", first = "", second = ""] = args;
    const asked = { name, first: shiftIn(first), second: shiftIn(second), comment };
    return core.oncalls.swapOnCallShifts({ accountId: account, ...asked });
  },
  of: "overrides",
  schema: OnCallOverrideSchema,
  columns: OVERRIDE_COLUMNS,
  none: "No overrides were added.",
});

/** Reads `from/until`. */
function shiftIn(text: string): MessageInitShape<typeof SwappedShiftSchema> {
  const [from, until, ...others] = text.split("/").map(parseMoment);
  if (!from || !until || others.length > 0)
    throw new InputError(
      `A shift must be two times, for example 2030-01-07T08:00:00Z/2030-01-08T08:00:00Z, but is "${printable(text)}".`,
    );
  return { from: timestampFromDate(from), until: timestampFromDate(until) };
}

/** `hermod on-call override` */
const overrideGroup = commandGroup(
  "override",
  "Overrides, which replace the layers of an on-call schedule for a time.",
  () => [overrideAdd, overrideList, overrideRemove],
);

interface AddOptions extends Range {
  readonly for?: number;
  readonly comment?: string;
}

/** `hermod on-call override add` */
const overrideAdd = showCommand({
  name: "add",
  description: "Put a participant on call for a time.",
  arguments: [NAME, ["<participant>", "id of a member, or an address"]],
  options: [
    ["--for <span>", "duration, for example 8h", readSpan],
    ["--until <moment>", "end, for example 2030-01-02T09:00:00Z", readMoment],
    ["--from <moment>", "start (default: now)", readMoment],
    ["--comment <text>", "reason of the override"],
  ],
  call: ({ core, account, args: [name = "", who = ""] }, options: AddOptions) => {
    const { for: seconds, until, from, comment = "" } = options;
    if ((seconds === undefined) === (until === undefined))
      throw new InputError("Give either --for or --until.");
    const begin = from?.getTime() ?? Date.now();
    return core.oncalls.addOnCallOverride({
      accountId: account,
      name,
      participant: participantOf(who),
      ...(from && { from: timestampFromDate(from) }),
      until: timestampFromDate(until ?? new Date(begin + (seconds ?? 0) * 1_000)),
      comment,
    });
  },
  of: "override",
  schema: OnCallOverrideSchema,
  text: ({ id, person, until }) => `${id}: ${personText(person)} is on call until ${plainTime(until)}.`,
});

function participantOf(who: string): MessageInitShape<typeof ParticipantSchema> {
  return who.startsWith("usr_") ? { userId: who } : { address: who };
}

/** `hermod on-call override list` */
const overrideList = listCommand({
  description: "List scheduled and active overrides of an on-call schedule.",
  arguments: [NAME],
  options: [["--all", "include ended overrides"]],
  call: ({ core, account, page, args: [name = ""] }) =>
    core.oncalls.listOnCallOverrides({ accountId: account, name, ...page }),
  of: "overrides",
  schema: OnCallOverrideSchema,
  keep: ({ state }, { all = false }: { all?: boolean }) => all || state !== "ended",
  columns: OVERRIDE_COLUMNS,
  none: "There are no overrides.",
});

/** `hermod on-call override remove` */
const overrideRemove = removeCommand(
  {
    description: "Remove an override, or end it if it has begun.",
    arguments: [NAME, ["<override>", "id of the override"]],
  },
  async ({ core, account, args: [name = "", id = ""] }) => {
    await core.oncalls.removeOnCallOverride({ accountId: account, name, id });
    return { json: { removed: id }, text: `Removed the override ${printable(id)}.` };
  },
);
