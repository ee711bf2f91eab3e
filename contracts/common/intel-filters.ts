import { z } from "zod";
import { optionalText } from "./text-field.ts";

/** What lists of Deliverability Intel are asked by: in the API for keys, and in that of the dashboard. */

export const clientFilter = {
  search: optionalText("The beginning of a word of the name, in any case; 30 characters count.", "nord"),
  status: z.enum(["active", "archived"]).optional().meta({ description: "Only these." }),
  tag: optionalText("Only clients with this tag.", "retail"),
  external_ref: optionalText("Only the client with this name of your own.", "crm-4711"),
} as const;

export const domainFilter = {
  id: optionalText("The domain with this id.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  name: optionalText("The domain of this name, in Unicode or A-labels.", "example.com"),
  client_id: optionalText("Domains of this client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  status: z
    .enum(["pending", "healthy", "warning", "critical", "error", "paused"])
    .optional()
    .meta({ description: "Only these." }),
  role: z.enum(["sending", "receiving", "parked"]).optional().meta({ description: "Only these." }),
  grade: z.enum(["A", "B", "C", "D", "F"]).optional().meta({ description: "Only these." }),
  finding: optionalText("Domains of which this check fails or warns.", "auth.dmarc.policy"),
  search: optionalText("The beginning of a label of the name, in any case; 30 characters count.", "exam"),
  sort: z.enum(["name", "-score", "last_check_at"]).optional().meta({
    description:
      "`name`; `-score`: the best first, those without a score last; `last_check_at`: those first that were not checked for longest.",
  }),
  include: z
    .preprocess(
      (given) => (typeof given === "string" ? given.split(",") : given),
      z.array(z.enum(["checks", "history"])),
    )
    .optional()
    .meta({ description: "What else each domain has: `checks`, `history`, or both with a comma." }),
} as const;
