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
    .option("--hold-delivery", "send nothing until `hermod queue release --all`, as after restoring a backup")
    .action(async ({ role, holdDelivery = false }: { role: string; holdDelivery?: boolean }) => {
      await surroundings.start({ roles: role, holdDelivery });
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
