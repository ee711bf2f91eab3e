import type { CheckId } from "../catalogue.ts";
import type { Outcome } from "./outcomes.ts";

/** The most that a score can be, and why: a fault so grave that nothing else makes up for it. */
export interface Cap {
  readonly id: string;
  readonly limit: number;
  readonly reason: string;
}

/** How checks stand. `fails`: the check itself has failed. `isLost`: it, or one that it needs. */
interface Standing {
  fails(id: CheckId): boolean;
  isLost(id: CheckId): boolean;
}

interface CapRule extends Cap {
  readonly applies: (standing: Standing) => boolean;
}

/**
 * The caps of score model 1, the lowest first. Where a record can be so bad that it is capped, none at all is capped as low
 * (`isLost`): else to delete it would raise the score, and to publish one would lower it. Policies and signatures that lose mail are the
 * exception: without them mail arrives again, and so the score does rise. For them a failure has to mean a loss:
 * `transport.mta_sts.mx` and `transport.dane` warn of what loses none, and `infra.dnssec` of a zone without signatures.
 */
export const caps: readonly CapRule[] = [
  {
    id: "dnssec_bogus",
    limit: 29,
    reason: "The zone's DNSSEC signatures are not valid: for whoever validates, the domain does not exist.",
    applies: ({ fails }) => fails("infra.dnssec"),
  },
  {
    id: "unauthenticated",
    limit: 39,
    reason: "Receivers can use neither SPF nor DKIM: nothing tells the domain's mail from a forgery.",
    applies: ({ isLost }) =>
      isLost("auth.dkim.key") && ["auth.spf.syntax", "auth.spf.lookups"].some((id) => isLost(id as CheckId)),
  },
  {
    id: "listed",
    limit: 39,
    reason: "Spamhaus lists the domain or an address that it sends from: most receivers refuse its mail.",
    applies: ({ fails }) => fails("bl.spamhaus_zen") || fails("bl.spamhaus_dbl"),
  },
  {
    id: "unaligned",
    limit: 49,
    reason: "The domain's own mail is not aligned with it: neither SPF nor DKIM speaks for it.",
    applies: ({ fails }) => fails("auth.dmarc.alignment"),
  },
  {
    id: "spf_open",
    limit: 59,
    reason: "SPF keeps nobody out: it lets everybody send, or there is no record that receivers use.",
    applies: ({ isLost }) => isLost("auth.spf.all"),
  },
  {
    id: "mail_loss",
    limit: 59,
    reason: "A published policy (MTA-STS or DANE) makes senders keep mail back from a mail server.",
    applies: ({ fails }) => fails("transport.mta_sts.mx") || fails("transport.dane"),
  },
  {
    id: "no_dmarc",
    limit: 69,
    reason: "There is no DMARC record that receivers use.",
    applies: ({ isLost }) => isLost("auth.dmarc.valid"),
  },
];

/** The caps that apply. */
export function capsOf(outcomes: readonly Outcome[]): Cap[] {
  const kinds = new Map(outcomes.map(({ id, kind }) => [id, kind]));
  const fails = (id: CheckId) => kinds.get(id) === "fail";
  const isLost = (id: CheckId) => fails(id) || kinds.get(id) === "blocked";
  return caps
    .filter(({ applies }) => applies({ fails, isLost }))
    .map(({ id, limit, reason }) => ({ id, limit, reason }));
}
