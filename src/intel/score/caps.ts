// The caps for critical findings and warnings tie the grade to the status, so that no list shows `critical` with an A.

import type { CheckId } from "../catalogue.ts";
import { type Severity, severityOf } from "../severity.ts";
import type { Outcome } from "./outcomes.ts";

/** A score limit and its reason: a problem so severe that no other result compensates for it. */
export interface Cap {
  readonly id: string;
  readonly limit: number;
  readonly reason: string;
}

/** States of checks. `fails`: the check itself has failed. `isLost`: the check, or one that it needs, has failed. */
interface Standing {
  fails(...ids: readonly CheckId[]): boolean;
  isLost(...ids: readonly CheckId[]): boolean;
  has(severity: Severity): boolean;
}

interface CapRule extends Cap {
  readonly applies: (standing: Standing) => boolean;
}

/** Receivers ignore a record with one of these faults. */
const SPF_USE = ["auth.spf.syntax", "auth.spf.lookups", "auth.spf.voids"] as const;
const CERTIFICATES = ["transport.cert_trust", "transport.cert_name", "transport.cert_expiry"] as const;

/**
 * The caps of score model 2, the lowest first. The last two keep status and grade consistent: `critical` allows at
 * most grade D, and `warning` at most B. If a bad record is capped, a missing record has the same cap (`isLost`):
 * otherwise deletion of the record would raise the score, and publication would lower it. Policies and signatures
 * that lose mail are the exception: without them mail arrives again, so the score rises. For them a failure has to
 * mean lost mail: `transport.mta_sts.mx`, `transport.dane` and the certificate checks only warn if no mail is lost,
 * as does `infra.dnssec` for an unsigned zone.
 */
export const caps: readonly CapRule[] = [
  {
    id: "dnssec_bogus",
    limit: 29,
    reason:
      "The zone's DNSSEC signatures are invalid, so the domain does not exist for validating resolvers.",
    applies: ({ fails }) => fails("infra.dnssec"),
  },
  {
    id: "unauthenticated",
    limit: 39,
    reason:
      "Receivers can use neither SPF nor DKIM, so they cannot distinguish the domain's mail from a forgery.",
    applies: ({ isLost }) => isLost("auth.dkim.strength") && isLost(...SPF_USE, "auth.spf.senders"),
  },
  {
    id: "listed",
    limit: 39,
    reason: "Spamhaus lists the domain or one of its sending addresses, so most receivers reject its mail.",
    applies: ({ fails }) => fails("bl.spamhaus_zen", "bl.spamhaus_dbl"),
  },
  {
    id: "unaligned",
    limit: 49,
    reason: "The domain's own mail is not aligned: it passes neither SPF nor DKIM for the domain.",
    applies: ({ fails }) => fails("auth.dmarc.alignment"),
  },
  {
    id: "spf_open",
    limit: 59,
    reason: "SPF does not restrict senders: it allows all of them, or receivers use no record.",
    applies: ({ isLost }) => isLost("auth.spf.all", ...SPF_USE),
  },
  {
    id: "spf_refuses",
    limit: 59,
    reason: "SPF fails for a sending address of the domain, so receivers reject its mail.",
    applies: ({ isLost }) => isLost("auth.spf.senders"),
  },
  {
    id: "mail_loss",
    limit: 59,
    reason: "A published policy (MTA-STS or DANE) makes senders hold mail for a mail server.",
    applies: ({ fails }) => fails("transport.mta_sts.mx", "transport.dane", ...CERTIFICATES),
  },
  {
    id: "no_mail_server",
    limit: 59,
    reason: "No mail server of the domain answers, so mail to it is lost.",
    applies: ({ isLost }) => isLost("infra.mx.answers"),
  },
  {
    id: "no_starttls",
    limit: 59,
    reason:
      "STARTTLS does not work with a mail server, so mail to the domain arrives in plain text or not at all.",
    applies: ({ isLost }) => isLost("transport.starttls"),
  },
  {
    id: "no_dmarc",
    limit: 69,
    reason: "There is no DMARC record that receivers use.",
    applies: ({ isLost }) => isLost("auth.dmarc.valid"),
  },
  {
    id: "critical_finding",
    limit: 69,
    reason: "A finding is critical: mail is lost or rejected, or others can send in the domain's name.",
    applies: ({ has }) => has("critical"),
  },
  {
    id: "warning_finding",
    limit: 89,
    reason: "A finding is a warning: it reduces trust, or will become critical.",
    applies: ({ has }) => has("warning"),
  },
];

/** The caps that apply. */
export function capsOf(outcomes: readonly Outcome[]): Cap[] {
  const kinds = new Map(outcomes.map(({ id, kind }) => [id, kind]));
  const severities = new Set(outcomes.map(severityOf));
  const fails = (...ids: readonly CheckId[]) => ids.some((id) => kinds.get(id) === "fail");
  const isLost = (...ids: readonly CheckId[]) =>
    fails(...ids) || ids.some((id) => kinds.get(id) === "blocked");
  const has = (severity: Severity) => severities.has(severity);
  return caps
    .filter(({ applies }) => applies({ fails, isLost, has }))
    .map(({ id, limit, reason }) => ({ id, limit, reason }));
}
