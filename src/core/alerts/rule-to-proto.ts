import { fromJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type {
  AlertRuleSchema,
  AlertRuleSettingsSchema,
  ConditionSchema,
  RuleNotificationSchema,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import type { Condition } from "../../alerts/condition.ts";
import type { NotifySettings, RuleSettings } from "../../alerts/rule.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { AlertRuleDocument } from "../../store/alert-documents.ts";
import { ruleRevision } from "../../store/alert-rule-store.ts";

export function toCondition({ field, op, value }: Condition): MessageInitShape<typeof ConditionSchema> {
  return { field, op, value: fromJson(ValueSchema, value as JsonValue) };
}

export function toAlertRule(rule: AlertRuleDocument): MessageInitShape<typeof AlertRuleSchema> {
  const { _id: id, accountId, version, settings, createdAt, updatedAt } = rule;
  return {
    id,
    accountId,
    version,
    settings: toSettings(settings),
    revision: ruleRevision(rule),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}

/** Settings in answers, with the defaults of fields that were left out. */
export function toSettings(settings: RuleSettings): MessageInitShape<typeof AlertRuleSettingsSchema> {
  const {
    name,
    description,
    order,
    enabled,
    matchers,
    stop,
    onlyUnmatched = false,
    effect,
    notify,
  } = settings;
  return {
    name,
    description,
    order,
    enabled,
    stop,
    onlyUnmatched,
    effect,
    match: matchers.match.map(toCondition),
    any: matchers.any.map(toCondition),
    ...(notify && { notify: toNotification(notify) }),
  };
}

function toNotification(notify: NotifySettings): MessageInitShape<typeof RuleNotificationSchema> {
  const { onCall = [], from, policy, template, groupBy, quiet, escalation } = notify;
  const seconds = (ms: number) => ms / 1_000;
  return {
    recipients: [...notify.recipients],
    onCallSchedules: [...onCall],
    targets: [...(notify.targets ?? [])],
    ...withoutUndefined({ from, routingPolicy: policy, template }),
    groupBy: [...(groupBy ?? [])],
    oneIncident: groupBy?.length === 0,
    waitSeconds: seconds(notify.waitMs),
    intervalSeconds: seconds(notify.intervalMs),
    repeatSeconds: seconds(notify.repeatMs),
    resolvedMail: notify.resolvedMail,
    autoResolveSeconds: seconds(notify.autoResolveMs),
    ...(quiet && {
      quietHours: {
        timeZone: quiet.zone,
        windows: quiet.windows.map(({ days, from: begin, to }) => ({ days: [...days], from: begin, to })),
        holdCritical: notify.quietHoldsCritical,
      },
    }),
    timeZone: notify.zone,
    mailsPerHour: notify.ceiling,
    digestSeconds: seconds(notify.digestMs),
    escalation: escalation.steps.map(({ afterMs, recipients, onCall: schedules = [], targets = [] }) => ({
      afterSeconds: seconds(afterMs),
      recipients: [...recipients],
      onCallSchedules: [...schedules],
      targets: [...targets],
    })),
    escalationRounds: escalation.rounds,
  };
}
