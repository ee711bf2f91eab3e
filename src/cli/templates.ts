import { create, toJson } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { stringify } from "yaml";
import {
  CompareVersionsResponseSchema,
  type DifferenceLine,
  type StoredTemplate,
  type TemplateVariable,
  type TemplateVersion,
} from "../../gen/hermod/template/v1/template_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { type CommandContext, type CommandResult, coreCommand } from "./core-command.ts";
import { InputError, readVersion } from "./input/read-options.ts";
import { readTemplate } from "./input/read-template.ts";
import type { Colour } from "./output/paint.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable, shortened } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod template` */
export function templates(program: Command, surroundings: Surroundings): void {
  const group = program.command("template").description("Stored templates.");
  templatePut(group, surroundings);
  templateList(group, surroundings);
  templateShow(group, surroundings);
  templateHistory(group, surroundings);
  templateDiff(group, surroundings);
  templateRollBack(group, surroundings);
}

const NAME = ["<name>", "the template's name"] as const;

/** `hermod template put`: stores a new version and publishes it. */
function templatePut(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("put")
    .argument("<file>", "a JSON or YAML file, or - for standard input")
    .description("Store a template, as a new version where it differs from the last.");
  coreCommand(surroundings, command, async ({ core, account, args: [file = "-"] }) => {
    const template = await readTemplate(file, surroundings.input);
    const { template: stored } = await core.templates.putTemplate({ accountId: account, template });
    if (!stored?.template)
      throw fault("internal.error", { internal: "the core answered without the template" });
    const name = printable(stored.template.name);
    return {
      json: templateJson(stored),
      text: () => `The template ${name} is published in version ${stored.version}.`,
    };
  });
}

const heading = ["NAME", "VERSION", "PUBLISHED", "SUBJECT", "VARIABLES"];

/** `hermod template list`: the published version of each. */
function templateList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List the published templates.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const templates = await allPages(
      (pageToken) => core.templates.listTemplates({ accountId: account, pageToken }),
      (page) => page.templates,
    );
    const rows = templates.map(({ template, version, publishedAt }) => [
      printable(template?.name ?? ""),
      String(version),
      plainTime(publishedAt),
      shortened(printable(template?.subject ?? ""), 50),
      printable((template?.variables ?? []).map(({ name }) => name).join(", ")),
    ]);
    return {
      json: listJson(templates.map(templateJson)),
      text: () => table(paint, heading, rows, "There are no templates. Add one with `hermod template put`."),
    };
  });
}

interface ShowOptions {
  readonly builtIn?: true;
}

/** `hermod template show`: what a version says. */
function templateShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument(...NAME)
    .argument("[version]", "its number; missing: the published one")
    .description("Show a version of a template.")
    .option("--built-in", "one that Hermod brings along, as `put` takes it: alert");
  coreCommand<ShowOptions>(surroundings, command, async (context, { builtIn = false }) => {
    if (builtIn) return showBuiltIn(context);
    const {
      core,
      account,
      args: [name = "", version = ""],
      paint,
    } = context;
    const { template: stored } = await core.templates.getVersion({ accountId: account, name, version });
    if (!stored?.template)
      throw fault("internal.error", { internal: "the core answered without the template" });
    const { from, subject, html, text, variables } = stored.template;
    const parts = Object.entries({ from, subject, html, text })
      .filter(([, part]) => part !== undefined)
      .map(([field, part = ""]) => `${paint("bold", field)}\n${printableLines(part)}`);
    const declared = variables.map((one) => JSON.stringify(variableJson(one))).join("\n");
    return {
      json: { ...templateJson(stored), ...versionJson(stored) },
      text: () =>
        [
          `${printable(name)}, version ${stored.version}${stored.published ? " (published)" : ""}`,
          ...parts,
          ...(declared === "" ? [] : [`${paint("bold", "variables")}\n${printableLines(declared)}`]),
        ].join("\n\n"),
    };
  });
}

/** A built-in template as a file for `put`: it has no versions. */
async function showBuiltIn({
  core,
  account,
  args: [name = "", version],
}: CommandContext): Promise<CommandResult> {
  if (version !== undefined) throw new InputError("A built-in template has no versions.");
  const { template } = await core.templates.getBuiltInTemplate({ accountId: account, name });
  if (!template) throw fault("internal.error", { internal: "the core answered without the template" });
  const { from, subject, html, text, variables } = template;
  const file = { name: template.name, from, subject, text, html, variables: variables.map(variableJson) };
  // Lines are not folded: a text is to be edited as it is.
  return { json: file, text: () => stringify(file, { lineWidth: 0, keepUndefined: false }).trimEnd() };
}

