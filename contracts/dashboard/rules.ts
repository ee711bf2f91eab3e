import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { notification } from "../common/alert-notification.ts";
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
import { flag, text, texts } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const plain = z.union([z.string(), z.number(), z.boolean()]);

export const condition = z
  .strictObject({
    field: text(
      "`event_type`, `severity`, `source`, `entity_type`, `entity_id`, `message`, or `context.name` with up to 8 names.",
      "event_type",
    ),
    op: text(
      "`eq`, `ne`, `in`, `prefix`, `glob` (`*` stands for any characters), `contains`, `exists`, `gte` or `lte`. For `severity`: `eq`, `in`, `gte` or `lte`.",
      "glob",
    ),
    value: z
      .union([plain, z.array(plain)])
      .meta({ description: "Value to compare with. For `in`: a list.", examples: ["disk.*"] }),
  })
  .meta({ id: "AlertCondition", description: "Condition on a field of an alert." });

export const conditions = {
  match: z
    .array(condition)
    .optional()
    .meta({ description: "Conditions that must all be true. `match` and `any` together have at most 32." }),
  any: z
    .array(condition)
    .optional()
    .meta({ description: "Conditions of which at least one must be true, if there are any." }),
};

const settings = {
  name: text("1 to 100 characters of `a-z 0-9 . _ -`.", "pager"),
  description: text(
    "Description for people, at most 200 characters.",
    "Alerts that wake the person on call",
  ).optional(),
  order: z
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .meta({
      description:
        "Order of evaluation: the lowest first. With the same order, the older rule is first. Default: 100.",
      examples: [100],
    })
    .optional(),
  enabled: flag("Whether the rule is evaluated. Default: `true`.").optional(),
  ...conditions,
  stop: flag("Whether later rules are skipped for an alert that this rule applies to.").optional(),
  only_unmatched: flag(
    "Whether the rule applies only to alerts that no earlier rule applies to. For example, such a rule with a high `order` notifies critical alerts that no other rule notifies.",
  ).optional(),
  effect: z
    .enum(["notify", "drop"])
    .optional()
    .meta({
      description: "Effect of the rule. `drop`: no notifications are sent. Default: `notify`.",
      examples: ["notify"],
    }),
  notify: notification.optional(),
};

export const alertRuleSettings = z
  .strictObject(settings)
  .meta({ id: "AlertRuleSettings", description: "Settings of a rule: conditions and their effect." });

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
      faults: [...ofVersion, "resource.stale", "sender.unverified", "policy.unknown", "template.unknown"],
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
});
