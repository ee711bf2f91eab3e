import type { Ceiling, Incident } from "../../alerts/incident.ts";
import { createLedger, type Ledger } from "../../alerts/ledger.ts";
import type { NotifySettings } from "../../alerts/rule.ts";
import { settle } from "../../alerts/settle.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import type { Books } from "./books.ts";
import { NOTHING, readForSettling } from "./read-ledger.ts";

/** Whoever settles a notice has so long to send it, before another one does. */
export const SEND_MS = 15_000;

/** What is of one account, by its id. */
export interface Owned {
  readonly _id: string;
  readonly accountId: string;
}

/** A change to an incident that is at hand. What it throws ends it, and nothing is changed. */
export type ChangeIncident = (ledger: Ledger, id: string, now: Date) => void;

/** Changes of incidents and of single recipients' digests, each in one transaction. */
export interface Turns {
  /**
   * Changes an incident, and settles what is due for it then.
   * @returns the incident as it is then; undefined: there is none
   */
  incident(owned: Owned, change: ChangeIncident): Promise<Incident | undefined>;
  /**
   * The same for several of one account.
   * @param change undefined: nothing but time has changed them
   * @returns those that there are, as they are then
   */
  incidents(accountId: string, ids: readonly string[], change?: ChangeIncident): Promise<Incident[]>;
  /** @param change undefined is returned: nothing is changed */
  ceiling(
    owned: Owned,
    change: (ceiling: Ceiling, notify: NotifySettings, now: Date) => Ceiling | undefined,
  ): Promise<Ceiling | undefined>;
}

export interface TurnsOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly books: Books;
  /** How long incidents are kept that are over. */
  readonly keptMs: number;
  readonly clock: Pick<Clock, "now">;
}

export function createTurns({ store, books, keptMs, clock }: TurnsOptions): Turns {
  const incidents: Turns["incidents"] = (accountId, ids, change) =>
    store.forAccount(accountId).incidents.work(async (work) => {
      const now = clock.now();
      const ledger = createLedger(accountId);
      const found = await work.incidents(ids);
      if (found.length === 0) return [];
      const present = found.map(({ _id }) => _id);
      ledger.add({ ...NOTHING, incidents: found });
      const book = await books.at(accountId, await work.revision());
      const sendUntil = new Date(now.getTime() + SEND_MS);
      const settling = { now, keptMs, mutes: book.mutes, notifyOf: books.notifyOf, sendUntil };
      for (const id of present) {
        change?.(ledger, id, now);
        await readForSettling(work, ledger, { incidentIds: [id], books, settling });
        settle(ledger, id, settling);
      }
      await work.write(ledger.changes(), [], now);
      return present.map(ledger.get);
    });

  return {
    incident: async ({ _id, accountId }, change) => (await incidents(accountId, [_id], change))[0],

    incidents,

    ceiling: ({ _id: id, accountId }, change) =>
      store.forAccount(accountId).incidents.work(async (work) => {
        const [ceiling] = await work.ceilings([id]);
        if (!ceiling) return undefined;
        await books.learn(work, [ceiling]);
        const now = clock.now();
        const next = change(ceiling, books.notifyOf(ceiling), now);
        if (!next) return undefined;
        const ledger = createLedger(accountId);
        ledger.putCeiling(next);
        await work.write(ledger.changes(), [], now);
        return next;
      }),
  };
}
