import type { Dependencies } from "../dependencies.ts";

/** Announces that this core runs, so that the store knows the times without any running core. */
export interface AnnounceCore {
  /**
   * Announces the core, unless it has just done so.
   * @returns the time up to which all outages are stored
   */
  announce(): Promise<Date>;
  /** The outage until a core runs again begins now. */
  stop(): Promise<void>;
}

/** Interval of announcements. The store treats a gap of more than 10 seconds as an outage. */
export const ANNOUNCE_MS = 3_000;

export function createAnnounceCore({ store, clock }: Pick<Dependencies, "store" | "clock">): AnnounceCore {
  const { liveness } = store;
  let own: Date | undefined;

  return {
    async announce() {
      const now = clock.now();
      const agoMs = own && now.getTime() - own.getTime();
      if (agoMs !== undefined && agoMs >= 0 && agoMs < ANNOUNCE_MS) return now;
      await liveness.announce(now, own);
      own = now;
      return now;
    },
    stop: () => liveness.announce(clock.now(), own, true),
  };
}
