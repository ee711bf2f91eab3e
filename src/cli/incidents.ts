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
export const incidents = commandGroup(
  "incident",
  "Incidents of alert rules, and their notifications.",
  () => [incidentList, incidentShow, incidentAck, incidentResolve],
);

const INCIDENT = ["<incident>", "id of the incident"] as const;

/** `hermod incident list`: newest first. */
const incidentList = listCommand({
  description: "List incidents, newest first.",
  options: [
    new Option("--state <state>", "only incidents in this state").choices([
      "open",
      "acknowledged",
      "resolved",
    ]),
  ],
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
  none: "No incidents match.",
});

/** `hermod incident show`: with its history. */
const incidentShow = showCommand({
  name: "show",
  description: "Show an incident: its active alerts, its notifications, and the reasons.",
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
  description:
    "Acknowledge an incident. Hermod then notifies only of a higher severity, new critical alerts and the resolution.",
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
  description: "Resolve an incident, even if alerts are active.",
  arguments: [INCIDENT],
  call: ({ core, account, args: [id = ""] }) => core.incidents.resolveIncident({ accountId: account, id }),
  of: "incident",
  schema: IncidentSchema,
  text: ({ state }, { args: [id = ""] }) => `${printable(id)} is ${state}.`,
});
