import { z } from "zod";
import { count, moment } from "./intel-fields.ts";
import { text } from "./text-field.ts";

/** Fields of a domain's score. */

export const score = z
  .int()
  .nullable()
  .meta({
    description: "0 to 100; null: nothing is measured yet.",
    minimum: 0,
    maximum: 100,
    examples: [87],
  });
export const coverage = z
  .number()
  .nullable()
  .meta({
    description: "0 to 1: how much of what counts was measured; null: nothing yet.",
    examples: [0.94],
  });

export const historyPoint = z
  .object({
    at: moment("When."),
    status: text("Of the domain.", "healthy"),
    score,
    coverage,
    score_model: text("The model that it was scored by.", "2"),
  })
  .meta({ id: "ScorePoint", description: "How a domain stood." });

export const topFinding = z
  .object({
    check_id: text("The check.", "auth.dmarc.policy"),
    severity: text("`critical`, `warning` or `info`.", "warning"),
    title: text("What it is about."),
    gain: z
      .number()
      .meta({ description: "By how many points the score rises once it is mended.", examples: [2.5] }),
  })
  .meta({ id: "TopFinding", description: "A finding, and what its repair is worth." });

export const scoreDetails = z
  .object({
    score_model: text("The model of these figures.", "2"),
    score,
    grade: text("`A` to `F`; null: the coverage is below 0.7.", "B").nullable(),
    coverage,
    caps: z
      .array(
        z
          .object({
            id: text("The rule.", "warning_finding"),
            limit: count("The most that the score can be."),
            reason: text("The fault."),
          })
          .meta({ id: "ScoreCap", description: "A limit of the score." }),
      )
      .meta({ description: "Caps that apply, the lowest first." }),
    categories: z
      .array(
        z
          .object({
            category: text("`auth`, `transport`, `infra` or `reputation`.", "auth"),
            points: z.number().meta({ description: "Sum of the points of its checks.", examples: [118.5] }),
            of: count("Sum of the weights of its checks whose points are not null."),
            share: z.number().meta({
              description: "Its percentage of the score, before the sum of all shares is scaled to 100.",
              examples: [50],
            }),
          })
          .meta({ id: "ScoreCategory", description: "Points of one group of checks." }),
      )
      .meta({ description: "Groups with a check that counts." }),
  })
  .meta({
    id: "ScoreDetails",
    description:
      "The score of `checks`, now: the sum of `share` × `points` / `of`, divided by the sum of `share`, times 100; or the lowest cap, if that is less; rounded down.",
  });
