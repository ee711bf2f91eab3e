import type { Command } from "commander";
import type { StoredTemplate, TemplateVariable } from "../../gen/hermod/template/v1/template_service_pb.ts";
import { fault } from "../shared/fault.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { readTemplate } from "./input/read-template.ts";
import { table } from "./output/table.ts";
import { isoTime, listJson, plainTime, printable, shortened } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod template` */
export function templates(program: Command, surroundings: Surroundings): void {
  const group = program.command("template").description("Stored templates.");
  templatePut(group, surroundings);
  templateList(group, surroundings);
}

/** `hermod template put`: stores a new version and publishes it. */
function templatePut(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("put")
    .argument("<file>", "a JSON file, or - for standard input")
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
