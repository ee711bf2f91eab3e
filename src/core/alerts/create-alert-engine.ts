import type { Incident } from "../../alerts/incident.ts";
import { acknowledge, resolve } from "../../alerts/incident-changes.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { Store } from "../../store/store.ts";
import type { AlertEngine } from "./alert-engine.ts";
import { changeIncident } from "./change-incident.ts";
import { createIncidentTransactions } from "./incident-transactions.ts";
import { createReadOnCall } from "./on-call-reader.ts";
import { createRuleSets } from "./rule-sets.ts";
import { createSendNotices, type SendNoticesOptions } from "./send-notices.ts";
import { createTakeAlerts } from "./take-alerts.ts";

export interface AlertEngineOptions extends Pick<SendNoticesOptions, "store" | "mailAlert" | "linkOf"> {
  readonly store: Pick<Store, "forAccount" | "acrossAccounts">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Retention time of resolved incidents. */
  readonly keptMs: number;
}

export function createAlertEngine(options: AlertEngineOptions): AlertEngine {
  const { store, clock, log, keptMs } = options;
  const ruleSets = createRuleSets({ store, clock });
  const readOnCall = createReadOnCall({ store, ruleSets, log });
  const transactions = createIncidentTransactions({ store, ruleSets, readOnCall, keptMs, clock });
  const takeAlerts = createTakeAlerts({ ruleSets, readOnCall, keptMs });
  const notices = createSendNotices({ ...options, ruleSets, transactions });

  /** The content is stored: a later run sends notices that cannot be sent now. */
  async function sendNow(accountId: string, incidents: readonly Incident[]): Promise<void> {
    try {
      await notices.send(accountId, incidents);
    } catch (error) {
      log.warn({ err: error, accountId }, "notices could not be sent and are retried");
    }
  }

  return {
    ruleSets,
    async take(accountId, accepted) {
      const { incidents } = store.forAccount(accountId);
      const decided = await incidents.work((work) => takeAlerts(work, accountId, accepted, clock.now()));
      await sendNow(accountId, decided.pending);
      return decided.alerts;
    },

    async change({ accountId, id, ...asked }) {
      const changed = await transactions.incident({ _id: id, accountId }, (unit, _id, at, within) =>
        changeIncident(unit, id, { ...asked, at }, within),
      );
      if (!changed) throw fault("incident.unknown");
      await sendNow(accountId, [changed]);
      return changed;
    },

    async changeMany({ accountId, ids, action, by, jobId }) {
      const change = action === "acknowledge" ? acknowledge : resolve;
      const changed = await transactions.incidents(accountId, ids, (unit, id, at) => {
        // A step of the job that runs again.
        if (unit.get(id).changedBy === jobId) return;
        if (change(unit, id, at, by)) unit.put({ ...unit.get(id), changedBy: jobId });
      });
      await sendNow(accountId, changed);
      const byId = new Map(changed.map((one) => [one._id, one]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },

    check: notices.check,
  };
}
