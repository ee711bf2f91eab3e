import { z } from "zod";
import { text } from "./text-field.ts";

/** What events of Deliverability Intel say. */

const moment = (description: string, example: string) =>
  z.string().meta({ description, format: "date-time", examples: [example] });

/** What all events say of a domain that is watched. */
export const ofWatch = {
  workspace_id: text("The workspace.", "ws_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  client_id: text("The client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  domain_id: text("The domain.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  domain: text("Its name, in A-labels.", "example.com"),
  text: text("For people.", "example.com was healthy, and is critical."),
};

export const ofFinding = {
  ...ofWatch,
  check_id: text("The check.", "auth.dmarc.policy"),
  severity: text("`info`, `warning` or `critical`.", "critical"),
};

export const ofListing = {
  ...ofWatch,
  list: text("Id of the list.", "spamcop"),
  subject: text("The address, or the domain, that it has an entry of.", "192.0.2.25"),
};

export const ofReport = {
  report_id: text("The report.", "rpt_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  workspace_id: text("The workspace.", "ws_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  scope: z
    .object({
      type: text("`workspace`, `client` or `domain`.", "client"),
      id: text("Its id.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
      name: text("Its name then.", "Nordwind AG"),
    })
    .meta({ id: "EventReportScope", description: "Whose domains it is about." }),
  period_from: moment("The beginning of its period.", "2025-10-23T00:00:00.000Z"),
  period_to: moment("The end.", "2025-11-22T00:00:00.000Z"),
};
