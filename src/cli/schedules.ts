import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Command, InvalidArgumentError, Option } from "commander";
import { reportSections } from "../../contracts/common/report-section-names.ts";
import {
  type Schedule,
  ScheduleSchema,
  type ScheduleSettingsSchema,
} from "../../gen/hermod/schedule/v1/schedule_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { type CommandContext, type CommandResult, coreCommand } from "./core-command.ts";
import { allSchedules, findSchedule } from "./input/find-schedule.ts";
import { findClient, findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, InputError, withoutEmpty } from "./input/read-options.ts";
import { messageJson } from "./output/alert-text.ts";
import { cadenceText, describeSchedule, lastText, WEEKDAYS } from "./output/schedule-text.ts";
import { table } from "./output/table.ts";
import { listJson, plainTime, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod intel schedule` */
export function schedules(parent: Command, surroundings: Surroundings): void {
  const group = parent
    .command("schedule")
    .description("Schedules by which reports are made and mailed, weekly or monthly.");
  scheduleList(group, surroundings);
  scheduleAdd(group, surroundings);
  scheduleShow(group, surroundings);
  scheduleEdit(group, surroundings);
  schedulePause(group, surroundings);
  scheduleResume(group, surroundings);
  scheduleRemove(group, surroundings);
  scheduleRun(group, surroundings);
}

type AskedSettings = Omit<
  Exclude<MessageInitShape<typeof ScheduleSettingsSchema>, { readonly $typeName: string }>,
  "$typeName" | "$unknown"
>;

/** A command about one schedule, by its name or id. */
function onSchedule(parent: Command, name: string, description: string): Command {
  const command = parent.command(name).argument("<schedule>", "its name or id").description(description);
  return command.option(...WORKSPACE);
}

/** `hermod intel schedule list` */
function scheduleList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List the schedules of a workspace, the earliest first.")
    .option(...WORKSPACE);
  coreCommand<InWorkspace>(surroundings, command, async (context, { workspace }) => {
    const all = await allSchedules(context, workspace);
    const rows = all.map((one) => [
      ...[one.id, printable(one.name), printable(one.scope?.type ?? ""), cadenceText(one)],
      ...[plainTime(one.nextRunAt) || "paused", lastText(one)],
    ]);
    const heading = ["SCHEDULE", "NAME", "ABOUT", "MADE", "NEXT", "LAST"];
    return {
      json: listJson(all.map((one) => messageJson(ScheduleSchema, one))),
      text: () => table(context.paint, heading, rows, "There are no schedules."),
    };
  });
}

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

/** The options of what somebody says of a schedule. */
function takeSettings(command: Command): Command {
  return command
    .option("--client <client>", "about a client: an id, an external reference or a name")
    .addOption(new Option("--domain <domain>", "about a domain: its name or id").conflicts("client"))
    .option("--weekly <weekday>", "of the week before, as monday or 1", readWeekday)
    .addOption(
      new Option("--monthly <day>", "of the month before, on this day: 1 to 28")
        .argParser(readNumber)
        .conflicts("weekly"),
    )
    .option("--hour <hour>", "0 to 23; missing: 8", readNumber)
    .option("--timezone <zone>", "as Europe/Berlin; missing: that of the client, or UTC")
    .addOption(new Option("--format <format>", "missing: pdf").choices(["pdf", "html"]))
    .addOption(new Option("--paper <paper>", "missing: a4").choices(["a4", "letter"]))
    .option("--section <name>", `what it has; repeatable, '' for all: ${reportSections.join(", ")}`, collect)
    .option("--locale <tag>", "as en-GB; missing: that of the client, or en")
    .option("--brand <name>", "who hands it out; '' for nobody")
    .option("--color <color>", "as #0b5394; '' for its own")
    .option("--to <address>", "whom it goes to; repeatable, '' for the contacts of the client", collect)
    .option("--from <sender>", "a verified sender, as 'Acme <reports@example.com>'")
    .option("--policy <name>", "the routing policy; '' for the account's default");
}

/** What of the settings is given. */
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
function scheduleAdd(parent: Command, surroundings: Surroundings): void {
  const command = takeSettings(
    parent
      .command("add")
      .argument("<name>", "what subjects of its mail begin with")
      .description("Have reports made and mailed: of a client, of a domain, or of the whole workspace."),
  )
    .option("--paused", "make none until it is resumed")
    .option(...WORKSPACE);
  coreCommand<Settings & { readonly paused?: true }>(surroundings, command, async (context, options) => {
    const { workspace, paused = false, weekly, monthly } = options;
    if (weekly === undefined && monthly === undefined)
      throw new InputError("Say how often: either --weekly or --monthly.");
    const { core, account, args } = context;
    const [name = ""] = args;
    const given = await settingsOf(context, options);
    const scope = given.scope ?? { type: "workspace" };
    const { schedule } = await core.schedules.createSchedule({
      accountId: account,
      workspaceId: workspace,
      settings: { ...given, name, scope, paused, branding: brandingOf(options, undefined) },
    });
    return shown(schedule, ({ id, nextRunAt }) => {
      const next = nextRunAt ? `The first report is due at ${plainTime(nextRunAt)}.` : "It is paused.";
      return `Added the schedule "${printable(name)}" (${id}). ${next}`;
    });
  });
}

/** `hermod intel schedule show` */
function scheduleShow(parent: Command, surroundings: Surroundings): void {
  const command = onSchedule(parent, "show", "Show a schedule, and what became of its last report.");
  coreCommand<InWorkspace>(surroundings, command, async (context, { workspace }) => {
    const schedule = await findSchedule(context, context.args[0] ?? "", workspace);
    return shown(schedule, (found) => describeSchedule(context.paint, found));
  });
}

/** `hermod intel schedule edit`: what is not given stays. */
function scheduleEdit(parent: Command, surroundings: Surroundings): void {
  const command = takeSettings(onSchedule(parent, "edit", "Change what is said of a schedule."))
    .option("--name <name>", "another name")
    .option(...IF_REVISION);
  coreCommand<Settings & OnRevision & { readonly name?: string }>(
    surroundings,
    command,
    async (context, options) => {
      const schedule = await findSchedule(context, context.args[0] ?? "", options.workspace);
      const { name } = options;
      const changes = {
        ...(await settingsOf(context, { ...options, workspace: schedule.workspaceId })),
        ...withoutUndefined({ name }),
        branding: brandingOf(options, schedule.branding),
      };
      const edited = await replace(context, schedule, changes, options);
      return shown(edited, ({ id, name: now }) => `Changed the schedule "${printable(now)}" (${id}).`);
    },
  );
}

/** `hermod intel schedule pause` */
function schedulePause(parent: Command, surroundings: Surroundings): void {
  const command = onSchedule(parent, "pause", "Make no reports until the schedule is resumed.").option(
    ...IF_REVISION,
  );
  coreCommand<InWorkspace & OnRevision>(surroundings, command, async (context, options) => {
    const schedule = await findSchedule(context, context.args[0] ?? "", options.workspace);
    const paused = await replace(context, schedule, { paused: true }, options);
    return shown(paused, ({ id, name }) => `The schedule "${printable(name)}" (${id}) is paused.`);
  });
}

/** `hermod intel schedule resume` */
function scheduleResume(parent: Command, surroundings: Surroundings): void {
  const command = onSchedule(parent, "resume", "Make reports again by a schedule that is paused.").option(
    ...IF_REVISION,
  );
  coreCommand<InWorkspace & OnRevision>(surroundings, command, async (context, options) => {
    const schedule = await findSchedule(context, context.args[0] ?? "", options.workspace);
    const resumed = await replace(context, schedule, { paused: false }, options);
    return shown(
      resumed,
      ({ id, name, nextRunAt }) =>
        `The schedule "${printable(name)}" (${id}) goes on: its next report is due at ${plainTime(nextRunAt)}.`,
    );
  });
}

/** `hermod intel schedule remove` */
function scheduleRemove(parent: Command, surroundings: Surroundings): void {
  const command = onSchedule(
    parent,
    "remove",
    "Remove a schedule. Reports and mail that it has made stay.",
  ).option(...IF_REVISION);
  coreCommand<InWorkspace & OnRevision>(surroundings, command, async (context, options) => {
    const { workspace, ifRevision } = options;
    const { core, account, args } = context;
    const { id, name } = await findSchedule(context, args[0] ?? "", workspace);
    await core.schedules.deleteSchedule({ accountId: account, id, ...withoutUndefined({ ifRevision }) });
    return { json: { removed: id, name }, text: () => `Removed the schedule "${printable(name)}" (${id}).` };
  });
}

/** `hermod intel schedule run` */
function scheduleRun(parent: Command, surroundings: Surroundings): void {
  const command = onSchedule(parent, "run", "Have a report of the last period made and mailed now.");
  coreCommand<InWorkspace>(surroundings, command, async (context, { workspace }) => {
    const { core, account, args } = context;
    const { id, name } = await findSchedule(context, args[0] ?? "", workspace);
    const { schedule } = await core.schedules.runSchedule({ accountId: account, id });
    const result = shown(schedule, () => `The report "${printable(name)}" is being made.`);
    return { ...result, note: `In a moment: hermod intel schedule show ${id}` };
  });
}

/**
 * The core takes what is said of a schedule as a whole, so the change is based on what was read of it.
 * @throws Fault resource.stale when another client changed it since
 */
async function replace(
  { core, account }: Pick<CommandContext, "core" | "account">,
  schedule: Schedule,
  changes: AskedSettings,
  { ifRevision = schedule.revision }: OnRevision,
): Promise<Schedule | undefined> {
  const { id, name, scope, hour, timezone, format, paper, sections, locale, branding } = schedule;
  const { recipients, from, routingPolicy, paused, cadence, weekday, day } = schedule;
  const kept = { name, scope, hour, timezone, format, paper, sections, locale, branding };
  const when = changes.cadence === undefined ? { cadence, weekday, day } : {};
  const sent = { recipients, from, routingPolicy, paused };
  const settings = withoutUndefined({ ...kept, ...when, ...sent, ...changes });
  return (await core.schedules.updateSchedule({ accountId: account, id, settings, ifRevision })).schedule;
}

function shown(schedule: Schedule | undefined, text: (schedule: Schedule) => string): CommandResult {
  if (!schedule) throw fault("internal.error", { internal: "the core answered without the schedule" });
  return { json: messageJson(ScheduleSchema, schedule), text: () => text(schedule) };
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
