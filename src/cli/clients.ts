import type { Command } from "commander";
import {
  type Client,
  ClientSchema,
  type UpdateClientResponse,
} from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { allPages } from "./all-pages.ts";
import { type CommandContext, coreCommand } from "./core-command.ts";
import { findClient, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, withoutEmpty } from "./input/read-options.ts";
import { messageJson } from "./output/alert-text.ts";
import { withUse } from "./output/describe-removal.ts";
import { table } from "./output/table.ts";
import { listJson, printable } from "./output/text.ts";
import { scoreText } from "./output/watch-text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod intel client` */
export function clients(parent: Command, surroundings: Surroundings): void {
  const group = parent.command("client").description("Clients: whose domains are watched.");
  clientList(group, surroundings);
  clientAdd(group, surroundings);
  clientEdit(group, surroundings);
  clientArchive(group, surroundings);
  clientRestore(group, surroundings);
}

const NAMED = ["<client>", "its id, its external reference or its name"] as const;

interface ListOptions extends InWorkspace {
  readonly search?: string;
  readonly tag?: string;
  readonly archived?: true;
}

/** `hermod intel client list` */
function clientList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List the clients of a workspace by name.")
    .option(...WORKSPACE)
    .option("--search <text>", "only with a word in the name that begins so")
    .option("--tag <tag>", "only with this tag")
    .option("--archived", "those that are archived, in place of the others");
  coreCommand<ListOptions>(surroundings, command, async ({ core, account, paint }, options) => {
    const { workspace, search, tag, archived = false } = options;
    const asked = { accountId: account, workspaceId: workspace, pageSize: 1_000 };
    const filter = withoutUndefined({ search, tag, status: archived ? "archived" : "active" });
    const all = await allPages(
      (pageToken) => core.workspaces.listClients({ ...asked, filter, pageToken }),
      (page) => page.clients,
    );
    const rows = all.map(({ id, name, externalRef, counts, score, tags }) => [
      ...[id, printable(name), printable(externalRef ?? "") || "-"],
      ...[counts?.domains ?? 0, counts?.critical ?? 0, counts?.warning ?? 0].map(String),
      ...[scoreText(score), tags.map(printable).join(", ")],
    ]);
    const heading = ["CLIENT", "NAME", "REFERENCE", "DOMAINS", "CRITICAL", "WARNING", "SCORE", "TAGS"];
    return {
      json: listJson(all.map((one) => messageJson(ClientSchema, one))),
      text: () => table(paint, heading, rows, "There are no such clients."),
    };
  });
}

interface Settings {
  readonly ref?: string;
  readonly email?: readonly string[];
  readonly tag?: readonly string[];
  readonly notes?: string;
  readonly locale?: string;
  readonly timezone?: string;
}

/** The options of what somebody gives a client. */
function takeSettings(command: Command): Command {
  return command
    .option("--ref <text>", "your own name for it; '' for none")
    .option("--email <address>", "whom its reports go to; repeatable, '' for nobody", collect)
    .option("--tag <tag>", "a label; repeatable, '' for none", collect)
    .option("--notes <text>", "for yourself; '' for none")
    .option("--locale <tag>", "of its reports, as en-GB")
    .option("--timezone <zone>", "of its reports, as Europe/Berlin");
}

/** What of the settings is given. */
function settingsOf({ ref: externalRef, email, tag, notes, locale, timezone }: Settings) {
  const [contactEmails, tags] = [withoutEmpty(email), withoutEmpty(tag)];
  return withoutUndefined({ externalRef, contactEmails, tags, notes, locale, timezone });
}

/** `hermod intel client add` */
function clientAdd(parent: Command, surroundings: Surroundings): void {
  const command = takeSettings(
    parent.command("add").argument("<name>", "its name").description("Add a client to a workspace."),
  ).option(...WORKSPACE);
  coreCommand<Settings & InWorkspace>(surroundings, command, async (context, options) => {
    const { core, account, args } = context;
    const [name = ""] = args;
    const created = await core.workspaces.createClient({
      accountId: account,
      workspaceId: options.workspace,
      settings: { name, ...settingsOf(options) },
    });
    return shown(created, (client) => `Added the client "${printable(client.name)}" (${client.id}).`);
  });
}

/** `hermod intel client edit`: what is not given stays. */
function clientEdit(parent: Command, surroundings: Surroundings): void {
  const command = takeSettings(
    parent
      .command("edit")
      .argument(...NAMED)
      .description("Change what is said of a client."),
  )
    .option("--name <name>", "another name")
    .option(...WORKSPACE)
    .option(...IF_REVISION);
  coreCommand<Settings & InWorkspace & OnRevision & { readonly name?: string }>(
    surroundings,
    command,
    async (context, { name, workspace, ifRevision, ...given }) => {
      const client = await findClient(context, context.args[0] ?? "", workspace);
      const changes = withoutUndefined({ name, ...settingsOf(given) });
      const archived = client.status === "archived";
      const updated = await replace(context, client, { changes, archived, ifRevision });
      return shown(updated, ({ id, name: now }) => `Changed the client "${printable(now)}" (${id}).`);
    },
  );
}

/** `hermod intel client archive` */
function clientArchive(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("archive")
    .argument(...NAMED)
    .description("Archive a client: it gets no further domains, and those that it has are watched as before.")
    .option("--force", "archive it although schedules mail reports about its domains; they fail then")
    .option(...WORKSPACE)
    .option(...IF_REVISION);
  interface Options extends InWorkspace, OnRevision {
    readonly force?: boolean;
  }
  coreCommand<Options>(surroundings, command, async (context, { workspace, ifRevision, force }) => {
    const client = await findClient(context, context.args[0] ?? "", workspace);
    const { use, ...archived } = await replace(context, client, { archived: true, ifRevision, force });
    const { json, text } = shown(
      archived,
      ({ id, name }) => `Archived the client "${printable(name)}" (${id}).`,
    );
    return withUse(use, json, text());
  });
}

/** `hermod intel client restore` */
function clientRestore(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("restore")
    .argument(...NAMED)
    .description("Take a client out of the archive.")
    .option(...WORKSPACE)
    .option(...IF_REVISION);
  coreCommand<InWorkspace & OnRevision>(surroundings, command, async (context, options) => {
    const { workspace, ifRevision } = options;
    const client = await findClient(context, context.args[0] ?? "", workspace);
    const restored = await replace(context, client, { archived: false, ifRevision });
    return shown(restored, ({ id, name }) => `Restored the client "${printable(name)}" (${id}).`);
  });
}

/**
 * The core takes what is said of a client as a whole, so the change is based on what was read of it.
 * @throws Fault resource.stale when another client changed it since
 */
async function replace(
  { core, account }: Pick<CommandContext, "core" | "account">,
  client: Client,
  asked: {
    readonly changes?: object;
    readonly archived: boolean;
    readonly force?: boolean | undefined;
    readonly ifRevision: string | undefined;
  },
): Promise<UpdateClientResponse> {
  const { changes, archived, force = false, ifRevision = client.revision } = asked;
  const { id, name, externalRef = "", contactEmails, tags, notes = "", locale, timezone } = client;
  const settings = { name, externalRef, contactEmails, tags, notes, locale, timezone, ...changes };
  const request = { accountId: account, id, settings, archived, force, ifRevision };
  return core.workspaces.updateClient(request);
}

function shown({ client }: { readonly client?: Client | undefined }, text: (client: Client) => string) {
  if (!client) throw fault("internal.error", { internal: "the core answered without the client" });
  return { json: messageJson(ClientSchema, client) as object, text: () => text(client) };
}
