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
    alert_id: text("The alert.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    at: moment("When it came."),
    event_type: text("What happened.", "disk.full"),
    severity: text("`info`, `warning` or `critical`.", "critical"),
    source: text("Who says it.", "node-exporter"),
    message: text("For people.", "/var is 97 % full"),
    entity_type: text("Empty: it has none.", "host"),
    entity_id: text("Empty: it has none.", "web-1"),
  })
  .meta({ id: "AlertLine", description: "An alert, in a line." });

export const incident = z
  .object({
    id: text("Names the incident.", "inc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    rule: text("Name of the rule that tells of it.", "pager"),
    rule_version: count("With which it began, and which decides until it is over.", 3),
    state: text("`open`, `acknowledged` or `resolved`.", "open"),
    title: text(
      "Subject of its mail: of the alert that it began with, or that raised its severity last.",
      "[critical] node-exporter: /var is 97 % full (host web-1)",
    ),
    severity: text("The greatest so far.", "critical"),
    opened_at: moment("When Hermod opened it."),
    since: moment("When the earliest of its alerts occurred."),
    updated_at: moment("When something was heard of it last."),
    acknowledged_at: moment("When somebody said that he knows.").optional(),
    acknowledged_by: text("Who; empty: nobody has.", "ada@example.com"),
    resolved_at: moment("When it was over.").optional(),
    resolved_by: text("Who or what said so; empty: nobody has.", ""),
    alerts: count("Alerts received, repeats and resolutions included.", 3),
    occurrences: count("How often one of its alerts was reported as active.", 2),
    firing: count("Active alerts.", 1),
    notices: count("Notices so far.", 1),
    last_notice_at: moment("When the last one was.").optional(),
    next_notice_at: moment("When it is told next, as far as that is known.").optional(),
    held_by: text("`silenced`, `inhibited` or `quiet_hours`; empty: nothing holds it back.", ""),
    flapping: z.boolean().meta({ description: "It comes and goes." }),
    trouble: text("Why the last notice cannot be mailed; empty: it was, or will be.", ""),
    latest: line,
  })
  .meta({ id: "Incident", description: "What a rule tells of together, from the first alert to the last." });

const incidentDetails = z
  .object({
    incident,
    firing: z
      .array(
        z
          .object({
            latest: line,
            since: moment("When it was said first."),
            count: count("How often it was said.", 2),
          })
          .meta({ id: "FiringThing", description: "Something that fires." }),
      )
      .meta({ description: "The latest first, 100 at most." }),
    history: z
      .array(
        z
          .object({
            at: moment("When."),
            kind: text(
              "`opened`, `risen`, `held`, `notice`, `notice_failed`, `acknowledged` or `resolved`; later versions may know more.",
              "notice",
            ),
            detail: text("For people.", "first: to oncall@example.com"),
            message_ids: z.array(z.string()).meta({
              description: "Messages of a notice.",
              examples: [["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
            }),
          })
          .meta({ id: "IncidentEntry", description: "Something that happened to an incident." }),
      )
      .meta({ description: "The earliest first, 1,000 at most." }),
  })
  .meta({ id: "IncidentDetails", description: "An incident, with what fires and what happened to it." });

const storedAlert = z
  .object({
    id: text("Names the alert.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    trace_id: text("Names the request in logs.", "sx_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    key_id: text("The key that it came with; empty: none.", "key_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    received_at: moment("When it came."),
    alert: ingestAlertBody,
    outcome: alertOutcome,
  })
  .meta({ id: "StoredAlert", description: "An alert, and what became of it when it came." });

const ownId = z.object({ incident_id: z.string().meta({ description: "The incident's `id`." }) });

export const incidents = c.router({
  listIncidents: {
    method: "GET",
    path: "/api/incidents",
    summary: "List incidents",
    description: "The latest first.",
    query: pageQuery.extend({
      state: z
        .enum(["open", "acknowledged", "resolved"])
        .optional()
        .meta({ description: "Only these; missing: all." }),
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
    summary: "See an incident",
    description: "With what fires, what was sent, and why.",
    ...reading({ access: "alerts.read", faults: ["incident.unknown"], success: { 200: incidentDetails } }),
  },
  acknowledgeIncident: {
    method: "POST",
    path: "/api/incidents/:incident_id/acknowledge",
    pathParams: ownId,
    summary: "Acknowledge an incident",
    description:
      "Somebody goes about it: only a greater severity is told from now on, and its end. One that is acknowledged or resolved stays as it is.",
    body: c.noBody(),
    ...changing({ access: "incidents.write", faults: ["incident.unknown"], success: { 200: incident } }),
  },
  resolveIncident: {
    method: "POST",
    path: "/api/incidents/:incident_id/resolve",
    pathParams: ownId,
    summary: "Resolve an incident",
    description: "It is over, whatever fires; what fires again opens another one.",
    body: c.noBody(),
    ...changing({ access: "incidents.write", faults: ["incident.unknown"], success: { 200: incident } }),
  },
  listAlerts: {
    method: "GET",
    path: "/api/alerts",
    summary: "List alerts",
    description: "The latest first.",
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
    pathParams: z.object({ alert_id: z.string().meta({ description: "The alert's `id`." }) }),
    summary: "See an alert",
    description: "With what each rule made of it that there was when it came, and why.",
    ...reading({
      access: "alerts.read",
      faults: ["alert.unknown"],
      success: {
        200: z
          .object({
            alert: storedAlert,
            rules: z.array(explanation).meta({ description: "In the order in which they were asked." }),
          })
          .meta({ id: "AlertDetails", description: "An alert, explained." }),
      },
    }),
  },
});
