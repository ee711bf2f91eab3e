import { z } from "zod";
import { text } from "./text-field.ts";

const moment = (description: string) =>
  z.string().meta({ description, format: "date-time", examples: ["2030-01-01T12:00:00.000Z"] });

export const alertSeverity = z.enum(["info", "warning", "critical"]).meta({
  description: "How bad it is; `critical` is greater than `warning`, and that than `info`.",
  examples: ["critical"],
});

const link = z
  .strictObject({
    href: text(
      "HTTP or HTTPS, up to 2,000 characters.",
      "https://grafana.example.com/d/disks?var-host=web-1",
    ),
    text: text("For people, up to 100 characters; missing: the address.", "Disks of web-1").optional(),
  })
  .meta({ id: "AlertLink", description: "Where there is more about it." });

/** The JSON body of POST /v1/alerts/ingest. Only shapes are checked here: the rules live in the core. */
export const ingestAlertBody = z
  .strictObject({
    event_type: text("What happened: 1 to 255 characters, for rules.", "disk.full"),
    severity: alertSeverity,
    source: text("Who says it: 1 to 255 characters.", "node-exporter"),
    message: text("For people: 1 to 10,000 characters.", "/var is 97 % full"),
    entity_type: text("What kind of thing it is about: up to 255 characters.", "host").optional(),
    entity_id: text("Which one: up to 255 characters.", "web-1").optional(),
    context: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({
        description:
          "What else there is to say. Rules may ask for what lies up to 8 levels deep; mail shows it as a table.",
        examples: [{ mount: "/var", used_percent: 97, team: "storage" }],
      }),
    status: z
      .enum(["firing", "resolved", "acknowledged"])
      .optional()
      .meta({
        description:
          "`firing`, unless it says otherwise; `resolved`: it is well again; `acknowledged`: somebody knows, and goes about it.",
        examples: ["firing"],
      }),
    dedup_key: text(
      "1 to 255 characters: alerts with the same key are about the same thing. Missing: those with the same `event_type`, `entity_type` and `entity_id`, or `source` where there is no `entity_id`.",
      "web-1/disk/var",
    ).optional(),
    occurred_at: moment(
      "When the state in `status` began: RFC 3339 with an offset. Missing: the arrival. A time in the future counts as the arrival, and one of more than a year ago as missing. An alert with an earlier time than the last one about the same thing does not replace its state.",
    ).optional(),
    links: z.array(link).optional().meta({ description: "Up to 10." }),
  })
  .meta({ id: "Alert", description: "Something that an application or a monitor has to say." });

const alertReason = z
  .object({
    rule: text("Name of the rule.", "pager"),
    reason: text(
      "`grouped`: it is told with what else is new; `deduplicated`: what it says was told, or will be; `acknowledged`: somebody knows already; `silenced`, `inhibited`, `quiet_hours`: it is held back; `rate_ceiling`: it comes in a digest; `not_mailed`: the rule mails nobody, or not of this; `dropped`: the rule drops it; `stopped`: the rule was taken back while the incident lasts; `outdated`: it occurred before the last alert about the same thing. Later versions may know more.",
      "deduplicated",
    ),
    next_notification_at: moment("When it is mailed, if what it says still holds then.").optional(),
  })
  .meta({ id: "AlertReason", description: "Why a rule does not mail an alert at once." });

export const alertOutcome = z
  .object({
    status: z.enum(["routed", "suppressed", "unmatched"]).meta({
      description:
        "`routed`: a rule has mailed it, or will; `suppressed`: rules take it, and none mails it for now; `unmatched`: no rule takes it.",
    }),
    matched_rules: z
      .array(z.string())
      .meta({ description: "Names of the rules that take it, in their order.", examples: [["pager"]] }),
    incident_ids: z.array(z.string()).meta({
      description: "The incidents that it belongs to.",
      examples: [["inc_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
    }),
    message_ids: z.array(z.string()).meta({
      description: "Messages that were made by it now; those of later notices are found in the incident.",
      examples: [["msg_01k9z4c3r8h2v6y0n5t7w1x3q9"]],
    }),
    reasons: z.array(alertReason).meta({ description: "Why rules do not mail it at once.", examples: [[]] }),
  })
  .meta({ id: "AlertOutcome", description: "What became of an alert when it came." });

export const shadowedRule = z
  .object({
    rule: z.string().meta({ description: "It is never asked.", examples: ["late"] }),
    by: z.string().meta({
      description: "For this one takes whatever it would take, and stops.",
      examples: ["pager"],
    }),
  })
  .meta({ id: "ShadowedRule", description: "A rule in the shadow of another one." });

export const suppressedRecipients = z.array(z.string()).meta({
  description: "Recipients that are on the suppression list: mail is not sent to them.",
  examples: [["oncall@example.com"]],
});
