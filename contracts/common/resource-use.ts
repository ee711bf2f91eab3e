import { z } from "zod";

/** Removing a resource that other resources use requires `force`. */

export const resourceUser = z
  .object({
    kind: z.string().meta({
      description:
        "Kind of the resource: `alert_rule`, `schedule` (report schedule), `webhook`, `key` or `webhook_delivery`. Later versions may add values.",
      examples: ["alert_rule"],
    }),
    id: z.string().meta({ description: "Id of the resource.", examples: ["rul_01k9z4c3r8h2v6y0n5t7w1x3q9"] }),
    name: z.string().meta({ description: "Name of the resource.", examples: ["pager"] }),
  })
  .meta({ id: "ResourceUser", description: "Resource that depends on another resource." });

/** Dependent resources: fields of the error, and of the response to a forced removal. */
export const resourceUse = {
  used_by: z.array(resourceUser).meta({
    description: "First 10 resources that depend on it.",
    maxItems: 10,
  }),
  used_by_count: z.int().meta({ description: "Number of all resources that depend on it.", minimum: 1 }),
};

export const forcedRemoval = z.object(resourceUse).meta({
  id: "ForcedRemoval",
  description: "Resources that no longer work after a forced removal.",
});

/** Query of a route that removes a resource with possible dependents. */
export const removalQuery = z.strictObject({
  force: z.enum(["true", "false"]).optional().meta({
    description:
      "`true`: removes the resource even if other resources depend on it. The response lists them. Default: `false`.",
  }),
});
