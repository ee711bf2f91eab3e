/** How those fare to whom something is sent: who has failed last holds a place for long, as a rule. */
export type Fare = "well" | "failing";

/** What may be under way at once to all endpoints together. */
export interface Places {
  /** Resolves once there is a place. @returns what gives it back */
  enter(fare: Fare): Promise<() => void>;
}

/** @param count all in all; endpoints that fail have half of them together, so that others find one at any time */
export function createPlaces(count: number): Places {
  const all = createGate(count);
  const failing = createGate(Math.ceil(count / 2));

  return {
    async enter(fare) {
      const leaveFailing = fare === "failing" ? await failing() : undefined;
      const leave = await all();
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        leave();
        leaveFailing?.();
      };
    },
  };
}

/** In the order of the calls. */
function createGate(count: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let free = count;
  const leave = () => {
    const next = waiting.shift();
    // The place goes over to the next one without becoming free.
    if (next) next();
    else free++;
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  };
}
