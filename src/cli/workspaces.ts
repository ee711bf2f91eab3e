import { WorkspaceSchema } from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { listCommand } from "./list-command.ts";
import { printable } from "./output/text.ts";
import { percentText, scoreText } from "./output/watch-text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod intel workspace` */
export const workspaces = commandGroup("workspace", "Workspaces: nothing of one is seen in another.", () => [
  workspaceList,
  workspaceAdd,
  workspaceRename,
]);

/** `hermod intel workspace list` */
const workspaceList = listCommand({
  description: "List workspaces, the first one first: it is meant where none is named.",
  limit: "none",
  call: ({ core, account }) => core.workspaces.listWorkspaces({ accountId: account }),
  of: "workspaces",
  schema: WorkspaceSchema,
  columns: [
    ["WORKSPACE", ({ id }) => id],
    ["NAME", ({ name }) => printable(name)],
    ["CLIENTS", ({ counts }) => counts?.clients ?? 0],
    ["DOMAINS", ({ counts }) => counts?.domains ?? 0],
    ["CRITICAL", ({ counts }) => counts?.domainsByStatus.critical ?? 0],
    ["WARNING", ({ counts }) => counts?.domainsByStatus.warning ?? 0],
    ["SCORE", ({ scoreAvg }) => scoreText(scoreAvg)],
    ["COVERAGE", ({ coverageAvg }) => percentText(coverageAvg)],
  ],
  none: "There are no workspaces.",
});

/** `hermod intel workspace add` */
const workspaceAdd = showCommand({
  name: "add",
  description: "Make a workspace.",
  arguments: [["<name>", "a name to recognise it by"]],
  call: ({ core, account, args: [name = ""] }) =>
    core.workspaces.createWorkspace({ accountId: account, name }),
  of: "workspace",
  schema: WorkspaceSchema,
  text: ({ id, name }) => `Made the workspace "${printable(name)}" (${id}).`,
  note: ({ id }) => `A key for it: hermod key create --kind deliverability --workspace ${id}`,
});

/** `hermod intel workspace rename` */
const workspaceRename = showCommand({
  name: "rename",
  description: "Give a workspace another name.",
  arguments: [
    ["<workspace>", "its id"],
    ["<name>", "the new name"],
  ],
  options: [IF_REVISION],
  call: ({ core, account, args: [id = "", name = ""] }, options: OnRevision) =>
    core.workspaces.renameWorkspace({ accountId: account, id, name, ...options }),
  of: "workspace",
  schema: WorkspaceSchema,
  text: ({ id, name }) => `The workspace ${id} is called "${printable(name)}" now.`,
});
