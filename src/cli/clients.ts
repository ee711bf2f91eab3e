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
import { FORCE, removeCommand } from "./remove-command.ts";
import { required, showCommand } from "./show-command.ts";

/** `hermod intel client` */
export const clients = commandGroup("client", "Clients, the owners of watched domains.", () => [
  clientList,
  clientAdd,
  clientEdit,
  clientArchive,
  clientRestore,
  clientRemove,
]);

const NAMED = ["<client>", "id, external reference or name of the client"] as const;

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
    ["--search <text>", "only clients with a word in the name that begins with this"],
    ["--tag <tag>", "only clients with this tag"],
    ["--archived", "archived clients instead of active ones"],
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
  none: "No clients match.",
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
  ["--ref <text>", "your external reference; '' for none"],
  ["--email <address>", "recipient of its reports; repeatable, '' for none", collect],
  ["--tag <tag>", "tag of the client; repeatable, '' for none", collect],
  ["--notes <text>", "notes; '' for none"],
  ["--locale <tag>", "locale of its reports, for example en-GB"],
  ["--timezone <zone>", "time zone of its reports, for example Europe/Berlin"],
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
  arguments: [["<name>", "name of the client"]],
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

/** `hermod intel client edit`: settings without an option stay. */
const clientEdit = showCommand({
  name: "edit",
  description: "Change the settings of a client.",
  arguments: [NAMED],
  options: [...SETTINGS, ["--name <name>", "new name"], WORKSPACE, IF_REVISION],
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
    description: "Archive a client. It gets no new domains; Hermod still watches its present domains.",
    arguments: [NAMED],
    options: [
      ["--force", "archive it even if schedules mail reports about it; those schedules then fail"],
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
  description: "Restore an archived client.",
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

interface RemoveOptions extends InWorkspace, OnRevision {
  readonly force?: boolean;
  readonly withDomains?: boolean;
}

/** `hermod intel client remove` */
const clientRemove = removeCommand(
  {
    description: "Remove a client. With its domains, it is archived at once, and a job removes it.",
    arguments: [NAMED],
    options: [
      ["--with-domains", "remove its domains with all their data, too"],
      WORKSPACE,
      FORCE,
      IF_REVISION,
    ],
  },
  async (context, { workspace, ...asked }: RemoveOptions) => {
    const { id, name } = await findClient(context, context.args[0] ?? "", workspace);
    const { core, account } = context;
    const { use, job } = await core.workspaces.removeClient({ accountId: account, id, ...asked });
    const removed = { removed: id, name, ...(job && { job: job.id }) };
    const text = job
      ? `The client "${printable(name)}" is being removed: hermod job watch ${job.id}`
      : `Removed the client "${printable(name)}".`;
    return { use, json: removed, text };
  },
);

/**
 * The core replaces all settings of a client, so the change includes the settings that were read.
 * @throws Fault resource.stale when another caller has changed it since
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
