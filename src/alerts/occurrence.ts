const DAY_MS = 86_400_000;

/** Older times are treated as errors. */
const MAX_AGE_MS = 365 * DAY_MS;

/** Retention of a resolution: an older alert that arrives later does not open an incident. */
export const REMEMBERED_MS = DAY_MS;

/** Last resolution of an alert by its source. */
export interface AlertEnd {
  /** Id: `account.fingerprint`. */
  readonly _id: string;
  readonly accountId: string;
  readonly fingerprint: string;
  /** Time of the resolution at the source; missing if the source gave none, or if the alert is active again. */
  readonly occurredAt?: Date;
  readonly expireAt: Date;
}

export const alertEndId = (accountId: string, fingerprint: string) => `${accountId}.${fingerprint}`;

/** Time given by a source, at most the time of arrival; undefined if it is missing or more than a year ago. */
export function occurrenceOf(occurredAt: Date | undefined, arrivedAt: Date): Date | undefined {
  if (!occurredAt || occurredAt.getTime() < arrivedAt.getTime() - MAX_AGE_MS) return undefined;
  return occurredAt > arrivedAt ? arrivedAt : occurredAt;
}

/**
 * Whether an alert occurred before the last one with the same fingerprint. Only times of sources are compared. Without such a
 * time, or with equal times, the later arrival counts.
 */
export function isOutdated(occurredAt: Date | undefined, last: Date | undefined): boolean {
  return occurredAt !== undefined && last !== undefined && occurredAt < last;
}
