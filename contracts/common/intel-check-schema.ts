import { z } from "zod";
import { count, moment } from "./intel-fields.ts";
import { text } from "./text-field.ts";
import { partsOf } from "./text-part.ts";

const evidence = z
  .object({
    name: text("Name that was queried.", "_dmarc.example.com"),
    type: text("Record type, or `SMTP`, `HTTPS` or `RDAP` for a query of that protocol.", "TXT"),
    rcode: text("Response code: `NOERROR`, `NXDOMAIN`, or `ERROR` if there was no answer.", "NOERROR"),
    data: z
      .array(z.string())
      .meta({ description: "Records, in zone file format.", examples: [['"v=DMARC1; p=reject"']] }),
    ttl: z.int().nullable().meta({ description: "Time to live, in seconds; `null` if unknown." }),
    authenticated: z.boolean().nullable().meta({
      description:
        "`true` if the resolver validated the answer with DNSSEC; `null` if the answer has no signature to validate.",
    }),
    server: text(
      "Server that answered; `null` if it was one of the configured resolvers.",
      "192.0.2.53",
    ).nullable(),
    reason: text("Reason why there is no answer; `null` if there is one.").nullable(),
    at: moment("Time of the answer."),
  })
  .meta({ id: "CheckEvidence", description: "Answer that a result is based on." });

export const fix = z
  .object({
    text: text("Instructions."),
    text_parts: partsOf("text"),
    record: z
      .object({
        name: text("Name of the record.", "_dmarc.example.com"),
        type: text("Type of the record.", "TXT"),
        value: text("Complete value.", "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"),
        zone_file: text("Record as a line of a zone file."),
      })
      .nullable()
      .meta({ description: "Record to publish unchanged; `null` if no record solves the problem." }),
  })
  .meta({ id: "CheckFix", description: "Fix for a finding." });

export const check = z
  .object({
    id: text("Id of the check. The documentation lists all checks.", "auth.dmarc.policy"),
    category: text("Category: `auth`, `transport`, `infra` or `reputation`.", "auth"),
    status: text(
      "Status: `pass`, `warn` or `fail`; `error`: the measurement failed, which does not mean that something is missing; `not_tested`: there is nothing to measure, or it is not known where to measure.",
      "warn",
    ),
    severity: text(
      "Severity of the finding: `critical`, `warning` or `info`; `null` if there is no finding.",
      "warning",
    ).nullable(),
    weight: count("Maximum points of the check."),
    points: z
      .number()
      .nullable()
      .meta({ description: "Points of the check; `null` if it does not count.", examples: [5] }),
    counts_as: text(
      "Effect on the score: `pass`, `warn` or `fail`; `blocked`: a check that it depends on failed; `over_budget`: the check run had no lookups left, so the check gets no points; `unmeasured`: the check does not count.",
      "warn",
    ),
    title: text("Requirement that the check verifies.", "DMARC asks for quarantine or rejection"),
    observed: text("Observed state."),
    observed_parts: partsOf("observed"),
    expected: text("Expected state."),
    expected_parts: partsOf("expected"),
    evidence: z.array(evidence).meta({ description: "Answers that the result is based on." }),
    fix: fix.nullable().meta({ description: "Fix; `null` if there is nothing to fix, or no known fix." }),
    reference: text("Source of the requirement.", "RFC 9989 section 4.7"),
    since: moment("Time of the last change of status."),
    checked_at: moment("Time of the last check."),
    measured_at: moment(
      "Time of the last successful measurement; `null` if there was none. If the status is `error`, that measurement counts for 48 hours.",
    ).nullable(),
    previous_status: text("Previous status; `null` if there is none.", "fail").nullable(),
    unconfirmed_status: text(
      "Status seen by the last check, which a second check has to confirm; `null` if it equals `status`.",
    ).nullable(),
    muted_until: moment(
      "Time until which the check is muted and counts as no finding; `null` if it is not muted.",
    ).nullable(),
  })
  .meta({ id: "Check", description: "Result of one check of a domain." });
