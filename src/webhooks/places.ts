/** State of an endpoint. A failing one holds its places for long, as a rule. */
export type Fare = "well" | "failing";

export interface Entrant {
  readonly accountId: string;
  readonly fare: Fare;
}

/** Bounds the requests to all endpoints together. */
export interface Places {
  /** Resolves once there is a place for it. @returns a function that gives the place back */
  enter(entrant: Entrant): Promise<() => void>;
}

export interface PlacesLimits {
  readonly all: number;
  /** Of all endpoints that fail together: others find a place at any time. */
  readonly failing: number;
  /** Of one account, however many of its endpoints hang. */
  readonly perAccount: number;
}

interface Waiting {
  readonly fare: Fare;
  readonly begin: () => void;
}

/** Gives places to accounts in turn: one with many entrants that wait delays no other. */
export function createPlaces(limits: PlacesLimits): Places {
  /** Of the accounts that have any. */
  const held = new Map<string, number>();
  /** Accounts whose entrants wait, in their turn. The lists are in the order of the calls and never empty. */
  const queues = new Map<string, Waiting[]>();
  let all = 0;
  let failing = 0;

  function isRoomFor({ accountId, fare }: Entrant): boolean {
    if (all >= limits.all || (held.get(accountId) ?? 0) >= limits.perAccount) return false;
    return fare === "well" || failing < limits.failing;
  }

  function occupy({ accountId, fare }: Entrant): void {
    all++;
    if (fare === "failing") failing++;
    held.set(accountId, (held.get(accountId) ?? 0) + 1);
  }

  function vacate({ accountId, fare }: Entrant): void {
    all--;
    if (fare === "failing") failing--;
    const left = (held.get(accountId) ?? 1) - 1;
    if (left > 0) held.set(accountId, left);
    else held.delete(accountId);
  }

  /**
   * Admits the next entrant for whom there is room; a failing one stands in the way of none that is well.
   * @returns false: there is none
   */
  function admitNext(): boolean {
    if (all >= limits.all) return false;
    for (const [accountId, queue] of queues) {
      const at = queue.findIndex(({ fare }) => isRoomFor({ accountId, fare }));
      const [next] = at < 0 ? [] : queue.splice(at, 1);
      if (!next) continue;
      // Its account has had its turn.
      queues.delete(accountId);
      if (queue.length > 0) queues.set(accountId, queue);
      occupy({ accountId, fare: next.fare });
      next.begin();
      return true;
    }
    return false;
  }

  return {
    async enter(entrant) {
      const { accountId, fare } = entrant;
      if (isRoomFor(entrant)) occupy(entrant);
      else
        await new Promise<void>((begin) => {
          const queue = queues.get(accountId) ?? [];
          queue.push({ fare, begin });
          queues.set(accountId, queue);
        });
      let isIn = true;
      return () => {
        if (!isIn) return;
        isIn = false;
        vacate(entrant);
        // One place that is given back may be the room of two: one of its account, and another that fails.
        while (admitNext());
      };
    },
  };
}
