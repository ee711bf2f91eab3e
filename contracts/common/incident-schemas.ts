import { z } from "zod";
import { accountId, emailAddress, moment, userId } from "../dashboard/common.ts";
import { alertOutcome, ingestAlertBody } from "./alert-schemas.ts";
import { incidentFilter } from "./incident-filter.ts";
import { targetDelivery } from "./target-schemas.ts";
import { text } from "./text-field.ts";
import { partsOf } from "./text-part.ts";

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
    updated_at: moment("Time of the last alert, change of state, assignment or note."),
    acknowledged_at: moment("Time of the acknowledgment. Missing if there is none.").optional(),
    acknowledged_by: text("Actor that acknowledged the incident; empty if none did.", "ada@example.com"),
    snoozed_until: moment(
      "Time until which notices are suppressed. Missing if the incident is not snoozed.",
    ).optional(),
    snoozed_by: text("Actor that snoozed the incident; empty if it is not snoozed.", ""),
    assignee: z
      .object({ user_id: userId, email: emailAddress })
      .meta({
        id: "Assignee",
        description:
          "Member who works on the incident. Missing if there is none, or if the user has left the account.",
      })
      .optional(),
    notes: count("Number of notes. They are in the history.", 1),
    resolved_at: moment("Time when the incident was resolved. Missing before that.").optional(),
    resolved_by: text(
      "Actor that resolved the incident, or the reason why Hermod did; empty before that.",
      "",
    ),
    resolved_by_parts: partsOf("resolved_by"),
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

const incidentEntry = z
  .object({
    at: moment("Time of the entry."),
    kind: text(
      "`opened`, `reopened`, `risen`, `held`, `notice`, `notice_failed`, `acknowledged`, `unacknowledged`, `snoozed`, `snooze_ended`, `assigned`, `note` or `resolved`; later versions may add kinds.",
      "notice",
    ),
    detail: text("Details for people. For a note, its text.", "First notice. Sent to oncall@example.com."),
    detail_parts: partsOf("detail"),
    by: text("Author of a note; empty for other kinds.", ""),
    message_ids: z.array(z.string()).meta({
      description: "Ids of the messages of a notice.",
      examples: [["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
    }),
    deliveries: z.array(targetDelivery).meta({
      description: "Deliveries of a notice to alert targets, with their present state.",
    }),
  })
  .meta({ id: "IncidentEntry", description: "Entry in the history of an incident." });

export const incidentDetails = z
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
      .array(incidentEntry)
      .meta({ description: "The latest 1,000 entries of the history, oldest entry first." }),
  })
  .meta({ id: "IncidentDetails", description: "An incident with its active alerts and its history." });

export const storedAlert = z
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

export const bulkIncidents = z
  .strictObject({
    action: text("Action: `acknowledge` or `resolve`.", "acknowledge"),
    ids: z
      .array(z.string())
      .optional()
      .meta({ description: "Ids of up to 1,000 incidents. Missing: the incidents that match `filter`." }),
    filter: z
      .strictObject(incidentFilter)
      .optional()
      .meta({
        description:
          "Filter with the parameters of `GET /api/incidents`. It must not be empty. Incidents opened after the count are not included.",
        examples: [{ state: ["open"], rule: "pager" }],
      }),
    confirmation: text("The `confirmation` of the count, to start the job. Missing: only count.").optional(),
  })
  .meta({ id: "BulkIncidentsRequest", description: "Action on many incidents." });

export const bulkIncidentsCount = z
  .object({
    count: count("Number of selected incidents.", 312),
    actionable: count(
      "Number of selected incidents that the action can currently be applied to. It skips the others.",
      290,
    ),
    has_more: z.boolean().meta({
      description:
        "`true` if more incidents are selected than counted. Counting ends after 100,000 incidents or eight seconds. The action applies to all selected incidents.",
    }),
    sample: z
      .array(incident)
      .meta({ description: "Up to five incidents that the action can be applied to." }),
    confirmation: text(
      "Confirmation token. The same user sends it with the same request to start the action.",
    ),
    confirm_before: moment("Time at which the confirmation expires, after 10 minutes."),
  })
  .meta({
    id: "BulkIncidentsCount",
    description: "Number of incidents that a bulk action selects. Nothing was changed.",
  });
