import { Argument } from "commander";
import { stringify } from "yaml";
import {
  CompareVersionsResponseSchema,
  type DifferenceLine,
  type StoredTemplate,
  StoredTemplateSchema,
  TemplateSchema,
  TemplateVariableSchema,
  TemplateVersionSchema,
} from "../../gen/hermod/template/v1/template_service_pb.ts";
import { type CommandContext, type CommandResult, commandGroup, coreCommand } from "./core-command.ts";
import { InputError, readVersion } from "./input/read-options.ts";
import { readTemplate } from "./input/read-template.ts";
import { listCommand } from "./list-command.ts";
import { messageJson } from "./output/json.ts";
import type { Colour, Paint } from "./output/paint.ts";
import { plainTime, printable, shortened } from "./output/text.ts";
import { required, showCommand, showResult } from "./show-command.ts";

/** `hermod template` */
export const templates = commandGroup("template", "Stored templates.", () => [
  templatePut,
  templateList,
  templateShow,
  templateHistory,
  templateDiff,
  templateRollBack,
]);

const NAME = ["<name>", "name of the template"] as const;

/** `hermod template put`: stores a new version and publishes it. */
const templatePut = showCommand({
  name: "put",
  description: "Store a template. A template that differs from the last version becomes a new version.",
  arguments: [["<file>", "JSON or YAML file, or - for standard input"]],
  call: async ({ core, account, args: [file = "-"], environment }) => {
    const template = await readTemplate(file, environment.input);
    return core.templates.putTemplate({ accountId: account, template });
  },
  of: "template",
  schema: StoredTemplateSchema,
  text: ({ template, version }) =>
    `Published version ${version} of the template ${printable(template?.name ?? "")}.`,
});

/** `hermod template list`: the published version of each template. */
const templateList = listCommand({
  description: "List the published templates.",
  call: ({ core, account, page }) => core.templates.listTemplates({ accountId: account, ...page }),
  of: "templates",
  schema: StoredTemplateSchema,
  columns: [
    ["NAME", ({ template }) => printable(template?.name ?? "")],
    ["VERSION", ({ version }) => version],
    ["PUBLISHED", ({ publishedAt }) => plainTime(publishedAt)],
    ["SUBJECT", ({ template }) => shortened(printable(template?.subject ?? ""), 50)],
    [
      "VARIABLES",
      ({ template }) => printable((template?.variables ?? []).map(({ name }) => name).join(", ")),
    ],
  ],
  none: "There are no templates. Add one with `hermod template put`.",
});

/** `hermod template show`: the content of a version. */
const templateShow = coreCommand(
  {
    name: "show",
    description: "Show a version of a template.",
    arguments: [NAME, ["[version]", "number of the version (default: the published version)"]],
    options: [
      [
        "--built-in",
        "show a built-in template in the form of a file for `put`: welcome, reset, receipt, invitation, digest or alert",
      ],
    ],
  },
  (context, { builtIn = false }: { builtIn?: boolean }) =>
    builtIn ? showBuiltIn(context) : showVersion(context),
);

const showVersion = (context: CommandContext) =>
  showResult(
    {
      call: ({ core, account, args: [name = "", version = ""] }) =>
        core.templates.getVersion({ accountId: account, name, version }),
      of: "template",
      schema: StoredTemplateSchema,
      text: (stored, { paint }) => versionText(paint, stored),
    },
    context,
    {},
  );

function versionText(paint: Paint, { template, version, published }: StoredTemplate): string {
  const { name = "", from, subject, html, text, variables = [] } = template ?? {};
  const parts = Object.entries({ from, subject, html, text })
    .filter(([, part]) => part !== undefined)
    .map(([field, part = ""]) => `${paint("bold", field)}\n${printableLines(part)}`);
  const declared = variables
    .map((one) => JSON.stringify(messageJson(TemplateVariableSchema, one)))
    .join("\n");
  return [
    `${printable(name)}, version ${version}${published ? " (published)" : ""}`,
    ...parts,
    ...(declared === "" ? [] : [`${paint("bold", "variables")}\n${printableLines(declared)}`]),
  ].join("\n\n");
}

