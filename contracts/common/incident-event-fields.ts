import { z } from "zod";
import { text } from "./text-field.ts";

/** Fields of every incident event. */
export const ofIncident = {
  incident_id: text("Id of the incident.", "inc_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  rule: text("Name of the alert rule that opened the incident.", "pager"),
  state: text("`open`, `acknowledged` or `resolved`.", "open"),
  severity: text("Highest severity so far: `info`, `warning` or `critical`.", "critical"),
  title: text(
    "Subject of the e-mails about the incident.",
    "[critical] node-exporter: /var is 97 % full (host web-1)",
  ),
  alerts: z.int().meta({ description: "Number of alerts received, including repeats.", examples: [3] }),
  firing: z.int().meta({ description: "Number of active alerts.", examples: [1] }),
  latest_alert_id: text("Id of the alert received last.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  opened_at: z.string().meta({
    description: "Time at which the incident was opened.",
    format: "date-time",
    examples: ["2025-11-22T09:30:00.123Z"],
  }),
  detail: text("User, rule or other cause of the change.", "ada@example.com"),
};
