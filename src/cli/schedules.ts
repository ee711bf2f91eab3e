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
  "Schedules that create and mail reports, weekly or monthly.",
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

const NAMED = ["<schedule>", "name or id of the schedule"] as const;

/** The schedule in the arguments of a command. */
const namedIn = (context: CommandContext, { workspace }: InWorkspace) =>
  findSchedule(context, context.args[0] ?? "", workspace);

/** `hermod intel schedule list` */
const scheduleList = listCommand({
  description: "List the schedules of a workspace, oldest first.",
  options: [WORKSPACE],
  call: ({ core, account, page }, { workspace }: InWorkspace) =>
    core.schedules.listSchedules({ accountId: account, workspaceId: workspace, ...page }),
  of: "schedules",
  schema: ScheduleSchema,
  columns: [
    ["SCHEDULE", ({ id }) => id],
    ["NAME", ({ name }) => printable(name)],
    ["SCOPE", ({ scope }) => printable(scope?.type ?? "")],
    ["CADENCE", cadenceText],
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
  ["--client <client>", "report on a client: its id, external reference or name"],
  new Option("--domain <domain>", "report on a domain: its name or id").conflicts("client"),
  ["--weekly <weekday>", "weekly, on this day, for example monday or 1", readWeekday],
  new Option("--monthly <day>", "monthly, on this day, 1 to 28").argParser(readNumber).conflicts("weekly"),
  ["--hour <hour>", "hour of the day, 0 to 23 (default: 8)", readNumber],
  ["--timezone <zone>", "for example Europe/Berlin (default: of the client, or UTC)"],
  new Option("--format <format>", "format of the report (default: pdf)").choices(["pdf", "html"]),
  new Option("--paper <paper>", "paper size (default: a4)").choices(["a4", "letter"]),
  [
    "--section <name>",
    `section of the report; repeatable, '' for all: ${reportSections.join(", ")}`,
    collect,
  ],
  ["--locale <tag>", "for example en-GB (default: of the client, or en)"],
  ["--brand <name>", "name of the company on the report; '' for none"],
  ["--color <color>", "color of the report, for example #0b5394; '' for the default"],
  ["--to <address>", "recipient; repeatable, '' for the contacts of the client", collect],
  ["--from <sender>", "verified sender, for example 'Acme <reports@example.com>'"],
  ["--policy <name>", "routing policy; '' for the default of the account"],
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
  description: "Add a schedule of reports on a client, a domain, or the whole workspace.",
  arguments: [["<name>", "name, with which the subjects of its mail begin"]],
  options: [...SETTINGS, ["--paused", "create no reports until it is resumed"], WORKSPACE],
  call: async (context, options: Settings & { readonly paused?: true }) => {
    const { workspace, paused = false, weekly, monthly } = options;
    if (weekly === undefined && monthly === undefined)
      throw new InputError("Give either --weekly or --monthly.");
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
  description: "Show a schedule and the status of its last report.",
  arguments: [NAMED],
  options: [WORKSPACE],
  call: async (context, options: InWorkspace) => ({ schedule: await namedIn(context, options) }),
  of: "schedule",
  schema: ScheduleSchema,
  text: (schedule, { paint }) => describeSchedule(paint, schedule),
});

/** `hermod intel schedule edit`: settings without an option stay. */
const scheduleEdit = showCommand({
  name: "edit",
  description: "Change the settings of a schedule.",
  arguments: [NAMED],
  options: [...SETTINGS, WORKSPACE, ["--name <name>", "new name"], IF_REVISION],
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
  description: "Pause a schedule. It creates no reports until it is resumed.",
  arguments: [NAMED],
  options: [WORKSPACE, IF_REVISION],
  call: async (context, options: InWorkspace & OnRevision) =>
    replace(context, await namedIn(context, options), { paused: true }, options),
  of: "schedule",
  schema: ScheduleSchema,
  text: ({ id, name }) => `Paused the schedule "${printable(name)}" (${id}).`,
});

/** `hermod intel schedule resume` */
const scheduleResume = showCommand({
  name: "resume",
  description: "Resume a paused schedule.",
  arguments: [NAMED],
  options: [WORKSPACE, IF_REVISION],
  call: async (context, options: InWorkspace & OnRevision) =>
    replace(context, await namedIn(context, options), { paused: false }, options),
  of: "schedule",
  schema: ScheduleSchema,
  text: ({ id, name, nextRunAt }) =>
    `Resumed the schedule "${printable(name)}" (${id}). Its next report is due at ${plainTime(nextRunAt)}.`,
});

/** `hermod intel schedule remove` */
const scheduleRemove = removeCommand(
  {
    description: "Remove a schedule. Its reports and messages stay.",
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
  description: "Create and mail a report of the last period now.",
  arguments: [NAMED],
  options: [WORKSPACE],
  call: async (context, options: InWorkspace) => {
    const { id } = await namedIn(context, options);
    return context.core.schedules.runSchedule({ accountId: context.account, id });
  },
  of: "schedule",
  schema: ScheduleSchema,
  text: ({ name }) => `Creating the report "${printable(name)}".`,
  note: ({ id }) => `Result: hermod intel schedule show ${id}`,
});

/**
 * The core replaces all settings of a schedule, so the change includes the settings that were read.
 * @throws Fault resource.stale when another caller has changed it since
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

/** Reads a weekday from its name, the beginning of its name, or its number. */
function readWeekday(text: string): number {
  if (/^[1-7]$/.test(text)) return Number(text);
  const at = WEEKDAYS.findIndex((name) => text.length >= 2 && name.startsWith(text.toLowerCase()));
  if (at < 0) throw new InvalidArgumentError("It must be a day of the week, for example monday, mon or 1.");
  return at + 1;
}

function readNumber(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
