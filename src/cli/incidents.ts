import { type Command, Option } from "commander";
import {
  GetIncidentResponseSchema,
  IncidentSchema,
} from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import { coreCommand } from "./core-command.ts";
import { readLimit } from "./input/read-options.ts";
import { incidentLine, incidentText, messageJson } from "./output/alert-text.ts";
import { table } from "./output/table.ts";
import { listJson, printable } from "./output/text.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod incident` */
export function incidents(program: Command, surroundings: Surroundings): void {
  const group = program.command("incident").description("What alert rules tell of, and who was told.");
  incidentList(group, surroundings);
  incidentShow(group, surroundings);
  incidentChange(group, surroundings, "ack");
  incidentChange(group, surroundings, "resolve");
}

interface ListOptions {
  readonly state?: string;
  readonly limit: number;
}

/** `hermod incident list`: the latest first. */
function incidentList(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("list")
    .description("List incidents, the latest first.")
    .addOption(new Option("--state <state>", "only these").choices(["open", "acknowledged", "resolved"]))
    .option("--limit <number>", "so many at most: 1 to 1000", readLimit, 50);
  coreCommand<ListOptions>(
    surroundings,
    command,
    async ({ core, account, paint }, { state = "", limit: pageSize }) => {
      const found = await core.incidents.listIncidents({ accountId: account, state, pageSize });
      const heading = ["INCIDENT", "STATE", "OPENED", "ALERTS", "TITLE"];
      return {
        json: listJson(found.incidents.map((one) => messageJson(IncidentSchema, one))),
        text: () => table(paint, heading, found.incidents.map(incidentLine), "There are no such incidents."),
      };
    },
  );
}

/** `hermod incident show`: with its history. */
function incidentShow(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("show")
    .argument("<incident>", "its id")
    .description("Show an incident: what fires, what was sent, and why.");
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""], paint }) => {
    const found = await core.incidents.getIncident({ accountId: account, id });
    return {
      json: messageJson(GetIncidentResponseSchema, found),
      text: () => incidentText(paint, found),
    };
  });
}

/** `hermod incident ack` and `resolve` */
function incidentChange(parent: Command, surroundings: Surroundings, verb: "ack" | "resolve"): void {
  const command = parent
    .command(verb)
    .argument("<incident>", "its id")
    .description(
      verb === "ack"
        ? "Say that somebody goes about an incident: only worse is told from now on, and its end."
        : "Say that an incident is over, whatever fires.",
    );
  coreCommand(surroundings, command, async ({ core, account, args: [id = ""] }) => {
    const asked = { accountId: account, id };
    const { incident } =
      verb === "ack"
        ? await core.incidents.acknowledgeIncident(asked)
        : await core.incidents.resolveIncident(asked);
    return {
      json: messageJson(IncidentSchema, incident),
      text: () => `${printable(id)} is ${incident?.state ?? "unknown"}.`,
    };
  });
}
