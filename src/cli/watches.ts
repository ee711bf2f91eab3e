import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import type { WatchedDomain } from "../../gen/hermod/watch/v1/watch_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { aggregateReports } from "./aggregate-reports.ts";
import { type CommandContext, type CommandResult, coreCommand } from "./core-command.ts";
import { findClient, findWatchedDomain, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, InputError, readMoment, readSpan, withoutEmpty } from "./input/read-options.ts";
import { FORCE, withUse } from "./output/describe-removal.ts";
import { plainTime, printable } from "./output/text.ts";
import { describeWatched, watchedJson } from "./output/watch-text.ts";
import type { Surroundings } from "./surroundings.ts";
import { watchList } from "./watch-list.ts";

/** `hermod intel domain` */
export function watches(parent: Command, surroundings: Surroundings): void {
  const group = parent.command("domain").description("Domains that are watched: how each stands, and why.");
  watchList(group, surroundings);
  domainAdd(group, surroundings);
  domainShow(group, surroundings);
  domainEdit(group, surroundings);
  domainPause(group, surroundings);
  domainResume(group, surroundings);
  domainRemove(group, surroundings);
  domainCheck(group, surroundings);
  domainMute(group, surroundings);
  domainUnmute(group, surroundings);
  aggregateReports(group, surroundings);
}

const ROLES = ["sending", "receiving", "parked"];

/** A command about one domain, by its name or id. */
function onDomain(parent: Command, name: string, description: string): Command {
  return inWorkspace(parent.command(name).argument("<domain>", "its name or id").description(description));
}

function inWorkspace(command: Command): Command {
  return command.option(...WORKSPACE);
}

interface Settings {
  readonly role?: string;
  readonly selector?: readonly string[];
  readonly ip?: readonly string[];
}

/** The options of what somebody says of a domain. */
function takeSettings(command: Command): Command {
  return command
    .addOption(
      new Option("--role <role>", "parked: it neither sends nor takes mail; missing: sending").choices(ROLES),
    )
    .option("--selector <name>", "a DKIM selector that signs for it; repeatable, '' for none", collect)
    .option("--ip <address>", "an address that its mail leaves from; repeatable, '' for none", collect);
}

/** What of the settings is given. */
function settingsOf({ role, selector, ip }: Settings) {
  return withoutUndefined({ role, dkimSelectors: withoutEmpty(selector), sendingIps: withoutEmpty(ip) });
}

/** `hermod intel domain add` */
function domainAdd(parent: Command, surroundings: Surroundings): void {
  const command = inWorkspace(
    takeSettings(
      parent
        .command("add")
        .argument("<domain>", "its name, as example.com")
        .description("Watch a domain for a client. It is checked at once, and again and again."),
    ),
  )
    .requiredOption("--client <client>", "whose it is: an id, an external reference or a name")
    .option("--paused", "leave it alone until it is resumed");
  interface Options extends Settings, InWorkspace {
    readonly client: string;
    readonly paused?: true;
  }
  coreCommand<Options>(surroundings, command, async (context, { client, workspace, paused, ...given }) => {
    const { core, account, args } = context;
    const [name = ""] = args;
    const { id: clientId } = await findClient(context, client, workspace);
    const settings = { ...settingsOf(given), paused: paused ?? false };
    const { domain } = await core.watches.addWatchedDomain({ accountId: account, clientId, name, settings });
    const added = known(domain);
    return {
      json: watchedJson(added),
      text: () => `${printable(added.name)} is watched (${added.id}).`,
      note: paused ? "It is paused." : `In a moment: hermod intel domain show ${added.id}`,
    };
  });
}

/** `hermod intel domain show` */
function domainShow(parent: Command, surroundings: Surroundings): void {
  const command = onDomain(
    parent,
    "show",
    "Show a domain's score, what to mend first and how, and what could not be measured.",
  );
  coreCommand<InWorkspace>(surroundings, command, async (context, { workspace }) => {
    const { id } = await findWatchedDomain(context, context.args[0] ?? "", workspace);
    const { domain } = await context.core.watches.getWatchedDomain({ accountId: context.account, id });
    return shown(context, domain);
  });
}

/** `hermod intel domain edit`: what is not given stays. */
function domainEdit(parent: Command, surroundings: Surroundings): void {
  const command = takeSettings(
    onDomain(parent, "edit", "Change what is said of a domain, which is then checked at once."),
  )
    .option("--client <client>", "another client of the same workspace")
    .option(...IF_REVISION);
  interface Options extends Settings, InWorkspace, OnRevision {
    readonly client?: string;
  }
  coreCommand<Options>(surroundings, command, async (context, options) => {
    const { client, workspace, ifRevision, ...given } = options;
    const domain = await findWatchedDomain(context, context.args[0] ?? "", workspace);
    const owner = client === undefined ? undefined : await findClient(context, client, domain.workspaceId);
    const changes = settingsOf(given);
    const edited = await replace(context, domain, { changes, clientId: owner?.id, ifRevision });
    return { json: watchedJson(edited), text: () => `Changed ${printable(edited.name)}.` };
  });
}

/** `hermod intel domain pause` */
function domainPause(parent: Command, surroundings: Surroundings): void {
  const command = onDomain(parent, "pause", "Leave a domain alone until it is resumed.").option(
    ...IF_REVISION,
  );
  coreCommand<InWorkspace & OnRevision>(surroundings, command, async (context, options) => {
    const { workspace, ifRevision } = options;
    const domain = await findWatchedDomain(context, context.args[0] ?? "", workspace);
    const paused = await replace(context, domain, { changes: { paused: true }, ifRevision });
    return { json: watchedJson(paused), text: () => `${printable(paused.name)} is paused.` };
  });
}

