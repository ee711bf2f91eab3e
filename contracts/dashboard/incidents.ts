import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { alertOutcome, ingestAlertBody } from "../common/alert-schemas.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";
import { explanation } from "./rules.ts";

const c = initContract();

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const line = z
  .object({
    alert_id: text("Id of the alert.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    at: moment("Time when Hermod received the alert."),
    event_type: text("Type of the event.", "disk.full"),
    severity: text("`info`, `warning` or `critical`.", "critical"),
    source: text("Source of the alert.", "node-exporter"),
    message: text("Message for people.", "/var is 97 % full"),
    entity_type: text("Type of the entity; empty if the alert has none.", "host"),
    entity_id: text("Id of the entity; empty if the alert has none.", "web-1"),
  })
  .meta({ id: "AlertLine", description: "Summary of an alert." });

export const incident = z
  .object({
    id: text("Id of the incident.", "inc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    rule: text("Name of the rule that opened the incident.", "pager"),
    rule_version: count(
      "Version of the rule when the incident opened. It applies until the incident is resolved.",
      3,
    ),
    state: text("`open`, `acknowledged` or `resolved`.", "open"),
    title: text(
      "Subject of the incident's mail: from the alert that opened the incident or that last raised its severity.",
      "[critical] node-exporter: /var is 97 % full (host web-1)",
    ),
    severity: text("Highest severity so far.", "critical"),
    opened_at: moment("Time when Hermod opened the incident."),
    since: moment("Time when the earliest of its alerts occurred."),
    updated_at: moment("Time of the last status update."),
    acknowledged_at: moment("Time of the acknowledgment. Missing if there is none.").optional(),
    acknowledged_by: text("Actor that acknowledged the incident; empty if none did.", "ada@example.com"),
    resolved_at: moment("Time when the incident was resolved. Missing before that.").optional(),
    resolved_by: text("Actor that resolved the incident; empty before that.", ""),
    alerts: count("Number of alerts received, repeats and resolutions included.", 3),
    occurrences: count("Number of times that one of its alerts was reported as active.", 2),
    firing: count("Number of active alerts.", 1),
    notices: count("Number of notices so far.", 1),
    last_notice_at: moment("Time of the last notice. Missing if there is none.").optional(),
    next_notice_at: moment("Time of the next notice, if it is known.").optional(),
    held_by: text(
      "Reason why notices are suppressed or deferred: `silenced`, `inhibited` or `quiet_hours`. Empty if they are not.",
      "",
    ),
    flapping: z.boolean().meta({ description: "Whether the incident resolves and opens again repeatedly." }),
    trouble: text("Reason why the last notice cannot be mailed; empty if it was or will be mailed.", ""),
    latest: line,
  })
  .meta({ id: "Incident", description: "Alerts that a rule notifies together, from the first to the last." });

const incidentDetails = z
  .object({
    incident,
    firing: z
      .array(
        z
          .object({
            latest: line,
            since: moment("Time when the alert was first reported."),
            count: count("Number of times that the alert was reported.", 2),
          })
          .meta({ id: "FiringThing", description: "An active alert." }),
      )
      .meta({ description: "Active alerts, newest first, at most 100." }),
    history: z
      .array(
        z
          .object({
            at: moment("Time of the entry."),
            kind: text(
              "`opened`, `risen`, `held`, `notice`, `notice_failed`, `acknowledged` or `resolved`; later versions may add kinds.",
              "notice",
            ),
            detail: text("Details for people.", "first: to oncall@example.com"),
            message_ids: z.array(z.string()).meta({
              description: "Ids of the messages of a notice.",
              examples: [["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
            }),
          })
          .meta({ id: "IncidentEntry", description: "Entry in the history of an incident." }),
      )
      .meta({ description: "History, oldest entry first, at most 1,000 entries." }),
  })
  .meta({ id: "IncidentDetails", description: "An incident with its active alerts and its history." });

const storedAlert = z
  .object({
    id: text("Id of the alert.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    trace_id: text("Trace id of the request, for logs.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    key_id: text("Key of the request; empty if there was none.", "key_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    received_at: moment("Time when Hermod received the alert."),
    alert: ingestAlertBody,
    outcome: alertOutcome,
  })
  .meta({ id: "StoredAlert", description: "An alert, and its outcome on arrival." });

const ownId = z.object({ incident_id: z.string().meta({ description: "Id of the incident." }) });

export const incidents = c.router({
  listIncidents: {
    method: "GET",
    path: "/api/incidents",
    summary: "List incidents",
    description: "Lists incidents, newest first.",
    query: pageQuery.extend({
      state: z
        .enum(["open", "acknowledged", "resolved"])
        .optional()
        .meta({ description: "Only incidents in this state. Missing: all." }),
    }),
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("IncidentList", incident) },
    }),
  },
  getIncident: {
    method: "GET",
    path: "/api/incidents/:incident_id",
    pathParams: ownId,
    summary: "Get an incident",
    description: "Returns an incident with its active alerts, its notices and the reasons for them.",
    ...reading({ access: "alerts.read", faults: ["incident.unknown"], success: { 200: incidentDetails } }),
  },
  acknowledgeIncident: {
    method: "POST",
    path: "/api/incidents/:incident_id/acknowledge",
    pathParams: ownId,
    summary: "Acknowledge an incident",
    description:
      "Marks an incident as acknowledged: someone is working on it. From then on, Hermod notifies only a higher severity, critical alerts that no notice has named, and the end. Changes nothing if the incident is already acknowledged or resolved.",
    body: c.noBody(),
    ...changing({ access: "incidents.write", faults: ["incident.unknown"], success: { 200: incident } }),
  },
  resolveIncident: {
    method: "POST",
    path: "/api/incidents/:incident_id/resolve",
    pathParams: ownId,
    summary: "Resolve an incident",
    description:
      "Resolves an incident even if alerts are still active. An alert that is reported as active again opens a new incident.",
    body: c.noBody(),
    ...changing({ access: "incidents.write", faults: ["incident.unknown"], success: { 200: incident } }),
  },
  listAlerts: {
    method: "GET",
    path: "/api/alerts",
    summary: "List alerts",
    description: "Lists alerts, newest first.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("AlertList", storedAlert) },
    }),
  },
  getAlert: {
    method: "GET",
    path: "/api/alerts/:alert_id",
    pathParams: z.object({ alert_id: z.string().meta({ description: "Id of the alert." }) }),
    summary: "Get an alert",
    description:
      "Returns an alert with the result of each rule that existed on arrival, and the reason for it.",
    ...reading({
      access: "alerts.read",
      faults: ["alert.unknown"],
      success: {
        200: z
          .object({
            alert: storedAlert,
            rules: z
              .array(explanation)
              .meta({ description: "Results of the rules, in the order of evaluation." }),
          })
          .meta({ id: "AlertDetails", description: "An alert with the results of the rules." }),
      },
    }),
  },
});
