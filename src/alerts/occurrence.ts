const DAY_MS = 86_400_000;

/** Older times are taken for mistakes. */
const MAX_AGE_MS = 365 * DAY_MS;

/** A resolution is remembered for so long: an older alert that arrives later does not open an incident. */
export const REMEMBERED_MS = DAY_MS;

/** The last word on an alert: its source has resolved it. */
export interface AlertEnd {
  /** `account.fingerprint`. */
  readonly _id: string;
  readonly accountId: string;
  readonly fingerprint: string;
  /** Time of the resolution by its source; missing: its source gave none, or the alert is active again. */
  readonly occurredAt?: Date;
  readonly expireAt: Date;
}

export const alertEndId = (accountId: string, fingerprint: string) => `${accountId}.${fingerprint}`;

/** The time that a source gives, not after the arrival; undefined: it gives none, or one of more than a year ago. */
export function occurrenceOf(occurredAt: Date | undefined, arrivedAt: Date): Date | undefined {
  if (!occurredAt || occurredAt.getTime() < arrivedAt.getTime() - MAX_AGE_MS) return undefined;
  return occurredAt > arrivedAt ? arrivedAt : occurredAt;
}

/**
 * Whether an alert occurred before the last one about the same thing. Times of sources are compared with each other alone: an alert
 * without one counts by its arrival, and so does one with the same time.
 */
export function isOutdated(occurredAt: Date | undefined, last: Date | undefined): boolean {
  return occurredAt !== undefined && last !== undefined && occurredAt < last;
}
