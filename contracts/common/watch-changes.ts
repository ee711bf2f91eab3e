import { z } from "zod";
import { moment } from "./intel-fields.ts";
import { clientId, domainId } from "./intel-schemas.ts";
import { text } from "./text-field.ts";

/** Changes of watched domains, and domains that could be watched, in the dashboard API. */

export const watchChange = z
  .object({
    id: text("Id of the change.", "wch_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    at: moment("Time of the change."),
    kind: text(
      "`watched_domain.status_changed`, `finding.opened`, `finding.resolved`, `blacklist.listed` or `blacklist.delisted`.",
      "finding.opened",
    ),
    domain_id: domainId,
    client_id: clientId,
    domain: text("Domain in A-labels.", "example.com"),
    check_id: text("Id of the check. The documentation has the catalog.", "auth.dmarc.policy")
      .nullable()
      .meta({ description: "Id of the check. `null` if the change is about the whole domain." }),
    severity: text("`critical`, `warning` or `info`. `null` if there is none.", "warning").nullable(),
    from: text("Previous status. `null` if the change is not about the status.", "healthy").nullable(),
    to: text("New status. `null` if the change is not about the status.", "warning").nullable(),
    list: text("Id of the blacklist. `null` if the change is not about one.", "spamcop").nullable(),
    subject: text(
      "Listed address or domain. `null` if the change is not about a blacklist.",
      "192.0.2.25",
    ).nullable(),
    text: text("The change in a sentence."),
  })
  .meta({ id: "WatchChange", description: "A change of a watched domain." });

export const watchOffer = z
  .object({
    name: text("Domain in A-labels.", "xn--bcher-kva.example"),
    name_unicode: text("Domain in Unicode.", "bücher.example"),
    status: text("Status of the sending domain, as in `GET /api/domains`.", "verified"),
  })
  .meta({ id: "WatchOffer", description: "A sending domain of the account that is not watched yet." });
