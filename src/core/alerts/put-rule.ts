import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type AlertRuleSettings,
  AlertRuleSettingsSchema,
  type PutRuleRequest,
  type PutRuleResponseSchema,
  type RestoreRuleRequest,
  type RestoreRuleResponseSchema,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { shadowOf } from "../../alerts/find-shadowed.ts";
import { type NotifySettings, type RuleSettings, sendsMail } from "../../alerts/rule.ts";
import { parseFromMailbox } from "../../message/address/from-field.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { NamedResource, NeededResources } from "../../store/needed-resources.ts";
import type { AccountStore } from "../../store/store.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";
import { readRule } from "./read-rule.ts";
import { toAlertRule, toSettings } from "./rule-to-proto.ts";
import { findRule, findRuleVersion } from "./rule-versions.ts";
import { suppressedRecipients } from "./suppressed-recipients.ts";

export type RuleNeeds = Pick<Dependencies, "store" | "settings" | "verifySender" | "alertEngine" | "clock">;
type Context = Pick<HandlerContext, "audit">;

/**
 * The resources for a rule's notices must exist when the rule is stored: its targets, and for its mail its policy, its
 * template and its sender.
 * @throws Fault account.unknown, request.validation_failed, alert_target.unknown, sender.unverified, alert_rule.too_many, resource.stale
 */
export function createPutRule(needs: RuleNeeds) {
  const storeRule = createStoreRule(needs);
  return async (
    request: PutRuleRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof PutRuleResponseSchema>> => {
    const account = await resolveAccount(needs.store, request);
    const { settings, ifRevision } = request;
    const { isNew, ...stored } = await storeRule(account, settingsOf(settings), { audit, ifRevision });
    return { ...stored, created: isNew };
  };
}

/**
 * Stores the settings of an earlier version. The rules of today apply.
 * @throws Fault account.unknown, alert_rule.unknown, alert_rule.version_not_found, request.validation_failed,
 *   sender.unverified, resource.stale
 */
export function createRestoreRule(needs: RuleNeeds) {
  const storeRule = createStoreRule(needs);
  return async (
    request: RestoreRuleRequest,
    { audit }: Context,
  ): Promise<MessageInitShape<typeof RestoreRuleResponseSchema>> => {
    const account = await resolveAccount(needs.store, request);
    const rule = await findRule(account, request.name);
    const { content, number: restores } = await findRuleVersion(account, rule, String(request.version));
    const settings = settingsOf(create(AlertRuleSettingsSchema, toSettings(content)));
    const { ifRevision } = request;
    const { isNew: _, ...stored } = await storeRule(account, settings, { audit, ifRevision, restores });
    return stored;
  };
}

interface Storing extends Context {
  /** Empty: any revision. */
  readonly ifRevision: string;
  /** Number of the version with these settings. Missing: none. */
  readonly restores?: number;
}

/** Stores a rule, and returns it with what its author must know about it. */
function createStoreRule({ settings, verifySender, alertEngine, clock }: RuleNeeds) {
  /** @returns resources that must still exist when the rule is stored */
  async function checkMail(accountId: string, { notify }: RuleSettings): Promise<NeededResources> {
    if (!notify) return {};
    const targets = neededTargets(notify);
    if (!sendsMail(notify)) return { targets };
    const faults = createFieldFaults();
    const { policy, template, from = "" } = notify;
    if (!(await settings.policy(accountId, policy)))
      faults.add(
        "/notify/routing_policy",
        "policy.unknown",
        policy === undefined ? say("no_default_policy_name_one") : say("no_policy", { name: policy }),
      );
    if (template !== undefined && !(await settings.template(accountId, template)))
      faults.add("/notify/template", "template.unknown", say("no_template", { name: template }));
    if (faults.found.length > 0) throw validationFault(faults.found);
    const sender = parseFromMailbox(from);
    if (sender.ok) await verifySender(sender.mailbox.address, { accountId, senders: [] });
    return {
      targets,
      policy: policy === undefined ? undefined : { name: policy, pointer: "/notify/routing_policy" },
      template: template === undefined ? undefined : { name: template, pointer: "/notify/template" },
      onCallSchedules: schedulesIn(notify),
      sender: sender.ok ? sender.mailbox.address : undefined,
    };
  }

  return async (account: AccountStore, read: RuleSettings, { audit, ifRevision, restores }: Storing) => {
    const needed = await checkMail(account.id, read);
    const { rule, isNew } = await account.alertRules.put(read, audit, ifRevision, needed, restores);
    const ruleSet = await alertEngine.ruleSets.at(account.id, await account.alertRules.revision());
    const shadowedBy = shadowOf(ruleSet.rules, rule._id)?.name ?? "";
    const conclusions = rule.settings.notify ? [rule.settings.notify] : [];
    return {
      rule: toAlertRule(rule),
      isNew,
      shadowedBy,
      suppressedRecipients: await suppressedRecipients(account, conclusions, clock.now()),
    };
  };
}

/** On-call schedules with the fields that name them. */
function schedulesIn({ onCall = [], escalation }: NotifySettings): NamedResource[] {
  const named = (names: readonly string[], at: string) =>
    names.map((name, index) => ({ name, pointer: `${at}/on_call_schedules/${index}` }));
  return [
    ...named(onCall, "/notify"),
    ...escalation.steps.flatMap((step, index) => named(step.onCall ?? [], `/notify/escalation/${index}`)),
  ];
}

/** Targets of a rule, each with the field that names it first. */
function neededTargets({ targets = [], escalation }: NotifySettings): NamedResource[] {
  const named = (ids: readonly string[], at: string) =>
    ids.map((name, index) => ({ name, pointer: `${at}/targets/${index}` }));
  const all = [
    ...named(targets, "/notify"),
    ...escalation.steps.flatMap((step, index) => named(step.targets ?? [], `/notify/escalation/${index}`)),
  ];
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
}

function settingsOf(given: AlertRuleSettings | undefined): RuleSettings {
  const faults = createFieldFaults();
  if (!given)
    throw validationFault([{ pointer: "/settings", code: "field.required", message: say("needed") }]);
  const read = readRule(given, "", faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return read;
}
