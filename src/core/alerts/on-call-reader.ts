import type { Incident } from "../../alerts/incident.ts";
import type { OnCallOf } from "../../alerts/recipients.ts";
import type { NotifySettings } from "../../alerts/rule.ts";
import type { Logger } from "../../shared/logger.ts";
import type { Store } from "../../store/store.ts";
import { recipientsNow } from "../oncalls/present-recipients.ts";
import type { RuleSets } from "./rule-sets.ts";

/** Addresses of on-call schedules at the time of one transaction. */
export interface OnCallReader {
  /** Reads schedules of an incident's rule that are not loaded. @throws Fault store.unavailable */
  learn(incident: Pick<Incident, "ruleId">, schedules: readonly string[]): Promise<void>;
  /** Addresses that a schedule notifies, which `learn` has read. At least one while the schedule exists. */
  readonly addressesOf: OnCallOf;
}

export type CreateOnCallReader = (accountId: string, now: Date) => OnCallReader;

interface Needs {
  readonly store: Pick<Store, "forAccount">;
  readonly ruleSets: Pick<RuleSets, "at">;
  readonly log: Logger;
}

/**
 * Reads outside of the transaction: the present state decides who is notified. An open incident keeps the version of
 * its rule, which may name a schedule that was removed since. Then the recipients and schedules of the present version
 * receive the notice.
 */
export function createReadOnCall({ store, ruleSets, log }: Needs): CreateOnCallReader {
  return (accountId, now) => {
    const account = store.forAccount(accountId);
    const present = new Map<string, readonly string[]>();
    const successors = new Map<string, NotifySettings | undefined>();

    async function read(schedules: readonly string[]): Promise<void> {
      const unknown = [...new Set(schedules)].filter((name) => !present.has(name));
      if (unknown.length === 0) return;
      for (const [name, addresses] of await recipientsNow(account, unknown, { now, log }))
        present.set(name, addresses);
    }

    return {
      async learn({ ruleId }, schedules) {
        await read(schedules);
        if (successors.has(ruleId) || schedules.every((name) => present.has(name))) return;
        const { rules } = await ruleSets.at(accountId, await account.alertRules.revision());
        const notify = rules.find(({ id }) => id === ruleId)?.notify;
        successors.set(ruleId, notify);
        await read(notify?.onCall ?? []);
      },

      addressesOf({ ruleId }, schedule) {
        const addresses = present.get(schedule);
        if (addresses) return addresses;
        if (!successors.has(ruleId)) throw new Error(`the on-call schedule ${schedule} was not read`);
        const { recipients = [], onCall = [] } = successors.get(ruleId) ?? {};
        return [...recipients, ...onCall.flatMap((name) => present.get(name) ?? [])];
      },
    };
  };
}
