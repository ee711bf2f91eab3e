import { Option } from "commander";
import {
  GetIncidentResponseSchema,
  IncidentSchema,
} from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { listCommand } from "./list-command.ts";
import { incidentText } from "./output/alert-text.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod incident` */
export const incidents = commandGroup("incident", "What alert rules tell of, and who was told.", () => [
  incidentList,
  incidentShow,
  incidentAck,
  incidentResolve,
]);

const INCIDENT = ["<incident>", "its id"] as const;

/** `hermod incident list`: the latest first. */
const incidentList = listCommand({
  description: "List incidents, the latest first.",
  options: [new Option("--state <state>", "only these").choices(["open", "acknowledged", "resolved"])],
  limit: 50,
  call: ({ core, account, page }, { state = "" }: { state?: string }) =>
    core.incidents.listIncidents({ accountId: account, state, ...page }),
  of: "incidents",
  schema: IncidentSchema,
  columns: [
    ["INCIDENT", ({ id }) => id],
    ["STATE", ({ state, flapping }) => (flapping ? `${state}, flapping` : state)],
    ["OPENED", ({ openedAt }) => plainTime(openedAt)],
    ["ALERTS", ({ alerts }) => alerts],
    ["TITLE", ({ title }) => printable(title)],
  ],
  none: "There are no such incidents.",
});

/** `hermod incident show`: with its history. */
const incidentShow = showCommand({
  name: "show",
  description: "Show an incident: what fires, what was sent, and why.",
  arguments: [INCIDENT],
  call: async ({ core, account, args: [id = ""] }) => ({
    found: await core.incidents.getIncident({ accountId: account, id }),
  }),
  of: "found",
  schema: GetIncidentResponseSchema,
  text: (found, { paint }) => incidentText(paint, found),
});

/** `hermod incident ack` */
const incidentAck = showCommand({
  name: "ack",
  description: "Say that somebody goes about an incident: only worse is told from now on, and its end.",
  arguments: [INCIDENT],
  call: ({ core, account, args: [id = ""] }) =>
    core.incidents.acknowledgeIncident({ accountId: account, id }),
  of: "incident",
  schema: IncidentSchema,
  text: ({ state }, { args: [id = ""] }) => `${printable(id)} is ${state}.`,
});

/** `hermod incident resolve` */
const incidentResolve = showCommand({
  name: "resolve",
  description: "Say that an incident is over, whatever fires.",
  arguments: [INCIDENT],
  call: ({ core, account, args: [id = ""] }) => core.incidents.resolveIncident({ accountId: account, id }),
  of: "incident",
  schema: IncidentSchema,
  text: ({ state }, { args: [id = ""] }) => `${printable(id)} is ${state}.`,
});
