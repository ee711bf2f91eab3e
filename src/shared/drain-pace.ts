import { type Clock, systemClock } from "./clock.ts";

/** Rate at which work ends, measured while there is work. */
export interface DrainPace {
  began(amount: number): void;
  ended(amount: number): void;
  /** The work is no longer in progress, and was not done. */
  dropped(amount: number): void;
  /** Estimated time for this amount at the recent rate, in whole seconds, from 1 to 60. */
  secondsFor(amount: number): number;
}

/** Half-life of the measurements, in time with work. */
const HALF_LIFE_MS = 10_000;
const MAX_SECONDS = 60;

export function createDrainPace(clock: Pick<Clock, "monotonicMs"> = systemClock): DrainPace {
  let underWay = 0;
  /** Both decay together, with the time in which there is work. */
  let endedLately = 0;
  let busyMs = 0;
  let lastMs = clock.monotonicMs();

  function advance(): void {
    const nowMs = clock.monotonicMs();
    const passedMs = underWay > 0 ? nowMs - lastMs : 0;
    const left = 0.5 ** (passedMs / HALF_LIFE_MS);
    endedLately *= left;
    busyMs = busyMs * left + passedMs;
    lastMs = nowMs;
  }

  return {
    began: (amount) => {
      advance();
      underWay += amount;
    },
    ended: (amount) => {
      advance();
      underWay -= amount;
      endedLately += amount;
    },
    dropped: (amount) => {
      advance();
      underWay -= amount;
    },
    secondsFor: (amount) => {
      advance();
      // Until some work has ended, the only known time is the time without an end.
      const ms = endedLately > 0 ? (amount * busyMs) / endedLately : busyMs;
      return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(Math.round(ms) / 1000)));
    },
  };
}
