import { z } from "zod";
import { count, moment } from "./intel-fields.ts";
import { text } from "./text-field.ts";

/** Fields of the score of a domain. */

export const score = z
  .int()
  .nullable()
  .meta({
    description: "Score from 0 to 100; `null` if nothing was measured yet.",
    minimum: 0,
    maximum: 100,
    examples: [87],
  });
export const coverage = z
  .number()
  .nullable()
  .meta({
    description:
      "Share of the weight of all checks that was measured, from 0 to 1; `null` if nothing was measured yet.",
    examples: [0.94],
  });

export const historyPoint = z
  .object({
    at: moment("Time of the change."),
    status: text("Status of the domain.", "healthy"),
    score,
    coverage,
    score_model: text("Version of the score model.", "2"),
  })
  .meta({ id: "ScorePoint", description: "Score and status of a domain at one time." });

export const topFinding = z
  .object({
    check_id: text("Id of the check.", "auth.dmarc.policy"),
    severity: text("Severity: `critical`, `warning` or `info`.", "warning"),
    title: text("Requirement that the domain does not meet."),
    gain: z
      .number()
      .meta({ description: "Points that the score gains when the finding is fixed.", examples: [2.5] }),
  })
  .meta({ id: "TopFinding", description: "Finding and the gain of its fix." });

export const scoreDetails = z
  .object({
    score_model: text("Version of the score model.", "2"),
    score,
    grade: text("Grade from `A` to `F`; `null` if the coverage is below 0.7.", "B").nullable(),
    coverage,
    caps: z
      .array(
        z
          .object({
            id: text("Id of the cap.", "warning_finding"),
            limit: count("Maximum score."),
            reason: text("Problem that caps the score."),
          })
          .meta({ id: "ScoreCap", description: "Limit of the score." }),
      )
      .meta({ description: "Caps that apply, lowest first." }),
    categories: z
      .array(
        z
          .object({
            category: text("Category: `auth`, `transport`, `infra` or `reputation`.", "auth"),
            points: z
              .number()
              .meta({ description: "Sum of the points of the checks in the category.", examples: [118.5] }),
            of: count("Sum of the weights of the checks with non-null points."),
            share: z.number().meta({
              description: "Percentage of the score, before the sum of all shares is scaled to 100.",
              examples: [50],
            }),
          })
          .meta({ id: "ScoreCategory", description: "Points of one category of checks." }),
      )
      .meta({ description: "Categories with at least one check that counts." }),
  })
  .meta({
    id: "ScoreDetails",
    description:
      "Current score of `checks`: the sum of `share` × `points` / `of`, divided by the sum of `share`, times 100. If the lowest cap is less, it is the score. The result is rounded down.",
  });
