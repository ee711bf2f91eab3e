import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { ingestAlertBody, shadowedRule, suppressedRecipients } from "../common/alert-schemas.ts";
import { ifRevisionOrNone, ifRevisionQuery, revision } from "../common/revision.ts";
import { changing, reading } from "../common/session-access.ts";
import { text } from "../common/text-field.ts";
import { accountId, moment, page, pageQuery } from "./common.ts";

const c = initContract();

const number = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .max(2_592_000)
    .meta({ description, examples: [example] });
const flag = (description: string) => z.boolean().meta({ description });
const texts = (description: string, ...example: string[]) =>
  z.array(z.string()).meta({ description, examples: [example] });

const plain = z.union([z.string(), z.number(), z.boolean()]);

export const condition = z
  .strictObject({
    field: text(
      "`event_type`, `severity`, `source`, `entity_type`, `entity_id`, `message`, or `context.name`, with up to 8 names.",
      "event_type",
    ),
    op: text(
      "`eq`, `ne`, `in`, `prefix`, `glob` (`*` stands for any characters), `contains`, `exists`, `gte` or `lte`. Of `severity`: `eq`, `in`, `gte`, `lte`.",
      "glob",
    ),
    value: z
      .union([plain, z.array(plain)])
      .meta({ description: "What it is compared with; of `in` a list.", examples: ["disk.*"] }),
  })
  .meta({ id: "AlertCondition", description: "What a field of an alert is to be." });

export const conditions = {
  match: z
    .array(condition)
    .optional()
    .meta({ description: "All of them must hold. With those of `any` there are up to 32." }),
  any: z.array(condition).optional().meta({ description: "One of them must hold, if there are any." }),
};

const quietHours = z
  .strictObject({
    time_zone: text("As `Europe/Berlin`.", "Europe/Berlin"),
    windows: z
      .array(
        z
          .strictObject({
            days: z
              .array(z.int().min(1).max(7))
              .optional()
              .meta({
                description: "Days on which it begins: 1 is Monday, 7 Sunday; empty: all.",
                examples: [[]],
              }),
            from: text("As `22:00`.", "22:00"),
            to: text("As `07:00`; if not later than `from`, on the next day.", "07:00"),
          })
          .meta({ id: "QuietWindow", description: "A time of each day, or of some." }),
      )
      .meta({ description: "Up to 20." }),
    hold_critical: flag("Critical alerts wait, too.").optional(),
  })
  .meta({ id: "QuietHours", description: "In which mail waits; what still fires is told at their end." });

const notification = z
  .strictObject({
    recipients: texts(
      "Up to 50 addresses; empty: nobody is mailed, and webhook endpoints alone hear of its incidents.",
      "oncall@example.com",
    ).optional(),
    from: text(
      "A verified sender; needed where there are recipients.",
      "Alerts <alerts@example.com>",
    ).optional(),
    routing_policy: text("Missing: the account's default.", "pager").optional(),
    template: text("A template of the account's; missing: the built-in one.", "alert").optional(),
    group_by: texts(
      "Fields that alerts of one incident share; empty: each thing has an incident of its own.",
      "source",
    ).optional(),
    one_incident: flag("One incident has all alerts.").optional(),
    wait_seconds: number(
      "From the opening of an incident to its first notice: 0 to 3,600 (0).",
      0,
    ).optional(),
    interval_seconds: number(
      "From one notice to the next, of what is new: 60 to 86,400 (300). After the first one it is 60.",
      300,
    ).optional(),
    repeat_seconds: number(
      "After which the same is told again: 300 to 2,592,000 (14,400); 0: never.",
      14_400,
    ).optional(),
    resolved_mail: flag("Whether whoever was told hears that it is over (true).").optional(),
    auto_resolve_seconds: number(
      "After so long without a word of it a thing is taken to be well: 60 to 2,592,000; 0: never (0).",
      0,
    ).optional(),
    quiet_hours: quietHours.optional(),
    time_zone: text("In which times are written (that of the quiet hours, or UTC).", "UTC").optional(),
    mails_per_hour: number(
      "Mails an hour to one recipient: 1 to 1,000 (20). What is beyond it comes in digests.",
      20,
    ).optional(),
    digest_seconds: number("From one digest to the next: 60 to 86,400 (900).", 900).optional(),
    escalation: z
      .array(
        z
          .strictObject({
            after_seconds: number(
              "Since the step before; of the first one, since the first notice: 60 to 604,800.",
              900,
            ),
            recipients: texts("1 to 50 addresses.", "lead@example.com"),
          })
          .meta({ id: "EscalationStep", description: "Who hears next of what nobody acknowledges." }),
      )
      .optional()
      .meta({ description: "Up to 10 steps." }),
    escalation_rounds: number("How often all steps are gone through: 1 to 5 (1).", 1).optional(),
  })
  .meta({ id: "AlertNotification", description: "How a rule tells of alerts." });

