import { AlertService } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { explain } from "../../alerts/decide.ts";
import { prepareArea } from "../../rpc/area.ts";
import { MAIL, READS } from "../../rpc/audits.ts";
import { FRONT_ENDS, OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createAcceptAlert } from "./accept-alert.ts";
import { toExplanation, toStoredAlert } from "./alert-to-proto.ts";
import { createGetAlertStatistics } from "./get-alert-statistics.ts";
import { createIngestAlerts, type IngestNeeds } from "./ingest-alert.ts";
import { createListAlerts } from "./list-alerts.ts";
import { compileRule } from "./rule-sets.ts";

/** Accepts alerts and returns their results. */
export const alerts = prepareArea(AlertService, partsOf, {
  ingestAlert: [FRONT_ENDS, MAIL, ({ ingestAlert }) => ingestAlert],
  ingestAlerts: [FRONT_ENDS, MAIL, ({ ingestAlerts }) => ingestAlerts],
  /** @throws Fault account.unknown, and the faults of an alert with a key */
  sendAlert: [
    OPERATOR_ONLY,
    MAIL,
    ({ store, acceptAlert }) =>
      async (request, context) => {
        const { id: accountId } = await resolveAccount(store, request);
        const { idempotencyKey, alert } = request;
        return acceptAlert({ accountId, keyId: "", idempotencyKey, alert }, context);
      },
  ],
  listAlerts: [permitted("alerts.read"), READS, createListAlerts],
  getAlertStatistics: [permitted("alerts.read"), READS, createGetAlertStatistics],
  /** @throws Fault account.unknown, alert.unknown */
  getAlert: [
    permitted("alerts.read"),
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const stored = await account.incidents.findAlert(request.id);
        if (!stored) throw fault("alert.unknown");
        const versions = await account.alertRules.versionsAt(stored.revision);
        const rules = versions.map(({ ruleId, version, settings }) => compileRule(ruleId, version, settings));
        return { alert: toStoredAlert(stored), rules: explain(rules, stored.alert).map(toExplanation) };
      },
  ],
});

function partsOf(needs: IngestNeeds) {
  const acceptAlert = createAcceptAlert(needs);
  return { store: needs.store, clock: needs.clock, acceptAlert, ...createIngestAlerts(needs, acceptAlert) };
}
