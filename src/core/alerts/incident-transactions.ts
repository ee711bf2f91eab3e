import type { Incident } from "../../alerts/incident.ts";
import type { NotificationLimit } from "../../alerts/notification-limit.ts";
import type { NotifySettings } from "../../alerts/rule.ts";
import { type Settling, settle } from "../../alerts/settle.ts";
import { createUnitOfWork, type UnitOfWork } from "../../alerts/unit-of-work.ts";
import type { Clock } from "../../shared/clock.ts";
import type { AlertWork } from "../../store/alert-work.ts";
import type { Store } from "../../store/store.ts";
import { loadForSettling } from "./load-unit.ts";
import type { CreateOnCallReader } from "./on-call-reader.ts";
import type { CompiledRuleSet, RuleSets } from "./rule-sets.ts";

/** Time in which the worker that settles a notice must send it, before another one does. */
export const SEND_MS = 15_000;

/** A document of one account, by its id. */
export interface Owned {
  readonly _id: string;
  readonly accountId: string;
}

/** Data that a change of an incident may read. */
export interface WithinTransaction {
  readonly work: AlertWork;
  readonly ruleSet: CompiledRuleSet;
  /** Settings of the rule version with which the incident was opened. */
  readonly notify: NotifySettings;
}

/** Change of a loaded incident. If it throws, the transaction ends without a change. */
export type ChangeIncident = (
  unit: UnitOfWork,
  id: string,
  now: Date,
  within: WithinTransaction,
) => void | Promise<void>;

/** Changes incidents and digests of single recipients, each in one transaction. */
export interface IncidentTransactions {
  /**
   * Changes an incident, and settles what is due for it.
   * @returns the incident after the change; undefined: it does not exist
   */
  incident(owned: Owned, change: ChangeIncident): Promise<Incident | undefined>;
  /**
   * Changes several incidents of one account.
   * @param change undefined: only the time has changed them
   * @returns the existing incidents after the change, unordered
   */
  incidents(accountId: string, ids: readonly string[], change?: ChangeIncident): Promise<Incident[]>;
  /** @param change if it returns undefined, nothing is changed */
  ceiling(
    owned: Owned,
    change: (limit: NotificationLimit, notify: NotifySettings, now: Date) => NotificationLimit | undefined,
  ): Promise<NotificationLimit | undefined>;
}

export interface IncidentTransactionsOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly ruleSets: RuleSets;
  readonly readOnCall: CreateOnCallReader;
  /** Retention time of resolved incidents. */
  readonly keptMs: number;
  readonly clock: Pick<Clock, "now">;
}

export function createIncidentTransactions({
  store,
  ruleSets,
  readOnCall,
  keptMs,
  clock,
}: IncidentTransactionsOptions): IncidentTransactions {
  const incidents: IncidentTransactions["incidents"] = (accountId, ids, change) =>
    store.forAccount(accountId).incidents.work(async (work) => {
      const now = clock.now();
      const unit = createUnitOfWork(accountId);
      const found = await work.incidents(ids);
      if (found.length === 0) return [];
      const present = found.map(({ _id }) => _id);
      unit.add({ incidents: found });
      const ruleSet = await ruleSets.at(accountId, await work.revision());
      const sendUntil = new Date(now.getTime() + SEND_MS);
      const onCall = readOnCall(accountId, now);
      const settling: Settling = {
        now,
        keptMs,
        mutes: ruleSet.mutes,
        notifyOf: ruleSets.notifyOf,
        onCallOf: onCall.addressesOf,
        sendUntil,
      };
      await ruleSets.learn(work, found);
      for (const id of present) {
        await change?.(unit, id, now, { work, ruleSet, notify: ruleSets.notifyOf(unit.get(id)) });
        await loadForSettling(work, unit, { incidentIds: [id], ruleSets, onCall, settling });
        settle(unit, id, settling);
      }
      await work.write(unit.changes(), [], now);
      return present.map(unit.get);
    });

  return {
    incident: async ({ _id, accountId }, change) => (await incidents(accountId, [_id], change))[0],

    incidents,

    ceiling: ({ _id: id, accountId }, change) =>
      store.forAccount(accountId).incidents.work(async (work) => {
        const [limit] = await work.ceilings([id]);
        if (!limit) return undefined;
        await ruleSets.learn(work, [limit]);
        const now = clock.now();
        const next = change(limit, ruleSets.notifyOf(limit), now);
        if (!next) return undefined;
        const unit = createUnitOfWork(accountId);
        unit.putLimit(next);
        await work.write(unit.changes(), [], now);
        return next;
      }),
  };
}
