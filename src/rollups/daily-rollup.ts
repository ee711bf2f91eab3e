/** Numbers of messages that receivers saw from one source on one day. */
export interface DailyRollup {
  readonly policyDomain: string;
  /** Day in UTC, such as `2026-03-01`. */
  readonly day: string;
  readonly sourceIp: string;
  /** Messages of services identified by an authenticated domain, by name of the service. */
  readonly senders: Readonly<Record<string, number>>;
  readonly messages: number;
  /** Messages by disposition. `none` includes `pass` of RFC 9990; `other` stands for a disposition that no RFC defines. */
  readonly dispositions: Readonly<Record<Disposition, number>>;
  /** Messages by alignment with the From field. `none` fails DMARC. */
  readonly alignment: Readonly<Record<Alignment, number>>;
  /** Messages that the receiver handled differently from the policy. */
  readonly overridden: number;
}

export type Disposition = "none" | "quarantine" | "reject" | "other";
export type Alignment = "both" | "dkim" | "spf" | "none";

/** Service with the most messages; undefined if none is known. */
export function mainSender({ senders }: Pick<DailyRollup, "senders">): string | undefined {
  const [first] = Object.entries(senders).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first?.[0];
}