/** A built-in template in the form of a file for `put`. It has no versions. */
async function showBuiltIn({
  core,
  account,
  args: [name = "", version],
}: CommandContext): Promise<CommandResult> {
  if (version !== undefined) throw new InputError("A built-in template has no versions.");
  const { template } = await core.templates.getBuiltInTemplate({ accountId: account, name });
  const json = messageJson(TemplateSchema, required(template, "template"));
  const { name: builtIn, from, subject, text, html, variables } = json ?? {};
  const given = Object.entries({ name: builtIn, from, subject, text, html, variables });
  const file = Object.fromEntries(given.filter(([, value]) => value !== null));
  // Lines are not folded, so that the text can be edited unchanged.
  return { json: file, text: () => stringify(file, { lineWidth: 0 }).trimEnd() };
}

/** `hermod template history`: the versions, newest first. */
const templateHistory = listCommand({
  name: "history",
  description: "List the versions of a template, newest first.",
  arguments: [NAME],
  call: ({ core, account, args: [name = ""], page }) =>
    core.templates.listVersions({ accountId: account, name, ...page }),
  of: "versions",
  schema: TemplateVersionSchema,
  columns: [
    ["VERSION", ({ version }) => version],
    ["PUBLISHED", ({ published }, paint) => (published ? paint("green", "yes") : "no")],
    ["AT", ({ publishedAt }) => plainTime(publishedAt)],
    ["BY", ({ publishedBy }) => printable(publishedBy)],
    ["RESTORES", ({ restoredVersion }) => (restoredVersion === 0 ? "" : `version ${restoredVersion}`)],
  ],
  none: "The template has never been published.",
});

const signs: Readonly<Record<string, readonly [string, Colour | undefined]>> = {
  removed: ["-", "red"],
  added: ["+", "green"],
};

/** `hermod template diff`: differences between two versions. */
const templateDiff = coreCommand(
  {
    name: "diff",
    description: "Show the differences between two versions of a template.",
    arguments: [
      NAME,
      ["<before>", "number of a version, draft or published"],
      ["<after>", "number of a version, draft or published"],
    ],
  },
  async ({ core, account, args: [name = "", before = "", after = ""], paint }) => {
    const compared = await core.templates.compareVersions({ accountId: account, name, before, after });
    const coloured = ({ kind, text }: DifferenceLine) => {
      const [sign, colour] = signs[kind] ?? [" ", undefined];
      const line = `${sign} ${printableLine(text)}`;
      return colour ? paint(colour, line) : line;
    };
    const shown = compared.fields.flatMap(({ field, tooDifferent, hunks }) => [
      paint("bold", field),
      ...(tooDifferent ? ["  Too many lines differ to list them."] : []),
      ...hunks.flatMap(({ beforeLine, afterLine, lines }) => [
        paint("cyan", `@ line ${beforeLine}, now ${afterLine}`),
        ...lines.map(coloured),
      ]),
    ]);
    return {
      json: messageJson(CompareVersionsResponseSchema, compared),
      text: () => (shown.length === 0 ? "There are no differences." : shown.join("\n")),
    };
  },
);

/** `hermod template roll-back`: publishes the text of an earlier version as the next version. */
const templateRollBack = coreCommand(
  {
    name: "roll-back",
    description: "Publish the text of an earlier version as the next version.",
    arguments: [NAME, new Argument("<version>", "number of the version to restore").argParser(readVersion)],
  },
  async ({ core, account, args: [name = "", version] }) => {
    const { template: seen } = await core.templates.getTemplate({ accountId: account, name });
    const { template } = await core.templates.rollBack({
      accountId: account,
      name,
      revision: seen?.overview?.revision ?? "",
      version: Number(version),
    });
    const published = template?.overview?.publishedVersion ?? 0;
    return {
      json: { name, version: published, restored_version: Number(version) },
      text: () =>
        `Published version ${published} of the template ${printable(name)} with the text of version ${version}.`,
    };
  },
);

/** Safe for a terminal, with its indentation. */
function printableLine(line: string): string {
  const [indentation = ""] = /^[ \t]*/.exec(line) ?? [];
  return `${indentation.replaceAll("\t", "  ")}${printable(line)}`;
}

const printableLines = (text: string) => text.split("\n").map(printableLine).join("\n");
