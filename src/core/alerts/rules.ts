import { RuleService } from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { createDecide, explain } from "../../alerts/decide.ts";
import { findShadowed } from "../../alerts/find-shadowed.ts";
import { fingerprintOf } from "../../alerts/group-key.ts";
import { type Area, defineArea } from "../../rpc/area.ts";
import { changes, READS } from "../../rpc/audits.ts";
import { permitted } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { pageOfAccount } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { toExplanation } from "./alert-to-proto.ts";
import { createPreviewRuleMail } from "./preview-rule-mail.ts";
import { createPutRule, createRestoreRule, type RuleNeeds } from "./put-rule.ts";
import { readAlert } from "./read-alert.ts";
import { readSet } from "./read-rule-set.ts";
import { toAlertRule } from "./rule-to-proto.ts";
import {
  createCompareRuleVersions,
  createGetRuleVersion,
  createListRuleVersions,
  findRule,
} from "./rule-versions.ts";
import { createSendRuleTest, type RuleTestNeeds } from "./send-rule-test.ts";
import { suppressedRecipients } from "./suppressed-recipients.ts";
import { createTryRules } from "./try-rules.ts";

const READ = permitted("alerts.read");
const WRITE = permitted("alerts.write");

/** Alert rules, which decide which recipients are notified. */
export const rules: Area<RuleNeeds & RuleTestNeeds> = defineArea(RuleService, {
  listRules: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const { entries, nextPageToken } = await pageOfAccount(request, {
          store,
          list: ({ alertRules: rules }, page) => rules.list(page),
          cursorOf: ({ name }) => name,
        });
        return { rules: entries.map(toAlertRule), nextPageToken };
      },
  ],
  /** @throws Fault account.unknown, alert_rule.unknown */
  getRule: [
    READ,
    READS,
    ({ store }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        return { rule: toAlertRule(await findRule(account, request.name)) };
      },
  ],
  putRule: [WRITE, changes("alert_rule.put"), createPutRule],
  listRuleVersions: [READ, READS, createListRuleVersions],
  getRuleVersion: [READ, READS, createGetRuleVersion],
  compareRuleVersions: [READ, READS, createCompareRuleVersions],
  restoreRule: [WRITE, changes("alert_rule.restore", "name"), createRestoreRule],
  /** @throws Fault account.unknown, alert_rule.unknown, resource.stale */
  deleteRule: [
    WRITE,
    changes("alert_rule.delete", "name"),
    ({ store }) =>
      async (request, { audit }) => {
        const account = await resolveAccount(store, request);
        const { name, ifRevision } = request;
        if (!(await account.alertRules.remove(name, audit, ifRevision))) throw fault("alert_rule.unknown");
        return {};
      },
  ],
  /** @throws Fault account.unknown, request.validation_failed */
  testRules: [
    READ,
    READS,
    ({ store, alertEngine, clock }) =>
      async (request) => {
        const account = await resolveAccount(store, request);
        const { alert, dedupKey } = readAlert(request.alert, "/alert");
        const ruleSet = await alertEngine.ruleSets.at(account.id, await account.alertRules.revision());
        const rules = request.rules ? readSet(request.rules.rules) : ruleSet.rules;
        const { rules: notifying, droppedBy } = createDecide(rules)(alert);
        const heard = { alert, fingerprint: fingerprintOf({ alert, dedupKey }) };
        const names = ruleSet.mutes.inhibitorsOf(alert);
        const sources = await account.incidents.work((work) => work.sources(names));
        // Recipients of the first step only: further steps of 100 rules can have very many.
        const conclusions = notifying.map(({ notify }) => ({
          ...notify,
          escalation: { steps: [], rounds: 1 },
        }));
        const ofName = (name: string) => sources.filter((source) => source.name === name);
        return {
          notifying: notifying.map(({ name }) => name),
          droppedBy: droppedBy?.name ?? "",
          mutedBy: ruleSet.mutes.muteOf(heard, ofName, clock.now())?.reason ?? "",
          rules: explain(rules, alert).map(toExplanation),
          shadowed: findShadowed(rules).map(({ rule, by }) => ({ rule: rule.name, by: by.name })),
          suppressedRecipients: await suppressedRecipients(account, conclusions, clock.now()),
        };
      },
  ],
  tryRules: [READ, READS, createTryRules],
  previewRuleMail: [READ, READS, createPreviewRuleMail],
  // Also requires `email.send`, which its handler checks.
  sendRuleTest: [WRITE, changes("alert_rule.send_test", "name"), createSendRuleTest],
});
