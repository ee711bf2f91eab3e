// A correct record counts as missing after the zone's own servers have denied it twice: resolver errors, lagging name
// servers and flapping zones must not stop mail.

import { hash } from "node:crypto";
import type { DomainDocument, DomainStatus } from "../store/domain-document.ts";
import { CONFIRM_MS } from "./evidence.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Intervals while the owner sets the domain up. After a month a completed setup is unlikely. */
const SETTING_UP: readonly (readonly [ageMs: number, everyMs: number])[] = [
  [HOUR_MS, 2 * MINUTE_MS],
  [DAY_MS, 10 * MINUTE_MS],
  [7 * DAY_MS, HOUR_MS],
  [30 * DAY_MS, 6 * HOUR_MS],
  [Number.POSITIVE_INFINITY, DAY_MS],
];
/** Delay after an inconclusive check. Each further one triples it. */
const FIRST_RETRY_MS = 5 * MINUTE_MS;
/** Delay of the confirmation check of a possible loss. */
const CONFIRMATION_MS = CONFIRM_MS + MINUTE_MS;

/** Facts that determine the time of the next check. */
export type CheckFacts = Pick<DomainDocument, "_id" | "createdAt" | "statusSince" | "failures" | "records">;

/** Time of the next scheduled check. Domains that were added at the same time are spread. */
export function nextCheckAt(domain: CheckFacts, status: DomainStatus, now: Date): Date {
  const periodMs = periodOf(domain, status, now);
  const { failures } = domain;
  const retryMs = failures > 0 ? FIRST_RETRY_MS * 3 ** Math.min(failures - 1, 10) : Number.POSITIVE_INFINITY;
  const isDoubtful = domain.records.some(
    ({ rightAt, against }) => rightAt && against && !against.confirmedAt,
  );
  const doubtMs = isDoubtful ? CONFIRMATION_MS : Number.POSITIVE_INFINITY;
  const waitMs = Math.min(periodMs, retryMs) * spread(domain._id);
  return new Date(now.getTime() + Math.min(waitMs, doubtMs));
}

function periodOf({ createdAt, statusSince }: CheckFacts, status: DomainStatus, now: Date): number {
  if (status === "verified") return DAY_MS;
  if (status === "degraded") return HOUR_MS;
  const ageMs = now.getTime() - (status === "failed" ? statusSince : createdAt).getTime();
  const row = SETTING_UP.find(([untilMs]) => ageMs < untilMs);
  const everyMs = row?.[1] ?? DAY_MS;
  return status === "failed" ? Math.max(everyMs, HOUR_MS) : everyMs;
}

/** A factor of 0.9 to 1.1, constant for the same domain. */
function spread(id: string): number {
  return 0.9 + (0.2 * Number.parseInt(hash("sha256", id).slice(0, 8), 16)) / 0xffff_ffff;
}
