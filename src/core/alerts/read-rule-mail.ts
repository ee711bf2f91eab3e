import type { Alert as AlertMessage } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { AlertRuleSettings } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import type { Alert } from "../../alerts/alert.ts";
import type { AlertLink } from "../../alerts/incident.ts";
import { mailsFirst, type NotifySettings, type RuleSettings } from "../../alerts/rule.ts";
import { addressKey } from "../../message/address/address-key.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Logger } from "../../shared/logger.ts";
import type { AccountStore } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
import { recipientsNow } from "../oncalls/present-recipients.ts";
import { readAlert } from "./read-alert.ts";
import { readRule } from "./read-rule.ts";
import { findRule } from "./rule-versions.ts";

interface GivenRuleMail {
  readonly name: string;
  readonly rule?: AlertRuleSettings | undefined;
  readonly alertId: string;
  readonly alert?: AlertMessage | undefined;
}

/** A rule that sends mail, and an alert to write it about. */
export interface RuleMail {
  readonly ruleName: string;
  readonly notify: NotifySettings;
  /** Addresses of the rule, and those of its on-call schedules now. */
  readonly recipients: readonly string[];
  readonly alert: Alert;
  readonly links: readonly AlertLink[];
}

const EXAMPLE: Alert = {
  eventType: "disk.full",
  severity: "critical",
  source: "node",
  message: "The disk /var is 97 % full",
  entityType: "host",
  entityId: "web-1",
  context: { mount: "/var", free: 0.03 },
};

/**
 * Reads a stored or new rule, and a stored, given or example alert.
 * @throws Fault alert_rule.unknown, alert.unknown, on_call_schedule.unknown, request.too_large,
 *   request.validation_failed
 */
export async function readRuleMail(
  account: AccountStore,
  given: GivenRuleMail,
  at: { readonly now: Date; readonly log: Logger },
): Promise<RuleMail> {
  const { name, rule, alertId, alert } = given;
  const faults = createFieldFaults();
  if (name !== "" && rule) faults.add("/name", "field.conflict", say("rule_or_name"));
  if (name === "" && !rule) faults.add("/rule", "field.required", say("rule_or_name_needed"));
  if (alertId !== "" && alert) faults.add("/alert_id", "field.conflict", say("alert_or_id"));
  const read = rule && readRule(rule, "/rule", faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  const settings: RuleSettings = read ?? (await findRule(account, name)).settings;
  const { notify } = settings;
  if (!notify || !mailsFirst(notify)) {
    const pointer = read ? "/rule/notify/recipients" : "/name";
    const message = say("rule_sends_no_mail");
    throw validationFault([{ pointer, code: "field.invalid", message }]);
  }
  const onCall = await recipientsNow(account, notify.onCall ?? [], at);
  checkSchedules(notify, onCall, read ? (index) => `/rule/notify/on_call_schedules/${index}` : () => "/name");
  const addresses = [...notify.recipients, ...[...onCall.values()].flat()];
  const recipients = [...new Map(addresses.map((address) => [addressKey(address), address])).values()];
  return { ruleName: settings.name, notify, recipients, ...(await alertOf(account, alertId, alert)) };
}

/** @throws Fault on_call_schedule.unknown */
function checkSchedules(
  { onCall = [] }: NotifySettings,
  found: ReadonlyMap<string, unknown>,
  pointerOf: (index: number) => string,
): void {
  for (const [index, name] of onCall.entries())
    if (!found.has(name)) {
      const message = say("no_on_call_schedule", { name });
      throw validationFault([{ pointer: pointerOf(index), code: "on_call_schedule.unknown", message }]);
    }
}

async function alertOf(
  { incidents }: AccountStore,
  alertId: string,
  given: AlertMessage | undefined,
): Promise<Pick<RuleMail, "alert" | "links">> {
  if (given) return readAlert(given, "/alert");
  if (alertId === "") return { alert: EXAMPLE, links: [] };
  const stored = await incidents.findAlert(alertId);
  if (!stored) throw fault("alert.unknown");
  return { alert: stored.alert, links: stored.links };
}