/** `hermod template history`: the versions, the latest first. */
function templateHistory(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("history")
    .argument(...NAME)
    .description("List the versions of a template, the latest first.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""], paint }) => {
    const versions = await allPages(
      (pageToken) => core.templates.listVersions({ accountId: account, name, pageToken }),
      (page) => page.versions,
    );
    const rows = versions.map(({ version, published, publishedAt, publishedBy, restoredVersion }) => [
      String(version),
      published ? paint("green", "yes") : "no",
      plainTime(publishedAt),
      printable(publishedBy),
      restoredVersion === 0 ? "" : `version ${restoredVersion}`,
    ]);
    return {
      json: listJson(versions.map(versionJson)),
      text: () =>
        table(paint, ["VERSION", "PUBLISHED", "AT", "BY", "BRINGS BACK"], rows, "It was never published."),
    };
  });
}

const signs: Readonly<Record<string, readonly [string, Colour | undefined]>> = {
  removed: ["-", "red"],
  added: ["+", "green"],
};

/** `hermod template diff`: what differs between two texts. */
function templateDiff(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("diff")
    .argument(...NAME)
    .argument("<before>", "a version, draft or published")
    .argument("<after>", "a version, draft or published")
    .description("Show what differs between two texts of a template.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = "", before, after], paint }) => {
    const asked = { accountId: account, name, before: before ?? "", after: after ?? "" };
    const { fields } = await core.templates.compareVersions(asked);
    const coloured = ({ kind, text }: DifferenceLine) => {
      const [sign, colour] = signs[kind] ?? [" ", undefined];
      const line = `${sign} ${printableLine(text)}`;
      return colour ? paint(colour, line) : line;
    };
    const shown = fields.flatMap(({ field, tooDifferent, hunks }) => [
      paint("bold", field),
      ...(tooDifferent ? ["  Too many lines differ to list them."] : []),
      ...hunks.flatMap(({ beforeLine, afterLine, lines }) => [
        paint("cyan", `@ line ${beforeLine}, now ${afterLine}`),
        ...lines.map(coloured),
      ]),
    ]);
    return {
      json: toJson(CompareVersionsResponseSchema, create(CompareVersionsResponseSchema, { fields }), {
        useProtoFieldName: true,
        alwaysEmitImplicit: true,
      }),
      text: () => (shown.length === 0 ? "Nothing differs." : shown.join("\n")),
    };
  });
}

/** `hermod template roll-back`: publishes the text of an earlier version as the next one. */
function templateRollBack(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("roll-back")
    .argument(...NAME)
    .argument("<version>", "the number of the version whose text is wanted again", readVersion)
    .description("Publish the text of an earlier version as the next one.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = "", version] }) => {
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
        `The template ${printable(name)} is published in version ${published}: that of version ${version}.`,
    };
  });
}

/** What `--json` writes of a version beside its text. */
function versionJson(version: Omit<TemplateVersion, "$typeName" | "$unknown">) {
  return {
    version: version.version,
    published: version.published,
    published_at: isoTime(version.publishedAt),
    published_by: version.publishedBy,
    restored_version: version.restoredVersion === 0 ? null : version.restoredVersion,
  };
}

/** Safe for a terminal, with its indentation. */
function printableLine(line: string): string {
  const [indentation = ""] = /^[ \t]*/.exec(line) ?? [];
  return `${indentation.replaceAll("\t", "  ")}${printable(line)}`;
}

const printableLines = (text: string) => text.split("\n").map(printableLine).join("\n");

/** A stored template as `--json` writes it. */
function templateJson({ template, version, publishedAt }: StoredTemplate) {
  return {
    name: template?.name ?? "",
    version,
    published_at: isoTime(publishedAt),
    from: template?.from ?? null,
    subject: template?.subject ?? "",
    html: template?.html ?? null,
    text: template?.text ?? null,
    variables: (template?.variables ?? []).map(variableJson),
  };
}

/** No `fallback`: the variable is required. */
function variableJson({ name, type, fallbackJson }: TemplateVariable) {
  return { name, type, ...(fallbackJson !== undefined && { fallback: JSON.parse(fallbackJson) as unknown }) };
}
