import { LATE, unlessLate } from "../shared/unless-late.ts";

/** A probe with a longer timeout than its caller learns nothing. */
const CHECK_TIMEOUT_MS = 2_000;

/** Dependencies of this process, each with a check that rejects while it is unavailable. */
export type Checks = Readonly<Record<string, () => Promise<void>>>;

export async function readiness(checks: Checks) {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => {
      try {
        await withinTime(check());
        return [name, "ok"];
      } catch (error) {
        return [name, error instanceof Error ? error.message : String(error)];
      }
    }),
  );
  return { ready: results.every(([, state]) => state === "ok"), checks: Object.fromEntries(results) };
}

/** @throws Error when there is no answer in time */
export async function withinTime<T>(check: Promise<T>): Promise<T> {
  const result = await unlessLate(CHECK_TIMEOUT_MS, check);
  if (result === LATE) throw new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`);
  return result;
}
