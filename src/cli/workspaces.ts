import { WorkspaceSchema } from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { listCommand } from "./list-command.ts";
import { printable } from "./output/text.ts";
import { percentText, scoreText } from "./output/watch-text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod intel workspace` */
export const workspaces = commandGroup("workspace", "Workspaces. Each is isolated from the others.", () => [
  workspaceList,
  workspaceAdd,
  workspaceRename,
]);

/** `hermod intel workspace list` */
const workspaceList = listCommand({
  description: "List workspaces. The first one is the default of other commands.",
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
  description: "Create a workspace.",
  arguments: [["<name>", "name of the workspace"]],
  call: ({ core, account, args: [name = ""] }) =>
    core.workspaces.createWorkspace({ accountId: account, name }),
  of: "workspace",
  schema: WorkspaceSchema,
  text: ({ id, name }) => `Created the workspace "${printable(name)}" (${id}).`,
  note: ({ id }) => `To create a key for it: hermod key create --kind deliverability --workspace ${id}`,
});

/** `hermod intel workspace rename` */
const workspaceRename = showCommand({
  name: "rename",
  description: "Rename a workspace.",
  arguments: [
    ["<workspace>", "id of the workspace"],
    ["<name>", "the new name"],
  ],
  options: [IF_REVISION],
  call: ({ core, account, args: [id = "", name = ""] }, options: OnRevision) =>
    core.workspaces.renameWorkspace({ accountId: account, id, name, ...options }),
  of: "workspace",
  schema: WorkspaceSchema,
  text: ({ id, name }) => `Renamed the workspace ${id} to "${printable(name)}".`,
});
