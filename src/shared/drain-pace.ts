import { type Clock, systemClock } from "./clock.ts";

/** How fast work goes that comes and ends, measured while there is some. */
export interface DrainPace {
  began(amount: number): void;
  ended(amount: number): void;
  /** It is under way no longer, and was not done. */
  dropped(amount: number): void;
  /** How long so much takes by what lately ended, in whole seconds: 1 at least, 60 at most. */
  secondsFor(amount: number): number;
}

/** What ended so long ago, of time in which there was work, counts half. */
const HALF_LIFE_MS = 10_000;
const MAX_SECONDS = 60;

export function createDrainPace(clock: Pick<Clock, "monotonicMs"> = systemClock): DrainPace {
  let underWay = 0;
  /** Both fade together, with the time in which there is work. */
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
      // As long as nothing has ended, what is known is how long nothing has.
      const ms = endedLately > 0 ? (amount * busyMs) / endedLately : busyMs;
      return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(Math.round(ms) / 1000)));
    },
  };
}
