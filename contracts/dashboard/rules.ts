import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { alertRuleSettings, condition, settings } from "../common/alert-rule-schemas.ts";
import { alertRuleTrials } from "../common/alert-rule-trials.ts";
import { ingestAlertBody, shadowedRule, suppressedRecipients } from "../common/alert-schemas.ts";
import { ifRevision, ifRevisionOrNone, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import {
  differenceQuery,
  restoredVersion,
  settingDifference,
  settingVersion,
  versionNumber,
} from "../common/setting-versions.ts";
import { text, texts } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const { name: _, ...nameless } = settings;
const replacement = z.strictObject({ ...nameless, if_revision: ifRevisionOrNone }).meta({
  id: "AlertRuleReplacement",
  description: "Complete settings of a rule. Settings that are left out get their default.",
});

export const alertRule = z
  .object({
    id: text("Id of the rule. It stays when a rule is replaced.", "rul_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    settings: alertRuleSettings,
    version: z
      .int()
      .meta({ description: "Version of the settings. Each change creates a new version.", examples: [3] }),
    created_at: moment("Time when the rule was created."),
    updated_at: moment("Time of the last change."),
    revision,
  })
  .meta({ id: "AlertRule", description: "A rule that decides which recipients are notified of an alert." });

const putAlertRule = alertRule
  .extend({
    shadowed_by: text(
      "Earlier rule that applies to all alerts of this rule, so that this rule is never evaluated. Empty if none is known.",
      "",
    ),
    suppressed_recipients: suppressedRecipients,
  })
  .meta({ id: "AlertRulePut", description: "The rule after the change." });

export const explanation = z
  .object({
    rule: text("Name of the rule.", "pager"),
    version: z.int().meta({ description: "Version of the settings.", examples: [3] }),
    reason: text(
      "`notifies`, `drops`, `not_met`, `not_asked` (an earlier rule has `stop`, or this rule has `only_unmatched` and an earlier rule applies) or `disabled`.",
      "notifies",
    ),
    conditions: z
      .array(
        condition
          .extend({
            verdict: text(
              "`holds`, `fails`, `missing` (the alert does not have the field) or `mismatch` (the field has another type).",
              "holds",
            ),
          })
          .meta({ id: "ConditionVerdict", description: "A condition with its result." }),
      )
      .meta({ description: "Results of the conditions: first of `match`, then of `any`." }),
  })
  .meta({ id: "RuleExplanation", description: "Effect of a rule on an alert, with the reason." });

export const alertRuleVersion = settingVersion
  .extend({ content: alertRuleSettings })
  .meta({ id: "AlertRuleVersion", description: "A version of an alert rule with its settings." });

const ruleName = z.object({ name: z.string().meta({ description: "Name of the rule." }) });
const ofVersion = [
  "alert_rule.unknown",
  "alert_rule.version_not_found",
  "request.validation_failed",
] as const;

export const rules = c.router({
  listAlertRules: {
    method: "GET",
    path: "/api/alert-rules",
    summary: "List alert rules",
    description: "Lists alert rules by name. They are evaluated by their `order`.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["request.validation_failed"],
      success: { 200: page("AlertRuleList", alertRule) },
    }),
  },
  getAlertRule: {
    method: "GET",
    path: "/api/alert-rules/:name",
    pathParams: ruleName,
    summary: "Get an alert rule",
    ...reading({ access: "alerts.read", faults: ["alert_rule.unknown"], success: { 200: alertRule } }),
  },
  putAlertRule: {
    method: "PUT",
    path: "/api/alert-rules/:name",
    pathParams: ruleName,
    summary: "Create or replace an alert rule",
    description:
      "Creates or replaces an alert rule. Open incidents keep the version with which they opened: a change sends no mail.",
    body: replacement,
    ...changing({
      access: "alerts.write",
      faults: [
        "alert_rule.too_many",
        "resource.stale",
        "sender.unverified",
        "policy.unknown",
        "template.unknown",
        "on_call_schedule.unknown",
        "alert_target.unknown",
      ],
      success: { 200: putAlertRule, 201: putAlertRule },
    }),
  },
  listAlertRuleVersions: {
    method: "GET",
    path: "/api/alert-rules/:name/versions",
    pathParams: ruleName,
    summary: "List the versions of an alert rule",
    description:
      "Lists the versions of an alert rule without their settings, newest first. Each change stores one, and Hermod keeps the newest 100. The newest one is the present state.",
    query: pageQuery,
    ...reading({
      access: "alerts.read",
      faults: ["alert_rule.unknown", "request.validation_failed"],
      success: { 200: page("AlertRuleVersionList", settingVersion) },
    }),
  },
  getAlertRuleVersion: {
    method: "GET",
    path: "/api/alert-rules/:name/versions/:version",
    pathParams: ruleName.extend({ version: versionNumber }),
    summary: "Get a version of an alert rule",
    ...reading({
      access: "alerts.read",
      faults: ofVersion,
      success: { 200: alertRuleVersion },
    }),
  },
  compareAlertRuleVersions: {
    method: "GET",
    path: "/api/alert-rules/:name/diff",
    pathParams: ruleName,
    summary: "Compare two versions of an alert rule",
    query: differenceQuery,
    ...reading({
      access: "alerts.read",
      faults: ofVersion,
      success: { 200: settingDifference },
    }),
  },
  restoreAlertRule: {
    method: "POST",
    path: "/api/alert-rules/:name/restore",
    pathParams: ruleName,
    summary: "Restore a version of an alert rule",
    description:
      "Stores the settings of an earlier version, under the rules of a replacement. Nothing is changed if they equal the present settings.",
    body: z
      .strictObject({ version: restoredVersion, if_revision: ifRevision })
      .meta({ id: "AlertRuleRestoration", description: "Version of a rule to restore." }),
    ...changing({
      access: "alerts.write",
      faults: [
        ...ofVersion,
        "resource.stale",
        "sender.unverified",
        "policy.unknown",
        "template.unknown",
        "on_call_schedule.unknown",
        "alert_target.unknown",
      ],
      success: { 200: putAlertRule },
    }),
  },
  deleteAlertRule: {
    method: "DELETE",
    path: "/api/alert-rules/:name",
    pathParams: ruleName,
    summary: "Delete an alert rule",
    description:
      "Deletes an alert rule. Hermod closes its open incidents without mail, and their history records it.",
    query: ifRevisionQuery,
    body: c.noBody(),
    ...changing({
      access: "alerts.write",
      faults: ["alert_rule.unknown", "resource.stale"],
      success: { 204: c.noBody() },
    }),
  },
  testAlertRules: {
    method: "POST",
    path: "/api/alert-rules/test",
    summary: "Test alert rules",
    description:
      "Evaluates alert rules for an alert and returns the result with the reasons. Nothing is stored or sent.",
    body: z
      .strictObject({
        alert: ingestAlertBody,
        rules: z.array(alertRuleSettings).optional().meta({
          description:
            "Rules to evaluate instead of the account's rules. Rules with the same order are evaluated in the given order.",
        }),
      })
      .meta({ id: "AlertRuleTest", description: "Alert and rules to test." }),
    ...changing({
      access: "alerts.read",
      success: {
        200: z
          .object({
            notifying: texts("Rules that would notify the alert, in their order.", "pager"),
            dropped_by: text("Rule that drops the alert; empty if none does.", ""),
            muted_by: text(
              "Reason why notifications are suppressed: `silenced` or `inhibited`. Empty if they are not.",
              "",
            ),
            rules: z
              .array(explanation)
              .meta({ description: "Results of the rules, in the order of evaluation." }),
            shadowed: z.array(shadowedRule).meta({ description: "Rules that are never evaluated." }),
            suppressed_recipients: suppressedRecipients,
          })
          .meta({ id: "AlertRuleTestResult", description: "Results of the rules for an alert." }),
      },
    }),
  },
  ...alertRuleTrials,
});
