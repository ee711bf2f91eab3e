import { z } from "zod";
import { notification } from "./alert-notification.ts";
import { flag, text } from "./text-field.ts";

const plain = z.union([z.string(), z.number(), z.boolean()]);

export const condition = z
  .strictObject({
    field: text(
      "`event_type`, `severity`, `source`, `entity_type`, `entity_id`, `message`, or `context.name` with up to 8 names.",
      "event_type",
    ),
    op: text(
      "`eq`, `ne`, `in`, `prefix`, `glob` (`*` stands for any characters), `contains`, `exists`, `gte` or `lte`. For `severity`: `eq`, `in`, `gte` or `lte`.",
      "glob",
    ),
    value: z
      .union([plain, z.array(plain)])
      .meta({ description: "Value to compare with. For `in`: a list.", examples: ["disk.*"] }),
  })
  .meta({ id: "AlertCondition", description: "Condition on a field of an alert." });

export const conditions = {
  match: z
    .array(condition)
    .optional()
    .meta({ description: "Conditions that must all be true. `match` and `any` together have at most 32." }),
  any: z
    .array(condition)
    .optional()
    .meta({ description: "Conditions of which at least one must be true, if there are any." }),
};

export const settings = {
  name: text("1 to 100 characters of `a-z 0-9 . _ -`.", "pager"),
  description: text(
    "Description for people, at most 200 characters.",
    "Alerts that wake the person on call",
  ).optional(),
  order: z
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .meta({
      description:
        "Order of evaluation: the lowest first. With the same order, the older rule is first. Default: 100.",
      examples: [100],
    })
    .optional(),
  enabled: flag("Whether the rule is evaluated. Default: `true`.").optional(),
  ...conditions,
  stop: flag("Whether later rules are skipped for an alert that this rule applies to.").optional(),
  only_unmatched: flag(
    "Whether the rule applies only to alerts that no earlier rule applies to. For example, such a rule with a high `order` notifies critical alerts that no other rule notifies.",
  ).optional(),
  effect: z
    .enum(["notify", "drop"])
    .optional()
    .meta({
      description: "Effect of the rule. `drop`: no notifications are sent. Default: `notify`.",
      examples: ["notify"],
    }),
  notify: notification.optional(),
};

export const alertRuleSettings = z
  .strictObject(settings)
  .meta({ id: "AlertRuleSettings", description: "Settings of a rule: conditions and their effect." });
