import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { auditActor } from "./audit-actor.ts";
import { text } from "./text-field.ts";

/** Schemas of the versions of settings. */

export const versionNumber = z
  .string()
  .max(20)
  .meta({ description: "Number of the version.", examples: ["3"] });

/** Query of a comparison. */
export const differenceQuery = z.strictObject({
  before: versionNumber
    .optional()
    .meta({ description: "Number of the earlier version. Default: the one before `after`." }),
  after: versionNumber
    .optional()
    .meta({ description: "Number of the later version. Default: the present one." }),
});

/** Version in the body of a restoration. */
export const restoredVersion = z
  .int()
  .min(1)
  .max(999_999_999)
  .meta({ description: "Number of the version.", examples: [3] });

export const settingVersion = z
  .object({
    version: z.int().meta({
      description: "Number of the version, from 1. Each change stores the next one.",
      examples: [3],
    }),
    revision: text("Revision of the setting in this version.", "rev_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    stored_at: moment("Time when the version was stored."),
    author: auditActor
      .optional()
      .meta({ description: "Actor that stored the version. Missing if an earlier release stored it." }),
    restored_version: z.int().meta({
      description: "Earlier version that this version restored. 0 if it restored none.",
      examples: [0],
    }),
    current: z.boolean().meta({ description: "Whether the version is the present state." }),
  })
  .meta({ id: "SettingVersion", description: "A stored state of a setting, without its content." });

const change = z
  .object({
    field: text(
      "Path of the field, in the later version. For a removed part: in the earlier version.",
      "transports.0.smtp.tls",
    ),
    before: text(
      "Previous value as JSON. Missing if the field did not exist or is secret.",
      '"required"',
    ).optional(),
    after: text(
      "New value as JSON. Missing if the field no longer exists or is secret.",
      '"implicit"',
    ).optional(),
    secret: z.boolean().meta({ description: "Whether the field is secret. Its values are never shown." }),
  })
  .meta({ id: "SettingChange", description: "A field that differs between two versions." });

export const settingDifference = z
  .object({
    before: z.int().meta({ description: "Number of the earlier version.", examples: [2] }),
    after: z.int().meta({ description: "Number of the later version.", examples: [3] }),
    changes: z.array(change).meta({
      description:
        "Fields that differ. A list of plain values is one field. An added or removed entry of another list is one field, too.",
    }),
  })
  .meta({ id: "SettingDifference", description: "Differences between two versions of a setting." });
