import type { Alert as AlertMessage } from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import type { AlertRuleSettings } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import type { Alert } from "../../alerts/alert.ts";
import type { AlertLink } from "../../alerts/incident.ts";
import type { NotifySettings, RuleSettings } from "../../alerts/rule.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { AccountStore } from "../../store/store.ts";
import { createFieldFaults } from "../field-faults.ts";
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
 * @throws Fault alert_rule.unknown, alert.unknown, request.too_large, request.validation_failed
 */
export async function readRuleMail(account: AccountStore, given: GivenRuleMail): Promise<RuleMail> {
  const { name, rule, alertId, alert } = given;
  const faults = createFieldFaults();
  if (name !== "" && rule) faults.add("/name", "field.conflict", say("rule_or_name"));
  if (name === "" && !rule) faults.add("/rule", "field.required", say("rule_or_name_needed"));
  if (alertId !== "" && alert) faults.add("/alert_id", "field.conflict", say("alert_or_id"));
  const read = rule && readRule(rule, "/rule", faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  const settings: RuleSettings = read ?? (await findRule(account, name)).settings;
  const { notify } = settings;
  if (!notify || notify.recipients.length === 0) {
    const pointer = read ? "/rule/notify/recipients" : "/name";
    const message = say("rule_sends_no_mail");
    throw validationFault([{ pointer, code: "field.invalid", message }]);
  }
  return { ruleName: settings.name, notify, ...(await alertOf(account, alertId, alert)) };
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
