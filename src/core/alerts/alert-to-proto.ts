import { fromJson, type JsonObject, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type {
  AlertOutcomeSchema,
  RuleExplanationSchema,
  StoredAlertSchema,
} from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { RuleExplanation } from "../../alerts/decide.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { AlertDocument, AlertOutcome } from "../../store/alert-documents.ts";
import type { CompiledRule } from "./rule-sets.ts";

export function toOutcome(outcome: AlertOutcome): MessageInitShape<typeof AlertOutcomeSchema> {
  const { status, matchedRules, incidentIds, messageIds, reasons } = outcome;
  return {
    status,
    matchedRules: [...matchedRules],
    incidentIds: [...incidentIds],
    messageIds: [...messageIds],
    reasons: reasons.map(({ rule, reason, nextNotificationAt: next }) => ({
      rule,
      reason,
      ...(next && { nextNotificationAt: timestampFromDate(next) }),
    })),
  };
}

export function toStoredAlert(stored: AlertDocument): MessageInitShape<typeof StoredAlertSchema> {
  const { _id: id, accountId, traceId, keyId, at, alert, status, links, occurredAt, dedupKey } = stored;
  const { context, ...words } = alert;
  return {
    id,
    accountId,
    traceId,
    keyId,
    receivedAt: timestampFromDate(at),
    alert: {
      ...withoutUndefined(words),
      status,
      context: context as JsonObject,
      links: links.map((link) => ({ ...link })),
      ...withoutUndefined({ dedupKey }),
      ...(occurredAt && { occurredAt: timestampFromDate(occurredAt) }),
    },
    outcome: toOutcome(stored.outcome),
  };
}

export function toExplanation({
  rule,
  reason,
  conditions,
}: RuleExplanation<CompiledRule>): MessageInitShape<typeof RuleExplanationSchema> {
  return {
    rule: rule.name,
    version: rule.version,
    reason,
    conditions: conditions.map(({ condition, verdict }) => {
      const { field, op, value } = condition;
      return { field, op, value: fromJson(ValueSchema, value as JsonValue), verdict };
    }),
  };
}
