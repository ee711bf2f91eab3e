import { z } from "zod";

/** A resource that others use is not removed without `force`. */

const resourceUser = z
  .object({
    kind: z.string().meta({
      description:
        "`alert_rule`, `schedule` (of reports), `webhook`, `key` or `webhook_delivery`; later versions may know more.",
      examples: ["alert_rule"],
    }),
    id: z.string().meta({ description: "Its id.", examples: ["rul_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    name: z.string().meta({ description: "Its name.", examples: ["pager"] }),
  })
  .meta({ id: "ResourceUser", description: "A resource that needs another one." });

/** Resources that need another one: fields of a refusal, and of the answer to a forced removal. */
export const resourceUse = {
  used_by: z.array(resourceUser).meta({
    description: "The first 10 resources that do not work without it.",
    maxItems: 10,
  }),
  used_by_count: z.int().meta({ description: "All resources that do not work without it.", minimum: 1 }),
};

export const forcedRemoval = z.object(resourceUse).meta({
  id: "ForcedRemoval",
  description: "Resources that stopped working with a forced removal.",
});

/** Query of a route that removes what others may use. */
export const removalQuery = z.strictObject({
  force: z.enum(["true", "false"]).optional().meta({
    description: "`true`: removes it although other resources use it; the answer names them (false).",
  }),
});
