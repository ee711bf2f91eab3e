import { z } from "zod";
import { optionalText } from "./text-field.ts";

/** Filters of the lists of Deliverability Intel, shared by the public API and the dashboard API. */

export const clientFilter = {
  search: optionalText(
    "Beginning of a word of the name, in any letter case. Only the first 30 characters count.",
    "nord",
  ),
  status: z
    .enum(["active", "archived"])
    .optional()
    .meta({ description: "Selects clients with this status." }),
  tag: optionalText("Selects clients with this tag.", "retail"),
  external_ref: optionalText("Selects the client with this reference.", "crm-4711"),
} as const;

export const domainFilter = {
  id: optionalText("Selects the domain with this id.", "dom_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  name: optionalText("Selects the domain with this name, in Unicode or A-labels.", "example.com"),
  client_id: optionalText("Selects domains of this client.", "cl_01k9z4c3r8h2v6y0n5t7w1x3q9"),
  status: z
    .enum(["pending", "healthy", "warning", "critical", "error", "paused"])
    .optional()
    .meta({ description: "Selects domains with this status." }),
  role: z
    .enum(["sending", "receiving", "parked"])
    .optional()
    .meta({ description: "Selects domains with this role." }),
  grade: z
    .enum(["A", "B", "C", "D", "F"])
    .optional()
    .meta({ description: "Selects domains with this grade." }),
  finding: optionalText(
    "Selects domains for which the check with this id fails or warns.",
    "auth.dmarc.policy",
  ),
  search: optionalText(
    "Beginning of a label of the name, in any letter case. Only the first 30 characters count.",
    "exam",
  ),
  tag: optionalText("Selects domains with this tag.", "shop"),
  sort: z.enum(["name", "-score", "last_check_at"]).optional().meta({
    description:
      "Order: `name`; `-score`: highest score first, domains without a score last; `last_check_at`: longest time since the last check first.",
  }),
  include: z
    .preprocess(
      (given) => (typeof given === "string" ? given.split(",") : given),
      z.array(z.enum(["checks", "history"])),
    )
    .optional()
    .meta({
      description: "Additional data for each domain: `checks`, `history`, or both separated by a comma.",
    }),
} as const;

export const blacklistFilter = {
  ip: optionalText("Selects this address.", "192.0.2.25"),
  domain: optionalText("Selects this domain.", "example.com"),
  domain_id: optionalText(
    "Selects entries that concern the domain with this id.",
    "dom_01k9z4c3r8h2v6y0n5t7w1x3q9",
  ),
  client_id: optionalText(
    "Selects entries that concern domains of this client.",
    "cl_01k9z4c3r8h2v6y0n5t7w1x3q9",
  ),
  list: optionalText("Selects the blacklist with this id.", "spamcop"),
  state: z
    .enum(["listed", "clean", "refused", "error", "unreliable", "pending", "not_configured"])
    .optional()
    .meta({ description: "Selects entries with this state." }),
} as const;
