import { type Command, InvalidArgumentError } from "commander";
import { roles } from "../config.ts";
import type { Surroundings } from "./surroundings.ts";

const choices = ["all", ...roles];

/** `hermod start`: runs this process until it is told to stop. */
export function start(program: Command, surroundings: Surroundings): void {
  program
    .command("start")
    .description("Run Hermod: every part of it in one process, or some.")
    .option(
      "--role <roles>",
      `what this process does: ${choices.join(", ")}; several with commas`,
      readRoles,
      "all",
    )
    .action(async ({ role }: { role: string }) => {
      await surroundings.start({ roles: role });
    });
}

function readRoles(text: string): string {
  const given = [...new Set(text.split(",").map((part) => part.trim()))];
  const wrong = given.filter((role) => !choices.includes(role));
  if (wrong.length > 0) {
    throw new InvalidArgumentError(`"${wrong.join('", "')}" is none of ${choices.join(", ")}.`);
  }
  return given.includes("all") ? "all" : given.join(",");
}
