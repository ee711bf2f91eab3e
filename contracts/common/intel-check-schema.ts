import { z } from "zod";
import { count, moment } from "./intel-fields.ts";
import { text } from "./text-field.ts";

const evidence = z
  .object({
    name: text("What was asked for.", "_dmarc.example.com"),
    type: text("Of the record; `SMTP`, `HTTPS` and `RDAP` for what else was asked.", "TXT"),
    rcode: text("`NOERROR`, `NXDOMAIN`, or `ERROR`: there was no answer.", "NOERROR"),
    data: z
      .array(z.string())
      .meta({ description: "The records, as zone files have them.", examples: [['"v=DMARC1; p=reject"']] }),
    ttl: z.int().nullable().meta({ description: "For how many seconds it holds; null: nothing says so." }),
    authenticated: z.boolean().nullable().meta({
      description: "Whether the resolver has validated it by DNSSEC; null: it has no signature to validate.",
    }),
    server: text("Who has answered; null: the configured resolvers, one of them.", "192.0.2.53").nullable(),
    reason: text("Why there is no answer; null: there is one.").nullable(),
    at: moment("When."),
  })
  .meta({ id: "CheckEvidence", description: "One answer that a result rests on." });

const fix = z
  .object({
    text: text("What to do."),
    record: z
      .object({
        name: text("Its name.", "_dmarc.example.com"),
        type: text("Its type.", "TXT"),
        value: text("The whole value.", "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"),
        zone_file: text("The same as a line of a zone file."),
      })
      .nullable()
      .meta({ description: "What to publish, as it stands; null: no record helps." }),
  })
  .meta({ id: "CheckFix", description: "How to mend it." });

export const check = z
  .object({
    id: text("Names the check: see the catalogue in the documentation.", "auth.dmarc.policy"),
    category: text("`auth`, `transport`, `infra` or `reputation`.", "auth"),
    status: text(
      "`pass`, `warn`, `fail`; `error`: it could not be measured now, and nothing is known to be missing; `not_tested`: there is nothing to measure, or it is not known where.",
      "warn",
    ),
    severity: text("`critical`, `warning` or `info`; null: there is no finding.", "warning").nullable(),
    weight: count("Points that it can give."),
    points: z
      .number()
      .nullable()
      .meta({ description: "Points that it gives; null: it does not count.", examples: [5] }),
    counts_as: text(
      "How the score counts it: `pass`, `warn`, `fail`; `blocked`: the check that it needs has failed; `over_budget`: the lookups of the check run were used up, so it gives no points; `unmeasured`: it does not count.",
      "warn",
    ),
    title: text("What it is about.", "DMARC asks for quarantine or rejection"),
    observed: text("What was found."),
    expected: text("What ought to be there."),
    evidence: z.array(evidence).meta({ description: "The answers that it rests on." }),
    fix: fix
      .nullable()
      .meta({ description: "How to mend it; null: there is nothing to mend, or nothing to say." }),
    reference: text("Where it is written.", "RFC 9989 section 4.7"),
    since: moment("Since when its status is what it is."),
    checked_at: moment("When it was looked at last."),
    measured_at: moment(
      "When it was measured last; null: never. In an error what was measured then counts for 48 hours.",
    ).nullable(),
    previous_status: text("What it was before; null: nothing.", "fail").nullable(),
    unconfirmed_status: text(
      "What the last look has seen, which a second one has to confirm; null: nothing else than `status`.",
    ).nullable(),
    muted_until: moment("Until then it counts for no finding; null: it is not muted.").nullable(),
  })
  .meta({ id: "Check", description: "What became of one check of a domain." });
