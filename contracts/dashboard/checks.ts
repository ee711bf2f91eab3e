import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";

const c = initContract();

export const check = z
  .object({
    id: text("Id of the check.", "auth.dmarc.policy"),
    category: text("`auth`, `transport`, `infra` or `reputation`.", "auth"),
    weight: z.int().meta({
      description: "Points that the check can give: 10, 5 or 2. 0: the check is informational.",
      examples: [10],
    }),
    title: text("State that the check expects.", "The DMARC policy is quarantine or reject"),
    meaning: text(
      "Meaning of the check and consequence of a failure.",
      "With the policy none, receivers deliver forged mail like genuine mail.",
    ),
    reference: text(
      "Specification of the checked property, or page of the blacklist.",
      "RFC 9989 section 4.7",
    ),
    needs: z
      .string()
      .nullable()
      .meta({
        description:
          "Check that must pass or warn first. If it fails, this check gives no points. `null`: none.",
        examples: ["auth.dmarc.valid"],
      }),
    blacklist: z
      .string()
      .nullable()
      .meta({ description: "Id of the blacklist that the check is about; `null`: another check." }),
    enabled: z
      .boolean()
      .nullable()
      .meta({ description: "Whether Hermod queries the blacklist; `null`: not a check of a blacklist." }),
  })
  .meta({ id: "CatalogCheck", description: "Check of the catalogue." });

export const checks = c.router({
  listChecks: {
    method: "GET",
    path: "/api/intel/checks",
    summary: "List the catalogue of checks",
    description:
      "Lists every check of watched domains with its weight, its meaning and its reference, those of blacklists last. The list is the same for all accounts and changes only with a release or with the operator's settings.",
    ...reading({
      access: "intel.read",
      success: {
        200: z
          .object({
            score_model: text("Version of the score model that the weights belong to.", "2"),
            data: z.array(check),
          })
          .meta({ id: "CheckList", description: "All checks." }),
      },
    }),
  },
});
