import {
  type Client,
  ClientSchema,
  type UpdateClientResponse,
} from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { type CommandContext, type CommandOption, commandGroup } from "./core-command.ts";
import { findClient, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { collect, withoutEmpty } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { messageJson } from "./output/json.ts";
import { printable } from "./output/text.ts";
import { scoreText } from "./output/watch-text.ts";
import { removeCommand } from "./remove-command.ts";
import { required, showCommand } from "./show-command.ts";

/** `hermod intel client` */
export const clients = commandGroup("client", "Clients: whose domains are watched.", () => [
  clientList,
  clientAdd,
  clientEdit,
  clientArchive,
  clientRestore,
]);

const NAMED = ["<client>", "its id, its external reference or its name"] as const;

interface ListOptions extends InWorkspace {
  readonly search?: string;
  readonly tag?: string;
  readonly archived?: boolean;
}

/** `hermod intel client list` */
const clientList = listCommand({
  description: "List the clients of a workspace by name.",
  options: [
    WORKSPACE,
    ["--search <text>", "only with a word in the name that begins so"],
    ["--tag <tag>", "only with this tag"],
    ["--archived", "those that are archived, in place of the others"],
  ],
  call: ({ core, account, page }, { workspace, search, tag, archived = false }: ListOptions) => {
    const filter = withoutUndefined({ search, tag, status: archived ? "archived" : "active" });
    return core.workspaces.listClients({ accountId: account, workspaceId: workspace, filter, ...page });
  },
  of: "clients",
  schema: ClientSchema,
  columns: [
    ["CLIENT", ({ id }) => id],
    ["NAME", ({ name }) => printable(name)],
    ["REFERENCE", ({ externalRef = "" }) => printable(externalRef) || "-"],
    ["DOMAINS", ({ counts }) => counts?.domains ?? 0],
    ["CRITICAL", ({ counts }) => counts?.critical ?? 0],
    ["WARNING", ({ counts }) => counts?.warning ?? 0],
    ["SCORE", ({ score }) => scoreText(score)],
    ["TAGS", ({ tags }) => tags.map(printable).join(", ")],
  ],
  none: "There are no such clients.",
});

interface Settings {
  readonly ref?: string;
  readonly email?: readonly string[];
  readonly tag?: readonly string[];
  readonly notes?: string;
  readonly locale?: string;
  readonly timezone?: string;
}

/** The settings of a client. */
const SETTINGS: readonly CommandOption[] = [
  ["--ref <text>", "your own name for it; '' for none"],
  ["--email <address>", "whom its reports go to; repeatable, '' for nobody", collect],
  ["--tag <tag>", "a label; repeatable, '' for none", collect],
  ["--notes <text>", "for yourself; '' for none"],
  ["--locale <tag>", "of its reports, as en-GB"],
  ["--timezone <zone>", "of its reports, as Europe/Berlin"],
];

/** The settings that are given. */
function settingsOf({ ref: externalRef, email, tag, notes, locale, timezone }: Settings) {
  const [contactEmails, tags] = [withoutEmpty(email), withoutEmpty(tag)];
  return withoutUndefined({ externalRef, contactEmails, tags, notes, locale, timezone });
}

/** `hermod intel client add` */
const clientAdd = showCommand({
  name: "add",
  description: "Add a client to a workspace.",
  arguments: [["<name>", "its name"]],
  options: [...SETTINGS, WORKSPACE],
  call: ({ core, account, args: [name = ""] }, { workspace, ...given }: Settings & InWorkspace) =>
    core.workspaces.createClient({
      accountId: account,
      workspaceId: workspace,
      settings: { name, ...settingsOf(given) },
    }),
  of: "client",
  schema: ClientSchema,
  text: ({ id, name }) => `Added the client "${printable(name)}" (${id}).`,
});

/** `hermod intel client edit`: what is not given stays. */
const clientEdit = showCommand({
  name: "edit",
  description: "Change what is said of a client.",
  arguments: [NAMED],
  options: [...SETTINGS, ["--name <name>", "another name"], WORKSPACE, IF_REVISION],
  call: async (
    context,
    { name, workspace, ifRevision, ...given }: Settings & InWorkspace & OnRevision & { name?: string },
  ) => {
    const client = await findClient(context, context.args[0] ?? "", workspace);
    const changes = withoutUndefined({ name, ...settingsOf(given) });
    const archived = client.status === "archived";
    return replace(context, client, { changes, archived, ifRevision });
  },
  of: "client",
  schema: ClientSchema,
  text: ({ id, name }) => `Changed the client "${printable(name)}" (${id}).`,
});

interface ArchiveOptions extends InWorkspace, OnRevision {
  readonly force?: boolean;
}

/** `hermod intel client archive` */
const clientArchive = removeCommand(
  {
    name: "archive",
    description: "Archive a client: it gets no further domains, and those that it has are watched as before.",
    arguments: [NAMED],
    options: [
      ["--force", "archive it although schedules mail reports about its domains; they fail then"],
      WORKSPACE,
      IF_REVISION,
    ],
  },
  async (context, { workspace, ifRevision, force }: ArchiveOptions) => {
    const former = await findClient(context, context.args[0] ?? "", workspace);
    const { use, ...archived } = await replace(context, former, { archived: true, ifRevision, force });
    const client = required(archived.client, "client");
    return {
      use,
      json: messageJson(ClientSchema, client),
      text: `Archived the client "${printable(client.name)}" (${client.id}).`,
    };
  },
);

/** `hermod intel client restore` */
const clientRestore = showCommand({
  name: "restore",
  description: "Take a client out of the archive.",
  arguments: [NAMED],
  options: [WORKSPACE, IF_REVISION],
  call: async (context, { workspace, ifRevision }: InWorkspace & OnRevision) => {
    const client = await findClient(context, context.args[0] ?? "", workspace);
    return replace(context, client, { archived: false, ifRevision });
  },
  of: "client",
  schema: ClientSchema,
  text: ({ id, name }) => `Restored the client "${printable(name)}" (${id}).`,
});

/**
 * The core takes what is said of a client as a whole, so the change is based on what was read of it.
 * @throws Fault resource.stale when another client changed it since
 */
async function replace(
  { core, account }: CommandContext,
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
