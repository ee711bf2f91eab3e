/** A session ends after this time without use. */
const IDLE_MS = 12 * 60 * 60_000;
/** A session ends after this time, used or not. */
const LIFE_MS = 14 * 24 * 60 * 60_000;
/** A session that waits for its second factor ends after this time. */
const PENDING_MS = 10 * 60_000;
/** Dangerous operations require a factor that was shown within this time. */
const RECENT_MS = 10 * 60_000;

export function absoluteEnd(begun: Date): Date {
  return new Date(begun.getTime() + LIFE_MS);
}

export function pendingEnd(begun: Date): Date {
  return new Date(begun.getTime() + PENDING_MS);
}

export function idleEnd(used: Date, endsAt: Date): Date {
  return new Date(Math.min(used.getTime() + IDLE_MS, endsAt.getTime()));
}

export function isRecent(authenticatedAt: Date, now: Date): boolean {
  return now.getTime() - authenticatedAt.getTime() < RECENT_MS;
}
