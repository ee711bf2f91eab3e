import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import {
  GetIncidentResponseSchema,
  IncidentSchema,
} from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { InputError, readMoment, readSpan } from "./input/read-options.ts";
import { listCommand } from "./list-command.ts";
import { incidentText } from "./output/alert-text.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

/** `hermod incident` */
export const incidents = commandGroup(
  "incident",
  "Incidents of alert rules, and their notifications.",
  () => [
    incidentList,
    incidentShow,
    incidentAck,
    incidentUnack,
    incidentSnooze,
    incidentAssign,
    incidentNote,
    incidentResolve,
    incidentReopen,
  ],
);

interface ListOptions {
  readonly state?: string;
  readonly severity?: string;
  readonly rule?: string;
  readonly text?: string;
  readonly sort?: string;
}

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
    new Option("--severity <severity>", "only incidents with this highest severity").choices([
      "info",
      "warning",
      "critical",
    ]),
    ["--rule <rule>", "only incidents of this alert rule"],
    ["--text <text>", "only incidents with this text in their title or latest alert"],
    new Option("--sort <order>", "order").choices(["newest", "oldest", "updated", "severity"]),
  ],
  limit: 50,
  call: ({ core, account, page }, { state = "", severity, rule = "", text = "", sort = "" }: ListOptions) => {
    const filter = { severities: severity === undefined ? [] : [severity], rule, text };
    return core.incidents.listIncidents({ accountId: account, state, filter, sort, ...page });
  },
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

/** `hermod incident unack` */
const incidentUnack = showCommand({
  name: "unack",
  description: "Withdraw the acknowledgment of an incident.",
  arguments: [INCIDENT],
  call: ({ core, account, args: [id = ""] }) =>
    core.incidents.unacknowledgeIncident({ accountId: account, id }),
  of: "incident",
  schema: IncidentSchema,
  text: ({ state }, { args: [id = ""] }) => `${printable(id)} is ${state}.`,
});

interface SnoozeOptions {
  readonly for?: number;
  readonly until?: Date;
  readonly end?: true;
}

/** `hermod incident snooze` */
const incidentSnooze = showCommand({
  name: "snooze",
  description: "Suppress the notices of an incident until a time. A higher severity ends the snooze.",
  arguments: [INCIDENT],
  options: [
    ["--for <span>", "duration, for example 2h", readSpan],
    ["--until <moment>", "end, for example 2030-01-02T09:00:00Z", readMoment],
    ["--end", "end the snooze now"],
  ],
  call: async ({ core, account, args: [id = ""] }, { for: seconds, until, end }: SnoozeOptions) => {
    if ([seconds, until, end].filter((one) => one !== undefined).length !== 1)
      throw new InputError("Give one of --for, --until and --end.");
    if (end) return core.incidents.endIncidentSnooze({ accountId: account, id });
    const at = until ?? new Date(Date.now() + (seconds ?? 0) * 1_000);
    return core.incidents.snoozeIncident({ accountId: account, id, until: timestampFromDate(at) });
  },
  of: "incident",
  schema: IncidentSchema,
  text: ({ snoozedUntil }, { args: [id = ""] }) =>
    snoozedUntil
      ? `${printable(id)} is snoozed until ${plainTime(snoozedUntil)}.`
      : `${printable(id)} is not snoozed.`,
});

/** `hermod incident assign` */
const incidentAssign = showCommand({
  name: "assign",
  description: "Assign an incident to a member, or to none.",
  arguments: [INCIDENT, ["[user]", "e-mail address or user id of the member; missing: none"]],
  call: ({ core, account, args: [id = "", user = ""] }) =>
    core.incidents.assignIncident({ accountId: account, id, user }),
  of: "incident",
  schema: IncidentSchema,
  text: ({ assignee }, { args: [id = ""] }) =>
    assignee
      ? `${printable(id)} is assigned to ${printable(assignee.email)}.`
      : `${printable(id)} is assigned to no member.`,
});

/** `hermod incident note` */
const incidentNote = showCommand({
  name: "note",
  description: "Add a note to the history of an incident.",
  arguments: [INCIDENT, ["<text>", "text of the note"]],
  call: ({ core, account, args: [id = "", text = ""] }) =>
    core.incidents.addIncidentNote({ accountId: account, id, text }),
  of: "incident",
  schema: IncidentSchema,
  text: ({ notes }, { args: [id = ""] }) =>
    `${printable(id)} has ${notes === 1 ? "1 note" : `${notes} notes`}.`,
});

/** `hermod incident reopen` */
const incidentReopen = showCommand({
  name: "reopen",
  description: "Reopen a resolved incident, with its alerts that no source has resolved since.",
  arguments: [INCIDENT],
  call: ({ core, account, args: [id = ""] }) => core.incidents.reopenIncident({ accountId: account, id }),
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
