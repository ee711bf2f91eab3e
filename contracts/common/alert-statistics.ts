import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { text } from "./text-field.ts";

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const counts = z
  .object({
    info: count("Alerts of the severity `info`.", 40),
    warning: count("Alerts of the severity `warning`.", 12),
    critical: count("Alerts of the severity `critical`.", 3),
  })
  .meta({ id: "AlertCounts", description: "Number of alerts, by severity." });

/** Active alerts over time. */
export const alertStatistics = z
  .object({
    step: text("Length of a point: `hour` or `day`.", "hour"),
    all: counts,
    unmatched: counts,
    points: z
      .array(
        z
          .object({ at: moment("Start of the point."), counts, unmatched: counts })
          .meta({ id: "AlertPoint", description: "Alerts in one span of time." }),
      )
      .meta({ description: "Points in the order of time." }),
    rules: z
      .array(
        z
          .object({
            rule: text("Name of the rule; empty: all other rules.", "pager"),
            all: counts,
            counts: z.array(z.int()).meta({
              description: "Number of alerts of each point, in the order of `points`.",
              examples: [[0, 3, 1]],
            }),
          })
          .meta({ id: "RuleAlerts", description: "Alerts that a rule matched, over time." }),
      )
      .meta({
        description:
          "The 20 rules with the most alerts, then the sum of the others, if there are any. An alert counts for each rule that matched it.",
      }),
    measured_since: moment(
      "Time since which alerts are counted: the time of an update, or the earliest time with counters of this step. `null` if all points are counted.",
    ).nullable(),
  })
  .meta({
    id: "AlertStatistics",
    description: "Alerts over time. An alert counts once for each report of it as active.",
  });
