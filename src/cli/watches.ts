import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import { type WatchedDomain, WatchedDomainSchema } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { aggregateReports } from "./aggregate-reports.ts";
import { type CommandContext, type CommandOption, type CommandUsage, commandGroup } from "./core-command.ts";
import { findClient, findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, InputError, readMoment, readSpan, withoutEmpty } from "./input/read-options.ts";
import { plainTime, printable } from "./output/text.ts";
import { describeWatched } from "./output/watch-text.ts";
import { FORCE, removeCommand } from "./remove-command.ts";
import { required, showCommand } from "./show-command.ts";
import { watchList } from "./watch-list.ts";

/** `hermod intel domain` */
export const watches = commandGroup("domain", "Watched domains, their status and findings.", () => [
  watchList,
  domainAdd,
  domainShow,
  domainEdit,
  domainSwitch("pause", "Pause a domain. It is not checked until it is resumed.", "paused"),
  domainSwitch("resume", "Resume a paused domain.", "watched again"),
  domainRemove,
  domainCheck,
  domainMute,
  domainUnmute,
  ...aggregateReports,
]);

const ROLES = ["sending", "receiving", "parked"];
const DOMAIN = ["<domain>", "name or id of the domain"] as const;
const CHECK = ["<check>", "id of the check, for example auth.dmarc.policy"] as const;

/** The domain in the arguments of a command. */
const namedIn = (context: CommandContext, { workspace }: InWorkspace) =>
  findWatchedDomain(context, context.args[0] ?? "", workspace);

interface Settings {
  readonly role?: string;
  readonly selector?: readonly string[];
  readonly ip?: readonly string[];
}

/** The settings of a domain. */
const SETTINGS: readonly CommandOption[] = [
  new Option("--role <role>", "parked: it neither sends nor receives mail (default: sending)").choices(ROLES),
  ["--selector <name>", "DKIM selector of the domain; repeatable, '' for none", collect],
  ["--ip <address>", "IP address that sends its mail; repeatable, '' for none", collect],
];

/** The settings that are given. */
function settingsOf({ role, selector, ip }: Settings) {
  return withoutUndefined({ role, dkimSelectors: withoutEmpty(selector), sendingIps: withoutEmpty(ip) });
}

interface AddOptions extends Settings, InWorkspace {
  readonly client: string;
  readonly paused?: boolean;
}

/** `hermod intel domain add` */
const domainAdd = showCommand({
  name: "add",
  description: "Watch a domain for a client. It is checked at once, and then repeatedly.",
  arguments: [["<domain>", "name of the domain, for example example.com"]],
  options: [
    ...SETTINGS,
    WORKSPACE,
    new Option(
      "--client <client>",
      "owner of the domain: an id, external reference or name",
    ).makeOptionMandatory(),
    ["--paused", "do not check it until it is resumed"],
  ],
  call: async (context, { client, workspace, paused = false, ...given }: AddOptions) => {
    const { core, account, args } = context;
    const { id: clientId } = await findClient(context, client, workspace);
    const settings = { ...settingsOf(given), paused };
    return core.watches.addWatchedDomain({ accountId: account, clientId, name: args[0] ?? "", settings });
  },
  of: "domain",
  schema: WatchedDomainSchema,
  text: ({ id, name }) => `Watching ${printable(name)} (${id}).`,
  note: ({ id }, { options: { paused } }) =>
    paused ? "It is paused." : `Result: hermod intel domain show ${id}`,
});

/** `hermod intel domain show` */
const domainShow = checkedCommand(
  {
    name: "show",
    description: "Show the score of a domain, its findings with fixes, and unmeasured checks.",
  },
  ({ core, account }, id) => core.watches.getWatchedDomain({ accountId: account, id }),
);

/** `hermod intel domain check` */
const domainCheck = checkedCommand(
  { name: "check", description: "Check a domain now and show its status." },
  ({ core, account }, id) => core.watches.checkWatchedDomain({ accountId: account, id }),
);

/** A command that shows a domain with the results of its checks. */
function checkedCommand(
  usage: CommandUsage,
  read: (context: CommandContext, id: string) => Promise<{ readonly domain?: WatchedDomain | undefined }>,
) {
  return showCommand({
    ...usage,
    arguments: [DOMAIN],
    options: [WORKSPACE],
    call: async (context, options: InWorkspace) => {
      const { id } = await namedIn(context, options);
      const domain = required((await read(context, id)).domain, "domain");
      const { core, account } = context;
      const { client } = await core.workspaces.getClient({ accountId: account, id: domain.clientId });
      return { domain, client };
    },
    of: "domain",
    schema: WatchedDomainSchema,
    text: (domain, { paint, answer: { client } }) => describeWatched(paint, domain, client?.name ?? ""),
  });
}

interface EditOptions extends Settings, InWorkspace, OnRevision {
  readonly client?: string;
}

