import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { alertStatistics } from "../common/alert-statistics.ts";
import { alertFilter, incidentFilter } from "../common/incident-filter.ts";
import {
  bulkIncidents,
  bulkIncidentsCount,
  incident,
  incidentDetails,
  storedAlert,
} from "../common/incident-schemas.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { moment, page, pageQuery } from "./common.ts";
import { job } from "./jobs.ts";
import { explanation } from "./rules.ts";

const c = initContract();

const ownId = z.object({ incident_id: z.string().meta({ description: "Id of the incident." }) });

export const incidents = c.router({
  listIncidents: {
    method: "GET",
    path: "/api/incidents",
    summary: "List incidents",
    description:
      "Lists incidents that match all filters. If Hermod must check incidents one by one (`text`, `assignee`, some combinations), a page can be short or empty although another page follows.",
    query: pageQuery.extend({
      ...incidentFilter,
      sort: z.enum(["newest", "oldest", "updated", "severity"]).optional().meta({
        description:
          "`newest` (the default) or `oldest`: by the time of opening; `updated`: the last change first; `severity`: the highest first, then the newest.",
      }),
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
      "Marks an incident as acknowledged: someone is working on it. From then on, Hermod notifies only a higher severity, critical alerts that no notice has named, and the end. A snooze ends. Changes nothing if the incident is already acknowledged or resolved.",
    body: c.noBody(),
    ...changing({ access: "incidents.write", faults: ["incident.unknown"], success: { 200: incident } }),
  },
  unacknowledgeIncident: {
    method: "POST",
    path: "/api/incidents/:incident_id/unacknowledge",
    pathParams: ownId,
    summary: "Withdraw the acknowledgment of an incident",
    description:
      "Opens an acknowledged incident again. Sends no notice by itself: new alerts and repeats that are due since then are notified now, and escalation begins with its first step. Changes nothing if the incident is not acknowledged.",
    body: c.noBody(),
    ...changing({ access: "incidents.write", faults: ["incident.unknown"], success: { 200: incident } }),
  },
  snoozeIncident: {
    method: "POST",
    path: "/api/incidents/:incident_id/snooze",
    pathParams: ownId,
    summary: "Snooze an incident",
    description:
      "Suppresses the notices of an incident until a time, except that of its resolution. The snooze ends with a notice of all active alerts, and the incident is then open, even if it was acknowledged. It ends earlier when the severity of the incident rises or one of its alerts turns critical, when a critical alert arrives that no notice has named, or when the incident is acknowledged. Escalation stops, and begins again with the next notice. A notice that is already fixed, and notices that wait for a digest, are still sent. Another `until` replaces the former one.",
    body: z
      .strictObject({ until: moment("End of the snooze: in the future, at most one year ahead.") })
      .meta({ id: "SnoozeIncidentRequest", description: "End of a snooze." }),
    ...changing({
      access: "incidents.write",
      faults: ["incident.unknown", "incident.resolved"],
      success: { 200: incident },
    }),
  },
  unsnoozeIncident: {
    method: "POST",
    path: "/api/incidents/:incident_id/unsnooze",
    pathParams: ownId,
    summary: "End the snooze of an incident",
    description:
      "Ends a snooze before its time. New alerts and repeats that are due since then are notified now. Changes nothing if the incident is not snoozed.",
    body: c.noBody(),
    ...changing({ access: "incidents.write", faults: ["incident.unknown"], success: { 200: incident } }),
  },
  reopenIncident: {
    method: "POST",
    path: "/api/incidents/:incident_id/reopen",
    pathParams: ownId,
    summary: "Reopen an incident",
    description:
      "Opens a resolved incident again, with its alerts that no source has resolved since. Hermod notifies the recipients once that it is open again. If no alert is active, the incident stays open until a member resolves it. Changes nothing if the incident is not resolved.",
    body: c.noBody(),
    ...changing({
      access: "incidents.write",
      faults: ["incident.unknown", "incident.group_open", "incident.rule_removed"],
      success: { 200: incident },
    }),
  },
  assignIncident: {
    method: "PUT",
    path: "/api/incidents/:incident_id/assignee",
    pathParams: ownId,
    summary: "Assign an incident",
    description:
      "Sets or removes the member who works on an incident. It changes no notices. A resolved incident can be assigned, too.",
    body: z
      .strictObject({
        user_id: z
          .string()
          .nullable()
          .meta({
            description: "User id or e-mail address of a member of the account. `null`: no member.",
            examples: ["usr_01k9z4c3r8h2v6y0n5t7w1x3q9"],
          }),
      })
      .meta({ id: "AssignIncidentRequest", description: "Assignee of an incident." }),
    ...changing({
      access: "incidents.write",
      faults: ["incident.unknown", "member.unknown"],
      success: { 200: incident },
    }),
  },
  addIncidentNote: {
    method: "POST",
    path: "/api/incidents/:incident_id/notes",
    pathParams: ownId,
    summary: "Add a note to an incident",
    description:
      "Adds a note with its author to the history of an incident, for members of the account only. A resolved incident can have notes, too. Notes cannot be changed. An incident has up to 500 notes.",
    body: z
      .strictObject({ text: text("1 to 4,000 characters.", "The disk is being replaced.") })
      .meta({ id: "AddIncidentNoteRequest", description: "Note to an incident." }),
    ...changing({
      access: "incidents.write",
      faults: ["incident.unknown", "incident.too_many_notes"],
      success: { 200: incident },
    }),
  },
  bulkIncidents: {
    method: "POST",
    path: "/api/incidents/bulk",
    summary: "Act on many incidents",
    description:
      "Acknowledges or resolves many incidents in two steps. Without `confirmation`, Hermod counts the incidents and changes nothing. With it, a job starts, with a result for each incident. The same confirmation starts the same job only once. The job skips an incident with a state that no longer allows the action.",
    body: bulkIncidents,
    ...changing({
      access: "incidents.write",
      faults: ["incident.confirmation_invalid", "incident.bulk_too_large", "job.too_many"],
      success: { 200: bulkIncidentsCount, 202: job },
    }),
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
    description:
      "Lists alerts that match all filters. If Hermod must check alerts one by one (`severity`, `source`, `text`, `outcome` other than `unmatched`), a page can be short or empty although another page follows.",
    query: pageQuery.extend({
      ...alertFilter,
      sort: z
        .enum(["newest", "oldest"])
        .optional()
        .meta({ description: "`newest` (the default) or `oldest`: by the time of arrival." }),
    }),
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("AlertList", storedAlert) },
    }),
  },
  getAlertStatistics: {
    method: "GET",
    path: "/api/alerts/statistics",
    summary: "Get the statistics of alerts",
    description:
      "Counts active alerts over time, by severity and rule, and those that no rule matched. An alert counts once for each report of it as active. Counters of hours are kept for 90 days, and counters of days for two years, longer than the alerts themselves. Days begin at 00:00 UTC.",
    query: z.strictObject({
      from: moment("Start of the time range, inclusive. Missing: one day before `until`.").optional(),
      until: moment("End of the time range, exclusive. Missing: now.").optional(),
      step: z.enum(["hour", "day"]).optional().meta({
        description:
          "Length of a point. Missing: `hour` for up to 14 days, otherwise `day`. The result has at most 1,500 points.",
      }),
      rule: z.string().max(200).optional().meta({ description: "Only alerts that this rule matched." }),
    }),
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: alertStatistics },
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
