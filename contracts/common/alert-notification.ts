import { z } from "zod";
import { flag, text, texts } from "./text-field.ts";

const number = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .max(2_592_000)
    .meta({ description, examples: [example] });
interface WindowExample {
  readonly days: readonly number[];
  readonly from: string;
  readonly to: string;
}

/** A time range of the local week. */
export const weeklyWindow = ({ days, from, to }: WindowExample) =>
  z.strictObject({
    days: z
      .array(z.int().min(1).max(7))
      .optional()
      .meta({
        description: "Days on which the window begins: 1 is Monday, 7 is Sunday. Empty: all days.",
        examples: [days],
      }),
    from: text(`Start, for example \`${from}\`.`, from),
    to: text(`End, for example \`${to}\`. If it is not later than \`from\`, it is on the next day.`, to),
  });

/** Windows of the week, in one time zone. */
export const windowsOfWeek = {
  time_zone: text("IANA time zone, for example `Europe/Berlin`.", "Europe/Berlin"),
  windows: z
    .array(
      weeklyWindow({ days: [], from: "22:00", to: "07:00" }).meta({
        id: "QuietWindow",
        description: "Time window on all or some days.",
      }),
    )
    .meta({ description: "Up to 20 windows." }),
};

const quietHours = z
  .strictObject({
    ...windowsOfWeek,
    hold_critical: flag("Whether critical alerts wait too.").optional(),
  })
  .meta({
    id: "QuietHours",
    description: "Hours in which mail waits. Alerts that are still active at their end are notified then.",
  });

export const notification = z
  .strictObject({
    recipients: texts(
      "Up to 50 addresses. Without recipients and on-call schedules no mail is sent, and only alert targets and webhook endpoints receive the incidents.",
      "oncall@example.com",
    ).optional(),
    on_call_schedules: texts(
      "Names of up to 10 on-call schedules. The participants on call at the time of a notice receive it, in addition to `recipients`.",
      "primary",
    ).optional(),
    targets: texts(
      "Ids of up to 20 alert targets that are notified in addition to the recipients.",
      "atg_01k9z4c3r8h2v6y0n5t7w1x3q9",
    ).optional(),
    from: text(
      "Verified sender. Required if there are recipients or on-call schedules, also of escalation steps.",
      "Alerts <alerts@example.com>",
    ).optional(),
    routing_policy: text(
      "Routing policy of the mail. Missing: the account's default policy.",
      "pager",
    ).optional(),
    template: text("Template of the account. Missing: the built-in template.", "alert").optional(),
    group_by: texts(
      "Fields with equal values in all alerts of one incident. Empty: each alert has its own incident.",
      "source",
    ).optional(),
    one_incident: flag("Whether one incident has all alerts of the rule.").optional(),
    wait_seconds: number(
      "Seconds from the opening of an incident to its first notice: 0 to 3,600. Default: 0.",
      0,
    ).optional(),
    interval_seconds: number(
      "Seconds between notices of new alerts: 60 to 86,400. Default: 300. After the first notice, it is 60.",
      300,
    ).optional(),
    repeat_seconds: number(
      "Seconds after which an unchanged incident is notified again: 300 to 2,592,000; 0: never. Default: 14,400.",
      14_400,
    ).optional(),
    resolved_mail: flag(
      "Whether notified recipients get a notice when the incident is resolved. Default: `true`.",
    ).optional(),
    auto_resolve_seconds: number(
      "Seconds without an update after which an alert is resolved automatically: 60 to 2,592,000; 0: never. Default: 0.",
      0,
    ).optional(),
    quiet_hours: quietHours.optional(),
    time_zone: text(
      "Time zone for times in mail. Default: the time zone of the quiet hours, or UTC.",
      "UTC",
    ).optional(),
    mails_per_hour: number(
      "Maximum number of notices per hour to one recipient or alert target: 1 to 1,000. Default: 20. Further notices are sent in digests.",
      20,
    ).optional(),
    digest_seconds: number("Seconds between digests: 60 to 86,400. Default: 900.", 900).optional(),
    escalation: z
      .array(
        z
          .strictObject({
            after_seconds: number(
              "Seconds after the previous step, or for the first step, after the first notice: 60 to 604,800.",
              900,
            ),
            recipients: texts(
              "Up to 50 addresses; at least one if the step names no on-call schedule and no target.",
              "lead@example.com",
            ),
            on_call_schedules: texts("Names of up to 10 on-call schedules.", "managers").optional(),
            targets: texts("Ids of up to 20 alert targets.", "atg_01k9z4c3r8h2v6y0n5t7w1x3q9").optional(),
          })
          .meta({
            id: "EscalationStep",
            description: "Recipients to notify if the incident is not acknowledged.",
          }),
      )
      .optional()
      .meta({ description: "Up to 10 escalation steps." }),
    escalation_rounds: number("Number of times that all steps run: 1 to 5. Default: 1.", 1).optional(),
  })
  .meta({ id: "AlertNotification", description: "Notification settings of a rule." });
