/** State of an endpoint. A failing endpoint usually holds its slots for a long time. */
export type Fare = "well" | "failing";

export interface Entrant {
  readonly accountId: string;
  readonly fare: Fare;
}

/** Limits the concurrent requests to all endpoints. */
export interface Capacity {
  /** Resolves when a slot is free. @returns function that releases the slot */
  enter(entrant: Entrant): Promise<() => void>;
}

export interface CapacityLimits {
  readonly all: number;
  /** Limit for all failing endpoints together, so that healthy endpoints always find a slot. */
  readonly failing: number;
  /** Limit for one account, regardless of how many of its endpoints hang. */
  readonly perAccount: number;
}

interface Waiting {
  readonly fare: Fare;
  readonly begin: () => void;
}

/** Assigns slots to accounts in turn, so that an account with many waiting entrants does not delay others. */
export function createCapacity(limits: CapacityLimits): Capacity {
  /** Number of slots by account, for accounts with at least one. */
  const held = new Map<string, number>();
  /** Waiting entrants by account, in the order of turns. The lists are in order of the calls and never empty. */
  const queues = new Map<string, Waiting[]>();
  let all = 0;
  let failing = 0;

  function hasCapacityFor({ accountId, fare }: Entrant): boolean {
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
   * Admits the next entrant that there is capacity for. A failing entrant does not block a healthy one.
   * @returns false if there is none
   */
  function admitNext(): boolean {
    if (all >= limits.all) return false;
    for (const [accountId, queue] of queues) {
      const at = queue.findIndex(({ fare }) => hasCapacityFor({ accountId, fare }));
      const [next] = at < 0 ? [] : queue.splice(at, 1);
      if (!next) continue;
      // The account has had its turn.
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
      if (hasCapacityFor(entrant)) occupy(entrant);
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
        // One released slot can make room for two entrants: one of the same account, and another failing one.
        while (admitNext());
      };
    },
  };
}
