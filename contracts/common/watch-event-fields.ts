import { z } from "zod";
import { text } from "./text-field.ts";

/** Fields of the events of Deliverability Intel. */

const moment = (description: string, example: string) =>
  z.string().meta({ description, format: "date-time", examples: [example] });

/** Fields of every event of a watched domain. */
export const ofWatch = {
  workspace_id: text("Id of the workspace.", "ws_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  client_id: text("Id of the client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  domain_id: text("Id of the domain.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  domain: text("Name of the domain, in A-labels.", "example.com"),
  text: text(
    "Description of the event, for people.",
    "The status of example.com changed from healthy to critical.",
  ),
};

export const ofFinding = {
  ...ofWatch,
  check_id: text("Id of the check.", "auth.dmarc.policy"),
  severity: text("Severity: `info`, `warning` or `critical`.", "critical"),
};

export const ofListing = {
  ...ofWatch,
  list: text("Id of the blacklist.", "spamcop"),
  subject: text("Listed IP address or domain.", "192.0.2.25"),
};

export const ofReport = {
  report_id: text("Id of the report.", "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  workspace_id: text("Id of the workspace.", "ws_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  scope: z
    .object({
      type: text("Type of the subject: `workspace`, `client` or `domain`.", "client"),
      id: text("Id of the subject.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
      name: text("Name of the subject at that time.", "Nordwind AG"),
    })
    .meta({ id: "EventReportScope", description: "Subject of the report. The report covers its domains." }),
  period_from: moment("Beginning of the period.", "2025-10-23T00:00:00.000Z"),
  period_to: moment("End of the period.", "2025-11-22T00:00:00.000Z"),
};
