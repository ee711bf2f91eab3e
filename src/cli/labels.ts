import { type Label, LabelSchema } from "../../gen/hermod/label/v1/label_service_pb.ts";
import { Fault } from "../shared/fault.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import { type CommandContext, commandGroup } from "./core-command.ts";
import { findClient, type InWorkspace, WORKSPACE } from "./input/find-watched.ts";
import { IF_REVISION, type OnRevision } from "./input/if-revision.ts";
import { readBytes } from "./input/read-text.ts";
import { listCommand } from "./list-command.ts";
import { printable } from "./output/text.ts";
import { removeCommand } from "./remove-command.ts";
import { showCommand } from "./show-command.ts";

/** `hermod intel label` */
export const labels = commandGroup(
  "label",
  "Labels of reports: name, color and logo of their issuer, for a workspace or a client.",
  () => [labelList, labelShow, labelSet, labelRemove],
);

interface Owned extends InWorkspace {
  readonly client?: string;
}

const CLIENT = [
  "--client <client>",
  "of a client instead of the workspace: its id, reference or name",
] as const;

/** Id of the client or workspace that the options name. */
async function ownerOf(context: CommandContext, { workspace, client }: Owned): Promise<string> {
  if (client !== undefined) return (await findClient(context, client, workspace)).id;
  if (workspace !== "") return workspace;
  const { workspaces } = await context.core.workspaces.listWorkspaces({ accountId: context.account });
  return workspaces[0]?.id ?? "";
}

/** `hermod intel label list` */
const labelList = listCommand({
  description: "List the labels of a workspace and its clients.",
  options: [WORKSPACE],
  call: ({ core, account, page }, { workspace }: InWorkspace) =>
    core.labels.listLabels({ accountId: account, workspaceId: workspace, ...page }),
  of: "labels",
  schema: LabelSchema,
  columns: [
    ["OF", ({ id }) => id],
    ["NAME", ({ name = "" }) => printable(name) || "-"],
    ["COLOR", ({ color = "" }) => color || "-"],
    ["LOGO", logoText],
  ],
  none: "There are no labels.",
});

/** `hermod intel label show` */
const labelShow = showCommand({
  name: "show",
  description: "Show the label of a workspace or client.",
  options: [CLIENT, WORKSPACE],
  call: async (context, options: Owned) =>
    context.core.labels.getLabel({ accountId: context.account, id: await ownerOf(context, options) }),
  of: "label",
  schema: LabelSchema,
  text: describe,
});

interface SetOptions extends Owned, OnRevision {
  readonly name?: string;
  readonly color?: string;
  readonly logo?: string;
}

/** `hermod intel label set`: settings without an option stay. */
const labelSet = showCommand({
  name: "set",
  description: "Create or change the label of a workspace or client. Existing reports do not change.",
  options: [
    CLIENT,
    WORKSPACE,
    ["--name <name>", "name of the issuer; '' for none"],
    ["--color <color>", "color, for example #0b5394; '' for the default"],
    ["--logo <file>", "PNG of at most 256 KiB; - for standard input, '' for none"],
    IF_REVISION,
  ],
  call: async (context, { name, color, logo, ifRevision, ...owned }: SetOptions) => {
    const { core, account, environment } = context;
    const id = await ownerOf(context, owned);
    const before = await findLabel(context, id);
    const image = logo === undefined || logo === "" ? undefined : await readBytes(logo, environment.input);
    return core.labels.putLabel({
      accountId: account,
      id,
      settings: {
        name: name ?? before?.name ?? "",
        color: color ?? before?.color ?? "",
        keepLogo: logo === undefined,
        ...withoutUndefined({ logo: image }),
      },
      ifRevision: ifRevision ?? before?.revision ?? "none",
    });
  },
  of: "label",
  schema: LabelSchema,
  text: describe,
});

/** `hermod intel label remove` */
const labelRemove = removeCommand(
  {
    description: "Remove the label of a workspace or client. Existing reports do not change.",
    options: [CLIENT, WORKSPACE, IF_REVISION],
  },
  async (context, { ifRevision, ...owned }: Owned & OnRevision) => {
    const { core, account } = context;
    const id = await ownerOf(context, owned);
    await core.labels.deleteLabel({ accountId: account, id, ...withoutUndefined({ ifRevision }) });
    return { json: { removed: id }, text: `Removed the label of ${id}.` };
  },
);

/** undefined: there is none yet. */
async function findLabel({ core, account }: CommandContext, id: string): Promise<Label | undefined> {
  try {
    return (await core.labels.getLabel({ accountId: account, id })).label;
  } catch (error) {
    if (Fault.from(error).code === "label.unknown") return undefined;
    throw error;
  }
}

function describe(label: Label): string {
  const { id, name = "", color = "", colors } = label;
  const note = colors?.adjusted ? `, ${colors.textOnLight} for headings` : "";
  return [
    `Label of ${id}`,
    `  Name   ${printable(name) || "none"}`,
    `  Color  ${color || "default"}${note}`,
    `  Logo   ${logoText(label)}`,
  ].join("\n");
}

function logoText({ logo }: Label): string {
  return logo ? `${logo.width} x ${logo.height}` : "none";
}
