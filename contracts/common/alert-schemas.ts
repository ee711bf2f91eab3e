import { z } from "zod";
import { text } from "./text-field.ts";

const moment = (description: string) =>
  z.string().meta({ description, format: "date-time", examples: ["2030-01-01T12:00:00.000Z"] });

export const alertSeverity = z.enum(["info", "warning", "critical"]).meta({
  description: "Severity, in ascending order: `info`, `warning`, `critical`.",
  examples: ["critical"],
});

const link = z
  .strictObject({
    href: text(
      "HTTP or HTTPS URL, up to 2,000 characters.",
      "https://grafana.example.com/d/disks?var-host=web-1",
    ),
    text: text("Text of the link, up to 100 characters. Default: the URL.", "Disks of web-1").optional(),
  })
  .meta({ id: "AlertLink", description: "Link to more information about the alert." });

/** JSON body of POST /v1/alerts/ingest. The schema checks only the shape. The core checks the rules. */
export const ingestAlertBody = z
  .strictObject({
    event_type: text("Type of the event, for use in rules: 1 to 255 characters.", "disk.full"),
    severity: alertSeverity,
    source: text("System that sends the alert: 1 to 255 characters.", "node-exporter"),
    message: text("Message for people: 1 to 10,000 characters.", "/var is 97 % full"),
    entity_type: text("Type of the affected entity: up to 255 characters.", "host").optional(),
    entity_id: text("Id of the affected entity: up to 255 characters.", "web-1").optional(),
    context: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          "Additional data as a JSON object. Rules can match values up to 8 levels deep. E-mails show it as a table.",
        examples: [{ mount: "/var", used_percent: 97, team: "storage" }],
      }),
    status: z
      .enum(["firing", "resolved", "acknowledged"])
      .optional()
      .meta({
        description:
          "`firing`: the problem is active; `resolved`: the problem is over; `acknowledged`: someone is working on it. Default: `firing`.",
        examples: ["firing"],
      }),
    dedup_key: text(
      "Key that identifies the alert: 1 to 255 characters. Requests of one API key with the same `dedup_key` update the same alert. Default: derived from `event_type`, `entity_type` and `entity_id`, or from `source` if there is no `entity_id`.",
      "web-1/disk/var",
    ).optional(),
    occurred_at: moment(
      "Time at which the state in `status` began: RFC 3339 with an offset. Default: the time of arrival. A time in the future counts as the time of arrival. A time more than a year ago counts as missing. A request with an earlier time than the last one for the same alert does not replace the state of the alert.",
    ).optional(),
    links: z.array(link).optional().meta({ description: "Up to 10 links." }),
  })
  .meta({ id: "Alert", description: "Alert of an application or a monitor." });

const alertReason = z
  .object({
    rule: text("Name of the rule.", "pager"),
    reason: text(
      "`grouped`: the next e-mail of the incident includes the alert; `deduplicated`: an e-mail with the same state was sent or is due; `acknowledged`: the incident is acknowledged; `snoozed`: the incident is snoozed; `silenced`, `inhibited`, `quiet_hours`: the notification is suppressed for now; `rate_ceiling`: the notification limit is reached, and a digest includes the alert; `not_mailed`: the rule has no recipients, or sends no e-mail for this change; `dropped`: the rule drops the alert; `stopped`: the rule was disabled or removed while the incident was open; `outdated`: a request with a later `occurred_at` already changed this alert. Later versions may add values.",
      "deduplicated",
    ),
    next_notification_at: moment(
      "Time of the next e-mail, which is sent if the state is still the same then.",
    ).optional(),
  })
  .meta({ id: "AlertReason", description: "Reason why a rule does not send an e-mail at once." });

export const alertOutcome = z
  .object({
    status: z.enum(["routed", "suppressed", "unmatched"]).meta({
      description:
        "`routed`: a rule sent an e-mail, or will send one; `suppressed`: rules match the alert, but none sends an e-mail for now; `unmatched`: no rule matches.",
    }),
    matched_rules: z
      .array(z.string())
      .meta({ description: "Names of the matching rules, in order.", examples: [["pager"]] }),
    incident_ids: z.array(z.string()).meta({
      description: "Ids of the incidents that the alert belongs to.",
      examples: [["inc_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
    }),
    message_ids: z.array(z.string()).meta({
      description: "Ids of the e-mails created by this request. The incident lists later e-mails.",
      examples: [["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
    }),
    reasons: z
      .array(alertReason)
      .meta({ description: "Reasons why rules do not send an e-mail at once.", examples: [[]] }),
  })
  .meta({ id: "AlertOutcome", description: "Result of the rules for an alert." });

export const shadowedRule = z
  .object({
    rule: z.string().meta({ description: "Name of the rule that is never evaluated.", examples: ["late"] }),
    by: z.string().meta({
      description: "Name of the earlier rule that matches all its alerts and stops the evaluation.",
      examples: ["pager"],
    }),
  })
  .meta({ id: "ShadowedRule", description: "Rule that is never evaluated because of an earlier rule." });

export const suppressedRecipients = z.array(z.string()).meta({
  description: "Recipients on the suppression list. Hermod sends no e-mail to them.",
  examples: [["oncall@example.com"]],
});