/** `hermod intel domain resume` */
function domainResume(parent: Command, surroundings: Surroundings): void {
  const command = onDomain(parent, "resume", "Watch a domain again that is paused.").option(...IF_REVISION);
  coreCommand<InWorkspace & OnRevision>(surroundings, command, async (context, options) => {
    const { workspace, ifRevision } = options;
    const domain = await findWatchedDomain(context, context.args[0] ?? "", workspace);
    const resumed = await replace(context, domain, { changes: { paused: false }, ifRevision });
    return { json: watchedJson(resumed), text: () => `${printable(resumed.name)} is watched again.` };
  });
}

/** `hermod intel domain remove` */
function domainRemove(parent: Command, surroundings: Surroundings): void {
  const command = onDomain(
    parent,
    "remove",
    "Watch a domain no longer; all that is known of it goes with it.",
  )
    .option(...FORCE)
    .option(...IF_REVISION);
  interface Options extends InWorkspace, OnRevision {
    readonly force?: boolean;
  }
  coreCommand<Options>(surroundings, command, async (context, { workspace, ...asked }) => {
    const { core, account, args } = context;
    const { id, name } = await findWatchedDomain(context, args[0] ?? "", workspace);
    const { use } = await core.watches.removeWatchedDomain({ accountId: account, id, ...asked });
    return withUse(use, { removed: id, name }, `${printable(name)} is not watched any more.`);
  });
}

/** `hermod intel domain check` */
function domainCheck(parent: Command, surroundings: Surroundings): void {
  const command = onDomain(parent, "check", "Check a domain now, and show how it stands.");
  coreCommand<InWorkspace>(surroundings, command, async (context, { workspace }) => {
    const { id } = await findWatchedDomain(context, context.args[0] ?? "", workspace);
    const { domain } = await context.core.watches.checkWatchedDomain({ accountId: context.account, id });
    return shown(context, domain);
  });
}

const CHECK = ["<check>", "its id, as auth.dmarc.policy"] as const;

interface MuteOptions extends InWorkspace, OnRevision {
  readonly for?: number;
  readonly until?: Date;
}

/** `hermod intel domain mute` */
function domainMute(parent: Command, surroundings: Surroundings): void {
  const command = onDomain(parent, "mute", "For a time, what a check finds is shown and told to nobody.")
    .argument(...CHECK)
    .option("--for <span>", "for so long, as 30d", readSpan)
    .option("--until <moment>", "until then, as 2030-01-02T09:00:00Z", readMoment)
    .option(...IF_REVISION);
  coreCommand<MuteOptions>(surroundings, command, async (context, options) => {
    const { for: seconds, until, workspace, ifRevision } = options;
    if ((seconds === undefined) === (until === undefined))
      throw new InputError("Say how long: either --for or --until.");
    const end = until ?? new Date(Date.now() + (seconds ?? 0) * 1_000);
    const [name = "", checkId = ""] = context.args;
    const { id } = await findWatchedDomain(context, name, workspace);
    const asked = {
      accountId: context.account,
      id,
      checkId,
      until: timestampFromDate(end),
      ...withoutUndefined({ ifRevision }),
    };
    const domain = known((await context.core.watches.muteCheck(asked)).domain);
    const text = `${checkId} of ${domain.name} is muted until ${plainTime(asked.until)}.`;
    return { json: watchedJson(domain), text: () => printable(text) };
  });
}

/** `hermod intel domain unmute` */
function domainUnmute(parent: Command, surroundings: Surroundings): void {
  const command = onDomain(parent, "unmute", "What a check finds is told again.")
    .argument(...CHECK)
    .option(...IF_REVISION);
  coreCommand<InWorkspace & OnRevision>(surroundings, command, async (context, options) => {
    const { workspace, ifRevision } = options;
    const [name = "", checkId = ""] = context.args;
    const { id } = await findWatchedDomain(context, name, workspace);
    const asked = { accountId: context.account, id, checkId, ...withoutUndefined({ ifRevision }) };
    const domain = known((await context.core.watches.muteCheck(asked)).domain);
    return {
      json: watchedJson(domain),
      text: () => printable(`${checkId} of ${domain.name} is not muted any more.`),
    };
  });
}

/**
 * The core takes what is said of a domain as a whole, so the change is based on what was read of it.
 * @throws Fault resource.stale when another client changed it since
 */
async function replace(
  { core, account }: Pick<CommandContext, "core" | "account">,
  { id, role, dkimSelectors, sendingIps, paused, revision }: WatchedDomain,
  given: {
    readonly changes: object;
    readonly clientId?: string | undefined;
    readonly ifRevision: string | undefined;
  },
): Promise<WatchedDomain> {
  const { changes, clientId = "", ifRevision = revision } = given;
  const settings = { role, dkimSelectors, sendingIps, paused, ...changes };
  const asked = { accountId: account, id, clientId, settings, ifRevision };
  return known((await core.watches.updateWatchedDomain(asked)).domain);
}

async function shown(
  { core, account, paint }: CommandContext,
  domain: WatchedDomain | undefined,
): Promise<CommandResult> {
  const described = known(domain);
  const asked = { accountId: account, id: described.clientId };
  const { client } = await core.workspaces.getClient(asked);
  return {
    json: watchedJson(described),
    text: () => describeWatched(paint, described, client?.name ?? ""),
  };
}

function known(domain: WatchedDomain | undefined): WatchedDomain {
  if (domain) return domain;
  throw fault("internal.error", { internal: "the core answered without the domain" });
}
