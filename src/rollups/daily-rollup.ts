/** What receivers saw of one source on one day, in messages. */
export interface DailyRollup {
  readonly policyDomain: string;
  /** In UTC, as `2026-03-01`. */
  readonly day: string;
  readonly sourceIp: string;
  /** Messages of services that are known by a proved domain, by their names. */
  readonly senders: Readonly<Record<string, number>>;
  readonly messages: number;
  /** What was done with them; `none` has what RFC 9990 calls `pass`, and `other` what no RFC knows. */
  readonly dispositions: Readonly<Record<Disposition, number>>;
  /** What is aligned with the From header; `none` fails DMARC. */
  readonly alignment: Readonly<Record<Alignment, number>>;
  /** Of those where the receiver did otherwise than the policy says. */
  readonly overridden: number;
}

export type Disposition = "none" | "quarantine" | "reject" | "other";
export type Alignment = "both" | "dkim" | "spf" | "none";

/** The service that has sent most of it; undefined: none is known. */
export function mainSender({ senders }: Pick<DailyRollup, "senders">): string | undefined {
  const [first] = Object.entries(senders).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first?.[0];
}
