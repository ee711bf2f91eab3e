import type { MessageInitShape } from "@bufbuild/protobuf";
import { InvalidArgumentError, Option } from "commander";
import { reportSections } from "../../contracts/common/report-section-names.ts";
import {
  type Schedule,
  ScheduleSchema,
  type ScheduleSettingsSchema,
} from "../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { type CommandContext, type CommandOption, commandGroup } from "./core-command.ts";
import { findSchedule } from "./input/find-schedule.ts";
import { findClient, findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, InputError, withoutEmpty } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { cadenceText, describeSchedule, lastText, WEEKDAYS } from "./output/schedule-text.ts";
import { plainTime, printable } from "./output/text.ts";
import { removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** `hermod intel schedule` */
export const schedules = commandGroup(
  "schedule",
  "Schedules by which reports are made and mailed, weekly or monthly.",
  () => [
    scheduleList,
    scheduleAdd,
    scheduleShow,
    scheduleEdit,
    schedulePause,
    scheduleResume,
    scheduleRemove,
    scheduleRun,
  ],
);

type AskedSettings = Omit<
  Exclude<MessageInitShape<typeof ScheduleSettingsSchema>, { readonly $typeName: string }>,
  "$typeName" | "$unknown"
>;

const NAMED = ["<schedule>", "its name or id"] as const;

/** The schedule that a command names. */
const namedIn = (context: CommandContext, { workspace }: InWorkspace) =>
  findSchedule(context, context.args[0] ?? "", workspace);

/** `hermod intel schedule list` */
const scheduleList = listCommand({
  description: "List the schedules of a workspace, the earliest first.",
  options: [WORKSPACE],
  call: ({ core, account, page }, { workspace }: InWorkspace) =>
    core.schedules.listSchedules({ accountId: account, workspaceId: workspace, ...page }),
  of: "schedules",
  schema: ScheduleSchema,
  columns: [
    ["SCHEDULE", ({ id }) => id],
    ["NAME", ({ name }) => printable(name)],
    ["ABOUT", ({ scope }) => printable(scope?.type ?? "")],
    ["MADE", cadenceText],
    ["NEXT", ({ nextRunAt }) => plainTime(nextRunAt) || "paused"],
    ["LAST", lastText],
  ],
  none: "There are no schedules.",
});

interface Settings extends InWorkspace {
  readonly client?: string;
  readonly domain?: string;
  readonly weekly?: number;
  readonly monthly?: number;
  readonly hour?: number;
  readonly timezone?: string;
  readonly format?: string;
  readonly paper?: string;
  readonly section?: readonly string[];
  readonly locale?: string;
  readonly brand?: string;
  readonly color?: string;
  readonly to?: readonly string[];
  readonly from?: string;
  readonly policy?: string;
}

/** The settings of a schedule. */
const SETTINGS: readonly CommandOption[] = [
  ["--client <client>", "about a client: an id, an external reference or a name"],
  new Option("--domain <domain>", "about a domain: its name or id").conflicts("client"),
  ["--weekly <weekday>", "of the week before, as monday or 1", readWeekday],
  new Option("--monthly <day>", "of the month before, on this day: 1 to 28")
    .argParser(readNumber)
    .conflicts("weekly"),
  ["--hour <hour>", "0 to 23; missing: 8", readNumber],
  ["--timezone <zone>", "as Europe/Berlin; missing: that of the client, or UTC"],
  new Option("--format <format>", "missing: pdf").choices(["pdf", "html"]),
  new Option("--paper <paper>", "missing: a4").choices(["a4", "letter"]),
  ["--section <name>", `what it has; repeatable, '' for all: ${reportSections.join(", ")}`, collect],
  ["--locale <tag>", "as en-GB; missing: that of the client, or en"],
  ["--brand <name>", "who hands it out; '' for nobody"],
  ["--color <color>", "as #0b5394; '' for its own"],
  ["--to <address>", "whom it goes to; repeatable, '' for the contacts of the client", collect],
  ["--from <sender>", "a verified sender, as 'Acme <reports@example.com>'"],
  ["--policy <name>", "the routing policy; '' for the account's default"],
];

/** The settings that are given. */
async function settingsOf(
  context: CommandContext,
  { workspace, client, domain, weekly, monthly, ...given }: Settings,
): Promise<AskedSettings> {
  const { section, to, policy: routingPolicy, hour, timezone, format, paper, locale, from } = given;
  const scope =
    client !== undefined
      ? { type: "client", id: (await findClient(context, client, workspace)).id }
      : domain !== undefined
        ? { type: "domain", id: (await findWatchedDomain(context, domain, workspace)).id }
        : undefined;
  return withoutUndefined({
    scope,
    hour,
    timezone,
    format,
    paper,
    locale,
    from,
    routingPolicy,
    ...(weekly !== undefined && { cadence: "weekly", weekday: weekly }),
    ...(monthly !== undefined && { cadence: "monthly", day: monthly }),
    sections: withoutEmpty(section),
    recipients: withoutEmpty(to),
  });
}

function brandingOf({ brand, color }: Settings, before: Schedule["branding"]) {
  return withoutUndefined({ name: brand ?? before?.name, color: color ?? before?.color });
}

/** `hermod intel schedule add` */
const scheduleAdd = showCommand({
  name: "add",
  description: "Have reports made and mailed: of a client, of a domain, or of the whole workspace.",
  arguments: [["<name>", "what subjects of its mail begin with"]],
  options: [...SETTINGS, ["--paused", "make none until it is resumed"], WORKSPACE],
  call: async (context, options: Settings & { readonly paused?: true }) => {
    const { workspace, paused = false, weekly, monthly } = options;
    if (weekly === undefined && monthly === undefined)
      throw new InputError("Say how often: either --weekly or --monthly.");
    const { core, account, args } = context;
    const [name = ""] = args;
    const given = await settingsOf(context, options);
    const scope = given.scope ?? { type: "workspace" };
    return core.schedules.createSchedule({
      accountId: account,
      workspaceId: workspace,
      settings: { ...given, name, scope, paused, branding: brandingOf(options, undefined) },
    });
  },
  of: "schedule",
  schema: ScheduleSchema,
  text: ({ id, name, nextRunAt }) => {
    const next = nextRunAt ? `The first report is due at ${plainTime(nextRunAt)}.` : "It is paused.";
    return `Added the schedule "${printable(name)}" (${id}). ${next}`;
  },
});

/** `hermod intel schedule show` */
const scheduleShow = showCommand({
  name: "show",
  description: "Show a schedule, and what became of its last report.",
  arguments: [NAMED],
  options: [WORKSPACE],
  call: async (context, options: InWorkspace) => ({ schedule: await namedIn(context, options) }),
  of: "schedule",
  schema: ScheduleSchema,
  text: (schedule, { paint }) => describeSchedule(paint, schedule),
});

/** `hermod intel schedule edit`: what is not given stays. */
const scheduleEdit = showCommand({
  name: "edit",
  description: "Change what is said of a schedule.",
  arguments: [NAMED],
  options: [...SETTINGS, WORKSPACE, ["--name <name>", "another name"], IF_REVISION],
  call: async (context, options: Settings & OnRevision & { readonly name?: string }) => {
    const schedule = await namedIn(context, options);
    const { name } = options;
    const changes = {
      ...(await settingsOf(context, { ...options, workspace: schedule.workspaceId })),
      ...withoutUndefined({ name }),
      branding: brandingOf(options, schedule.branding),
    };
    return replace(context, schedule, changes, options);
  },
  of: "schedule",
  schema: ScheduleSchema,
  text: ({ id, name }) => `Changed the schedule "${printable(name)}" (${id}).`,
});

/** `hermod intel schedule pause` */
const schedulePause = showCommand({
  name: "pause",
  description: "Make no reports until the schedule is resumed.",
  arguments: [NAMED],
  options: [WORKSPACE, IF_REVISION],
  call: async (context, options: InWorkspace & OnRevision) =>
    replace(context, await namedIn(context, options), { paused: true }, options),
  of: "schedule",
  schema: ScheduleSchema,
  text: ({ id, name }) => `The schedule "${printable(name)}" (${id}) is paused.`,
});

/** `hermod intel schedule resume` */
const scheduleResume = showCommand({
  name: "resume",
  description: "Make reports again by a schedule that is paused.",
  arguments: [NAMED],
  options: [WORKSPACE, IF_REVISION],
  call: async (context, options: InWorkspace & OnRevision) =>
    replace(context, await namedIn(context, options), { paused: false }, options),
  of: "schedule",
  schema: ScheduleSchema,
  text: ({ id, name, nextRunAt }) =>
    `The schedule "${printable(name)}" (${id}) goes on: its next report is due at ${plainTime(nextRunAt)}.`,
});

/** `hermod intel schedule remove` */
const scheduleRemove = removeCommand(
  {
    description: "Remove a schedule. Reports and mail that it has made stay.",
    arguments: [NAMED],
    options: [WORKSPACE, IF_REVISION],
  },
  async (context, { workspace, ifRevision }: InWorkspace & OnRevision) => {
    const { core, account } = context;
    const { id, name } = await namedIn(context, { workspace });
    await core.schedules.deleteSchedule({ accountId: account, id, ...withoutUndefined({ ifRevision }) });
    return { json: { removed: id, name }, text: `Removed the schedule "${printable(name)}" (${id}).` };
  },
);

/** `hermod intel schedule run` */
const scheduleRun = showCommand({
  name: "run",
  description: "Have a report of the last period made and mailed now.",
  arguments: [NAMED],
  options: [WORKSPACE],
  call: async (context, options: InWorkspace) => {
    const { id } = await namedIn(context, options);
    return context.core.schedules.runSchedule({ accountId: context.account, id });
  },
  of: "schedule",
  schema: ScheduleSchema,
  text: ({ name }) => `The report "${printable(name)}" is being made.`,
  note: ({ id }) => `In a moment: hermod intel schedule show ${id}`,
});

/**
 * The core takes what is said of a schedule as a whole, so the change is based on what was read of it.
 * @throws Fault resource.stale when another client changed it since
 */
function replace(
  { core, account }: CommandContext,
  schedule: Schedule,
  changes: AskedSettings,
  { ifRevision = schedule.revision }: OnRevision,
) {
  const { id, name, scope, hour, timezone, format, paper, sections, locale, branding } = schedule;
  const { recipients, from, routingPolicy, paused, cadence, weekday, day } = schedule;
  const kept = { name, scope, hour, timezone, format, paper, sections, locale, branding };
  const when = changes.cadence === undefined ? { cadence, weekday, day } : {};
  const sent = { recipients, from, routingPolicy, paused };
  const settings = withoutUndefined({ ...kept, ...when, ...sent, ...changes });
  return core.schedules.updateSchedule({ accountId: account, id, settings, ifRevision });
}

/** By its name, the beginning of that, or its number. */
function readWeekday(text: string): number {
  if (/^[1-7]$/.test(text)) return Number(text);
  const at = WEEKDAYS.findIndex((name) => text.length >= 2 && name.startsWith(text.toLowerCase()));
  if (at < 0) throw new InvalidArgumentError("It is a day of the week, as monday, mon or 1.");
  return at + 1;
}

function readNumber(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError("It is a whole number.");
  return Number(text);
}
