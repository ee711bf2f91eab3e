import type { Command } from "commander";
import { fault } from "../../shared/fault.ts";
import { coreCommand } from "../core-command.ts";
import { readTemplate } from "../input/read-template.ts";
import { printable } from "../output/printable.ts";
import { templateJson } from "../resources/template.ts";
import type { Surroundings } from "../surroundings.ts";

/** `hermod template put`: stores a new version and publishes it. */
export function templatePut(parent: Command, surroundings: Surroundings): void {
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
