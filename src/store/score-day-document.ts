import type { DomainTally } from "./intel-documents.ts";

/**
 * Sums of a workspace or client at the end of a day, in `scoreDays`: by its id and the day in UTC. A day without
 * changes has none: the sums are those of the day before.
 */
export interface ScoreDayDocument {
  readonly _id: string;
  readonly accountId: string;
  readonly tally: DomainTally;
  /** Model of the last check of the day. Missing: the day had none. */
  readonly scoreModel?: string;
  readonly expireAt: Date;
}

/** @param scopeId workspace or client @param day in UTC, such as `2026-03-01` */
export function scoreDayId(scopeId: string, day: string): string {
  return `${scopeId}.${day}`;
}
