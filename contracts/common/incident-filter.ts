import { z } from "zod";
import { alertSeverity } from "./alert-schemas.ts";

const moment = (description: string) =>
  z.string().meta({ description, format: "date-time", examples: ["2026-11-22T09:30:00.000Z"] });

/** A query parameter with one value, or several values as `name=a&name=b`. */
const several = <T extends z.ZodType>(value: T) =>
  z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(value));

const states = ["open", "acknowledged", "resolved"] as const;

/** Query parameters that filter incidents. An incident must match all of them. */
export const incidentFilter = {
  state: several(z.enum(states))
    .optional()
    .meta({ description: "States. The incident must be in one of them." }),
  severity: several(alertSeverity)
    .optional()
    .meta({ description: "Highest severities. The incident must have one of them." }),
  rule: z.string().optional().meta({ description: "Name of the rule that opened the incident." }),
  text: z
    .string()
    .optional()
    .meta({
      description:
        "Part of the title, or of the message, source, event type or entity of the latest alert. Not case-sensitive.",
      examples: ["disk"],
    }),
  from: moment("Earliest time of opening, inclusive.").optional(),
  until: moment("Latest time of opening, exclusive.").optional(),
  assignee: z
    .string()
    .optional()
    .meta({
      description: "User id of the assignee, or `none` for incidents without one.",
      examples: ["usr_01k9z4c3r8h2v6y0n5t7w1x3q9"],
    }),
};

/** Query parameters that filter alerts. An alert must match all of them. */
export const alertFilter = {
  severity: several(alertSeverity)
    .optional()
    .meta({ description: "Severities. The alert must have one of them." }),
  source: z
    .string()
    .optional()
    .meta({ description: "Source of the alert.", examples: ["node-exporter"] }),
  rule: z.string().optional().meta({ description: "Name of a rule that matched the alert." }),
  outcome: several(z.enum(["routed", "suppressed", "unmatched"]))
    .optional()
    .meta({
      description:
        "Results of the rules on arrival. The alert must have one of them. `unmatched`: no rule matched the alert.",
    }),
  text: z
    .string()
    .optional()
    .meta({
      description: "Part of the message, source, event type or entity. Not case-sensitive.",
      examples: ["disk"],
    }),
  from: moment("Earliest time of arrival, inclusive.").optional(),
  until: moment("Latest time of arrival, exclusive.").optional(),
  incident_id: z.string().optional().meta({ description: "Id of the incident that the alert belongs to." }),
};
