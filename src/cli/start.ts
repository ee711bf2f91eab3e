import { type Command, InvalidArgumentError } from "commander";
import { roles } from "../config.ts";
import type { Environment } from "./environment.ts";

const choices = ["all", ...roles];

/** `hermod start`: runs this process until a signal stops it. */
export function start(program: Command, environment: Environment): void {
  program
    .command("start")
    .description("Start Hermod: all roles in one process, or some of them.")
    .option(
      "--role <roles>",
      `roles of this process, separated by commas: ${choices.join(", ")}`,
      readRoles,
      "all",
    )
    .option(
      "--hold-delivery",
      "send no mail until `hermod queue release --all`, for example after restoring a backup",
    )
    .action(async ({ role, holdDelivery = false }: { role: string; holdDelivery?: boolean }) => {
      await environment.start({ roles: role, holdDelivery });
    });
}

function readRoles(text: string): string {
  const given = [...new Set(text.split(",").map((part) => part.trim()))];
  const wrong = given.filter((role) => !choices.includes(role));
  if (wrong.length > 0) {
    throw new InvalidArgumentError(`"${wrong.join('", "')}" must be one of ${choices.join(", ")}.`);
  }
  return given.includes("all") ? "all" : given.join(",");
}
