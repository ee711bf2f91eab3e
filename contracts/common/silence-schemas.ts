import { z } from "zod";
import { accountId, moment } from "../dashboard/common.ts";
import { windowsOfWeek } from "./alert-notification.ts";
import { conditions } from "./alert-rule-schemas.ts";
import { revision } from "./revision.ts";
import { text } from "./text-field.ts";

const { match, any } = conditions;

/** Conditions in answers. */
export const present = { match: match.unwrap(), any: any.unwrap() };

const weeklyWindows = z.strictObject(windowsOfWeek).meta({
  id: "WeeklyWindows",
  description:
    "Windows of the week in which the silence is in effect, in local time. On days of a clock change a window is longer or shorter. A window is skipped if its times do not occur.",
});

const weekly = weeklyWindows.optional();

export const silence = z
  .object({
    id: text("Id of the silence.", "sil_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    ...present,
    starts_at: moment("Start of the silence."),
    ends_at: moment("End of the silence. Missing: it is weekly and has no end.").optional(),
    weekly: weekly.meta({
      description:
        "Windows of the week in which the silence is in effect, from its start to its end. Missing: it is in effect all the time between them.",
    }),
    comment: text("Reason for the silence.", "Maintenance of web-1"),
    created_by: text("Name of the actor that created the silence.", "ada@example.com"),
    created_at: moment("Time when the silence was created."),
    state: text(
      "`active`: it is in effect now; `pending`: it will be; `expired`: it has ended. A weekly silence is `pending` between its windows.",
      "active",
    ),
    active_until: moment(
      "End of the present window, or of the silence. Missing if the silence is not active.",
    ).optional(),
    next_start_at: moment(
      "Start of the next window, or of the silence. Missing if the silence is not pending.",
    ).optional(),
    revision,
  })
  .meta({
    id: "Silence",
    description: "Suppresses notifications for matching alerts during a time range, or in weekly windows.",
  });

export const newSilence = z
  .strictObject({
    ...conditions,
    starts_at: moment("Start of the silence, at most one year ahead. Missing: now.").optional(),
    ends_at: moment(
      "End of the silence, in the future and at most one year ahead. A weekly silence may end later, or have no end.",
    ).optional(),
    weekly: weekly.meta({
      description:
        "Windows of the week in which the silence is in effect, from its start to its end. Missing: it is in effect all the time between them, and `ends_at` is required.",
    }),
    comment: text("Reason for the silence: 1 to 500 characters.", "Maintenance of web-1"),
    confirm: z.boolean().optional().meta({
      description:
        "Confirms a silence that matches critical alerts or two severities regardless of other fields, or at least 90 % of the latest 50 alerts.",
    }),
  })
  .meta({ id: "NewSilence", description: "A silence to create." });

export const silencePreviewRequest = z
  .strictObject({
    ...conditions,
    weekly: weekly.meta({ description: "Windows for the count of past alerts. Missing: all times." }),
  })
  .meta({ id: "SilencePreviewRequest", description: "Conditions of a silence, and its windows." });

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] });

export const silencePreview = z
  .object({
    needs_confirmation: z
      .boolean()
      .meta({ description: "Whether the silence needs `confirm`. It does not depend on the limits below." }),
    incidents: count("Number of open incidents of which all active alerts match.", 3),
    partial_incidents: count("Number of open incidents of which only some active alerts match.", 1),
    listed: z
      .array(
        z
          .object({
            id: text("Id of the incident.", "inc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
            title: text("Title of the incident.", "[critical] node-exporter: /var is 97 % full (host web-1)"),
            rule: text("Name of its rule.", "pager"),
            severity: text("Highest severity so far.", "critical"),
            state: text("`open` or `acknowledged`.", "open"),
            firing: count("Number of active alerts.", 2),
            matching: count("Number of active alerts that match.", 1),
          })
          .meta({ id: "SilencedIncident", description: "An open incident with matching active alerts." }),
      )
      .meta({ description: "The latest 25 of both." }),
    all_incidents_read: z.boolean().meta({
      description:
        "`false`: a preview reads 50,000 active alerts, and the account has more. The numbers of incidents are lower bounds.",
    }),
    alerts: count("Number of matching alerts since `since`, within the windows.", 42),
    alerts_read: count("Number of alerts that were read.", 512),
    since: moment("Time seven days ago, or of the oldest alert that was read."),
    all_alerts_read: z.boolean().meta({
      description:
        "`false`: a preview reads the latest 10,000 alerts, and the last seven days have more. `since` is the time of the oldest one.",
    }),
  })
  .meta({ id: "SilencePreview", description: "Incidents and past alerts that a silence matches." });
