import type { Command } from "commander";
import { type Workspace, WorkspaceSchema } from "../../gen/hermod/workspace/v1/workspace_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { coreCommand } from "./core-command.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { messageJson } from "./output/alert-text.ts";
import { table } from "./output/table.ts";
import { listJson, printable } from "./output/text.ts";
import { percentText, scoreText } from "./output/watch-text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod intel workspace` */
export function workspaces(parent: Command, surroundings: Surroundings): void {
  const group = parent.command("workspace").description("Workspaces: nothing of one is seen in another.");
  workspaceList(group, surroundings);
  workspaceAdd(group, surroundings);
  workspaceRename(group, surroundings);
}

const heading = ["WORKSPACE", "NAME", "CLIENTS", "DOMAINS", "CRITICAL", "WARNING", "SCORE", "COVERAGE"];

/** `hermod intel workspace list` */
function workspaceList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List workspaces, the first one first: it is meant where none is named.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const { workspaces: all } = await core.workspaces.listWorkspaces({ accountId: account });
    const rows = all.map(({ id, name, counts, scoreAvg, coverageAvg }) => [
      ...[id, printable(name), String(counts?.clients ?? 0), String(counts?.domains ?? 0)],
      ...["critical", "warning"].map((status) => String(counts?.domainsByStatus[status] ?? 0)),
      ...[scoreText(scoreAvg), percentText(coverageAvg)],
    ]);
    return {
      json: listJson(all.map((one) => messageJson(WorkspaceSchema, one))),
      text: () => table(paint, heading, rows, "There are no workspaces."),
    };
  });
}

/** `hermod intel workspace add` */
function workspaceAdd(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("add")
    .argument("<name>", "a name to recognise it by")
    .description("Make a workspace.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""] }) => {
    const workspace = known((await core.workspaces.createWorkspace({ accountId: account, name })).workspace);
    return {
      json: messageJson(WorkspaceSchema, workspace),
      text: () => `Made the workspace "${printable(workspace.name)}" (${workspace.id}).`,
      note: `A key for it: hermod key create --kind deliverability --workspace ${workspace.id}`,
    };
  });
}

/** `hermod intel workspace rename` */
function workspaceRename(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("rename")
    .argument("<workspace>", "its id")
    .argument("<name>", "the new name")
    .description("Give a workspace another name.")
    .option(...IF_REVISION);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account, args }, options) => {
    const [id = "", name = ""] = args;
    const renamed = await core.workspaces.renameWorkspace({ accountId: account, id, name, ...options });
    const workspace = known(renamed.workspace);
    return {
      json: messageJson(WorkspaceSchema, workspace),
      text: () => `The workspace ${workspace.id} is called "${printable(workspace.name)}" now.`,
    };
  });
}

function known(workspace: Workspace | undefined): Workspace {
  if (workspace) return workspace;
  throw fault("internal.error", { internal: "the core answered without the workspace" });
}
