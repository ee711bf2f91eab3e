import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  AlertService,
  type GetAlertRequest,
  type GetAlertResponseSchema,
  type ListAlertsRequest,
  type ListAlertsResponseSchema,
  type SendAlertRequest,
  type SendAlertResponseSchema,
} from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { explain } from "../../alerts/decide.ts";
import { defineArea } from "../../rpc/area.ts";
import { LOOKS, MAIL } from "../../rpc/audits.ts";
import { FRONT_ENDS, type HandlerContext, OPERATOR_ONLY, permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type AcceptAlert, createAcceptAlert } from "./accept-alert.ts";
import { toExplanation, toStoredAlert } from "./alert-to-proto.ts";
import { toBookRule } from "./books.ts";
import { createIngestAlerts, type IngestNeeds } from "./ingest-alert.ts";

/** Alerts that come in, and what became of them. */
export const alerts = defineArea({
  service: AlertService,
  callers: {
    ingestAlert: FRONT_ENDS,
    ingestAlerts: FRONT_ENDS,
    sendAlert: OPERATOR_ONLY,
    listAlerts: permitted("alerts.read"),
    getAlert: permitted("alerts.read"),
  },
  audits: { ingestAlert: MAIL, ingestAlerts: MAIL, sendAlert: MAIL, listAlerts: LOOKS, getAlert: LOOKS },
  handlers: (needs: IngestNeeds) => {
    const acceptAlert = createAcceptAlert(needs);
    return {
      ...createIngestAlerts(needs, acceptAlert),
      sendAlert: createSendAlert(needs, acceptAlert),
      listAlerts: createListAlerts(needs),
      getAlert: createGetAlert(needs),
    };
  },
});

/** @throws Fault account.unknown, and as for an alert with a key */
function createSendAlert({ store }: IngestNeeds, acceptAlert: AcceptAlert) {
  return async (
    request: SendAlertRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof SendAlertResponseSchema>> => {
    const { id: accountId } = await resolveAccount(store, request);
    const { idempotencyKey, alert } = request;
    return acceptAlert({ accountId, keyId: "", idempotencyKey, alert }, context);
  };
}

type LookNeeds = Pick<IngestNeeds, "store">;

/** Alerts of one account, the latest first. */
function createListAlerts({ store }: LookNeeds) {
  return async (request: ListAlertsRequest): Promise<MessageInitShape<typeof ListAlertsResponseSchema>> => {
    const { entries, nextPageToken } = await pageOfAccount(request, {
      store,
      list: ({ incidents }, page) => incidents.listAlerts(page),
      placeOf: ({ _id }) => _id,
    });
    return { alerts: entries.map(toStoredAlert), nextPageToken };
  };
}

/** @throws Fault account.unknown, alert.unknown */
function createGetAlert({ store }: LookNeeds) {
  return async (request: GetAlertRequest): Promise<MessageInitShape<typeof GetAlertResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const stored = await account.incidents.findAlert(request.id);
    if (!stored) throw fault("alert.unknown");
    const versions = await account.alertRules.versionsAt(stored.revision);
    const rules = versions.map(({ ruleId, version, settings }) => toBookRule(ruleId, version, settings));
    return { alert: toStoredAlert(stored), rules: explain(rules, stored.alert).map(toExplanation) };
  };
}