const settings = {
  name: text("1 to 100 of `a-z 0-9 . _ -`.", "pager"),
  description: text("For people, 200 characters at most.", "Whatever wakes somebody").optional(),
  order: z
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .meta({
      description: "Smaller ones are asked first (100). Of the same order, the older rule.",
      examples: [100],
    })
    .optional(),
  enabled: flag("Whether it is asked (true).").optional(),
  ...conditions,
  stop: flag("Rules behind it are not asked about what it takes.").optional(),
  only_unmatched: flag(
    "It takes only alerts that no rule before it takes: a rule with a high `order` mails the critical alerts that would be mailed to nobody, and none twice.",
  ).optional(),
  effect: z
    .enum(["notify", "drop"])
    .optional()
    .meta({ description: "What is dropped is told to nobody (`notify`).", examples: ["notify"] }),
  notify: notification.optional(),
};

export const alertRuleSettings = z
  .strictObject(settings)
  .meta({ id: "AlertRuleSettings", description: "What is to become of alerts that meet conditions." });

const { name: _, ...nameless } = settings;
const replacement = z.strictObject({ ...nameless, if_revision: ifRevisionOrNone }).meta({
  id: "AlertRuleReplacement",
  description: "The settings of a rule as a whole: what is left out is as given in brackets.",
});

export const alertRule = z
  .object({
    id: text("Names the rule, whatever it is called.", "rul_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    account_id: accountId,
    settings: alertRuleSettings,
    version: z.int().meta({ description: "Of the settings: each change is a new one.", examples: [3] }),
    created_at: moment("When it was made."),
    updated_at: moment("When it was changed last."),
    revision,
  })
  .meta({ id: "AlertRule", description: "A rule that decides who hears of alerts." });

const putAlertRule = alertRule
  .extend({
    shadowed_by: text(
      "The rule before it that takes whatever it would take, so that it is never asked; empty: none is known.",
      "",
    ),
    suppressed_recipients: suppressedRecipients,
  })
  .meta({ id: "AlertRulePut", description: "The rule as it is now." });

export const explanation = z
  .object({
    rule: text("Its name.", "pager"),
    version: z.int().meta({ description: "Of its settings.", examples: [3] }),
    reason: text(
      "`notifies`, `drops`, `not_met`, `not_asked` (a rule before it stops, or takes an alert that this one takes only if it is unmatched) or `disabled`.",
      "notifies",
    ),
    conditions: z
      .array(
        condition
          .extend({
            verdict: text(
              "`holds`, `fails`, `missing` (the alert has no such field) or `mismatch` (it is of another type).",
              "holds",
            ),
          })
          .meta({ id: "ConditionVerdict", description: "How a condition fared." }),
      )
      .meta({ description: "Those of `match` before those of `any`." }),
  })
  .meta({ id: "RuleExplanation", description: "What a rule does with an alert, and why." });

const ruleName = z.object({ name: z.string().meta({ description: "The rule's name." }) });

export const rules = c.router({
  listAlertRules: {
    method: "GET",
    path: "/api/alert-rules",
    summary: "List alert rules",
    description: "By name. They are asked by their `order`.",
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
    summary: "See an alert rule",
    ...reading({ access: "alerts.read", faults: ["alert_rule.unknown"], success: { 200: alertRule } }),
  },
  putAlertRule: {
    method: "PUT",
    path: "/api/alert-rules/:name",
    pathParams: ruleName,
    summary: "Make or replace an alert rule",
    description: "Incidents that are open keep the version with which they began: a change mails nothing.",
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
  deleteAlertRule: {
    method: "DELETE",
    path: "/api/alert-rules/:name",
    pathParams: ruleName,
    summary: "Remove an alert rule",
    description: "Of its open incidents nothing more is told but their end.",
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
    summary: "Try alert rules out",
    description: "What they would make of an alert, and why. Nothing is stored or sent.",
    body: z
      .strictObject({
        alert: ingestAlertBody,
        rules: z.array(alertRuleSettings).optional().meta({
          description: "Instead of the account's; of the same order, they are asked as they stand.",
        }),
      })
      .meta({ id: "AlertRuleTest", description: "What is to be tried." }),
    ...changing({
      access: "alerts.read",
      success: {
        200: z
          .object({
            notifying: texts("Rules that would tell of it, in their order.", "pager"),
            dropped_by: text("The rule that drops it; empty: none does.", ""),
            muted_by: text("`silenced` or `inhibited`; empty: it would be told.", ""),
            rules: z.array(explanation).meta({ description: "In the order in which they are asked." }),
            shadowed: z.array(shadowedRule).meta({ description: "Rules that are never asked." }),
            suppressed_recipients: suppressedRecipients,
          })
          .meta({ id: "AlertRuleTestResult", description: "What rules make of an alert." }),
      },
    }),
  },
});
