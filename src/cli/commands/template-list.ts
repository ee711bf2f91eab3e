import type { Command } from "commander";
import { allPages } from "../all-pages.ts";
import { coreCommand } from "../core-command.ts";
import { listJson } from "../output/list-json.ts";
import { printable, shortened } from "../output/printable.ts";
import { table } from "../output/table.ts";
import { plainTime } from "../output/time.ts";
import { templateJson } from "../resources/template.ts";
import type { Surroundings } from "../surroundings.ts";

const heading = ["NAME", "VERSION", "PUBLISHED", "SUBJECT", "VARIABLES"];

/** `hermod template list`: the published version of each. */
export function templateList(parent: Command, surroundings: Surroundings): void {
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