/** `hermod intel domain edit`: settings without an option stay. */
const domainEdit = showCommand({
  name: "edit",
  description: "Change the settings of a domain. It is then checked at once.",
  arguments: [DOMAIN],
  options: [
    ...SETTINGS,
    WORKSPACE,
    ["--client <client>", "new owner: a client of the same workspace"],
    IF_REVISION,
  ],
  call: async (context, { client, ...options }: EditOptions) => {
    const domain = await namedIn(context, options);
    const owner = client === undefined ? undefined : await findClient(context, client, domain.workspaceId);
    return replace(context, domain, options, settingsOf(options), owner?.id);
  },
  of: "domain",
  schema: WatchedDomainSchema,
  text: ({ name }) => `Changed ${printable(name)}.`,
});

/** `hermod intel domain pause` and `resume` */
function domainSwitch(name: "pause" | "resume", description: string, outcome: string) {
  return showCommand({
    name,
    description,
    arguments: [DOMAIN],
    options: [WORKSPACE, IF_REVISION],
    call: async (context, options: InWorkspace & OnRevision) =>
      replace(context, await namedIn(context, options), options, { paused: name === "pause" }),
    of: "domain",
    schema: WatchedDomainSchema,
    text: (domain) => `${printable(domain.name)} is ${outcome}.`,
  });
}

/** `hermod intel domain remove` */
const domainRemove = removeCommand(
  {
    description: "Stop watching a domain and remove all data about it.",
    arguments: [DOMAIN],
    options: [WORKSPACE, FORCE, IF_REVISION],
  },
  async (context, { workspace, ...asked }: InWorkspace & OnRevision & { readonly force?: boolean }) => {
    const { id, name } = await namedIn(context, { workspace });
    const { core, account } = context;
    const { use } = await core.watches.removeWatchedDomain({ accountId: account, id, ...asked });
    return { use, json: { removed: id, name }, text: `Stopped watching ${printable(name)}.` };
  },
);

interface MuteOptions extends InWorkspace, OnRevision {
  readonly for?: number;
  readonly until?: Date;
  readonly reason?: string;
}

/** `hermod intel domain mute` */
const domainMute = showCommand({
  name: "mute",
  description: "Mute a check of a domain for a time: its findings do not count and send no notifications.",
  arguments: [DOMAIN, CHECK],
  options: [
    WORKSPACE,
    ["--for <span>", "duration, for example 30d", readSpan],
    ["--until <moment>", "end, for example 2030-01-02T09:00:00Z", readMoment],
    ["--reason <text>", "why it is muted; hermod intel mutes shows it"],
    IF_REVISION,
  ],
  call: async (context, { for: seconds, until, reason = "", ...options }: MuteOptions) => {
    if ((seconds === undefined) === (until === undefined))
      throw new InputError("Give either --for or --until.");
    const end = timestampFromDate(until ?? new Date(Date.now() + (seconds ?? 0) * 1_000));
    return { ...(await mute(context, options, { until: end, reason })), until: end };
  },
  of: "domain",
  schema: WatchedDomainSchema,
  text: ({ name }, { args: [, check = ""], answer: { until } }) =>
    printable(`${check} of ${name} is muted until ${plainTime(until)}.`),
});

/** `hermod intel domain unmute` */
const domainUnmute = showCommand({
  name: "unmute",
  description: "Unmute a check of a domain.",
  arguments: [DOMAIN, CHECK],
  options: [WORKSPACE, IF_REVISION],
  call: (context, options: InWorkspace & OnRevision) => mute(context, options, {}),
  of: "domain",
  schema: WatchedDomainSchema,
  text: ({ name }, { args: [, check = ""] }) => printable(`${check} of ${name} is no longer muted.`),
});

async function mute(
  context: CommandContext,
  { workspace, ifRevision }: InWorkspace & OnRevision,
  wanted: { readonly until?: ReturnType<typeof timestampFromDate>; readonly reason?: string },
) {
  const { core, account, args } = context;
  const { id } = await namedIn(context, { workspace });
  const asked = {
    accountId: account,
    id,
    checkId: args[1] ?? "",
    ...wanted,
    ...withoutUndefined({ ifRevision }),
  };
  return core.watches.muteCheck(asked);
}

/**
 * The core replaces all settings of a domain, so the change includes the settings that were read.
 * @throws Fault resource.stale when another caller has changed it since
 */
function replace(
  { core, account }: CommandContext,
  { id, role, dkimSelectors, sendingIps, paused, revision }: WatchedDomain,
  { ifRevision = revision }: OnRevision,
  changes: object,
  clientId = "",
) {
  const settings = { role, dkimSelectors, sendingIps, paused, ...changes };
  return core.watches.updateWatchedDomain({ accountId: account, id, clientId, settings, ifRevision });
}
