import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { moment } from "../dashboard/common.ts";
import { alertRuleSettings } from "./alert-rule-schemas.ts";
import { alertSeverity, ingestAlertBody } from "./alert-schemas.ts";
import { changing } from "./session-access.ts";
import { text, texts } from "./text-field.ts";

const c = initContract();

const count = (description: string, example: number) => z.int().meta({ description, examples: [example] });

const pastAlerts = z
  .strictObject({
    from: moment("Earliest arrival, inclusive.").optional(),
    until: moment("End of the arrivals, exclusive.").optional(),
    severities: z.array(alertSeverity).optional().meta({ description: "Severities. Empty: all." }),
    source: text("Source of the alert.", "node-exporter").optional(),
    event_type: text("Type of the event.", "disk.full").optional(),
    rule: text("Rule that matched the alert at its arrival.", "pager").optional(),
    outcomes: z
      .array(z.enum(["routed", "suppressed", "unmatched"]))
      .optional()
      .meta({ description: "Outcomes at the arrival. Empty: all.", examples: [["unmatched"]] }),
    incident_id: text("Incident that the alert belongs to.", "inc_01k9z4c3r8h2v6y0n5t7w1x3q9").optional(),
    text: text(
      "Text in the message, the type, the source or the entity, up to 200 characters. Not case-sensitive.",
      "disk",
    ).optional(),
  })
  .meta({ id: "PastAlertFilter", description: "Stored alerts that meet all fields." });

const estimate = z
  .object({
    incidents: count("Incidents that would have been opened.", 4),
    notices: count("Notices of these incidents.", 9),
    mails: count("Mails to single recipients, including digests.", 18),
    posts: count("Requests to alert targets, including digests.", 0),
    digests: count("Digests among the mails and requests.", 0),
  })
  .meta({
    id: "NoticeEstimate",
    description:
      "Notices that rules would have sent without silences, inhibitions, and acknowledgments by people.",
  });

const triedRule = z
  .object({
    rule: text("Name of the rule.", "pager"),
    matched_before: count("Alerts that it matched at their arrival.", 12),
    matched: count("Alerts that it matches now.", 15),
    newly_matched: count("Alerts that it matches only now.", 4),
    no_longer_matched: count("Alerts that it matched only at their arrival.", 1),
    taken_by: z
      .array(
        z
          .object({ rule: text("Name of the other rule.", "noise"), alerts: count("Number of alerts.", 1) })
          .meta({ id: "TakingRule", description: "A rule that takes alerts of another one." }),
      )
      .meta({
        description:
          "Rules that take alerts which meet its conditions, most alerts first, up to 10: an earlier rule has `stop` or drops them, or this rule has `only_unmatched`. For the rule of the request, all alerts count; for other rules, only those that they matched at their arrival.",
      }),
    estimate,
  })
  .meta({ id: "TriedRule", description: "Results of one rule for past alerts." });

const triedAlert = z
  .object({
    id: text("Id of the alert.", "alr_01k9z4c3r8h2v6y0n5t7w1x3q9"),
    received_at: moment("Time when Hermod received the alert."),
    event_type: text("Type of the event.", "disk.full"),
    severity: text("`info`, `warning` or `critical`.", "critical"),
    source: text("Source of the alert.", "node-exporter"),
    message: text("Message for people.", "/var is 97 % full"),
    entity_type: text("Type of the entity; empty if the alert has none.", "host"),
    entity_id: text("Id of the entity; empty if the alert has none.", "web-1"),
    change: text(
      "`unchanged`: the same rules match the alert; `newly_matched`: no rule matched it; `no_longer_matched`: no rule matches it now; `moved`: other rules match it.",
      "newly_matched",
    ),
    before: texts("Rules that matched the alert at its arrival.", "other-criticals"),
    after: texts("Rules that match the alert now, in order.", "pager"),
    dropped_by: text("Rule that drops it now; empty if none does.", ""),
  })
  .meta({ id: "TriedAlert", description: "A past alert, with the rules that match it." });

const triedNotice = z
  .object({
    at: moment("Time of the notice."),
    reason: text(
      "`first`, `new`, `severity`, `repeat`, `escalation`, `snooze_ended`, `reopened`, `resolved` or `digest`.",
      "first",
    ),
    title: text(
      "Title of the incident at that time. Empty for a digest.",
      "[critical] node-exporter: /var is 97 % full (host web-1)",
    ),
    recipients: texts("Addresses that the notice is mailed to.", "oncall@example.com"),
    targets: count("Number of alert targets that receive it.", 0),
  })
  .meta({ id: "TriedNotice", description: "A notice that a rule would have sent." });

const trial = z
  .object({
    tested: count("Alerts that meet the filter and that rules decide about.", 512),
    updates: count(
      "Resolutions and acknowledgments that meet the filter. Rules do not decide about them.",
      40,
    ),
    read: count("Alerts that were read.", 1_000),
    oldest: moment("Arrival of the oldest tested alert. Missing: none was tested.").optional(),
    latest: moment("Arrival of the latest tested alert. Missing: none was tested.").optional(),
    all_tested: z.boolean().meta({
      description:
        "`false`: there are more alerts than `limit`, or than the 20,000 that a test reads. The latest were tested.",
    }),
    matched: count("Tested alerts that at least one rule matches now.", 500),
    matched_before: count("Tested alerts that at least one rule matched at their arrival.", 480),
    newly_matched: count("Tested alerts that no rule matched, and that one matches now.", 21),
    no_longer_matched: count("Tested alerts that a rule matched, and that none matches now.", 1),
    moved: count("Tested alerts that other rules match now.", 12),
    rules: z.array(triedRule).meta({
      description:
        "Rules that match a tested alert or matched one, up to 100: first the rule of the request, then those with most differences.",
    }),
    rules_count: count("Number of these rules.", 3),
    alerts: z
      .array(triedAlert)
      .meta({ description: "Tested alerts with a difference, the latest first, up to 100." }),
    matches: z.array(triedAlert).meta({
      description:
        "Tested alerts that the rule of the request (`rule` or `name`) matches now, the latest first, up to 100.",
    }),
    notices: z.array(triedNotice).meta({
      description:
        "Notices that the rule of the request (`rule` or `name`) would have sent, the earliest first, up to 100.",
    }),
    estimate,
    all_notices_counted: z.boolean().meta({
      description:
        "`false`: the alerts have more incidents and notices than a test counts. The estimates are lower bounds.",
    }),
  })
  .meta({ id: "AlertRuleTrialResult", description: "Results of rules for past alerts." });

const ofMail = {
  name: text("Name of a stored rule. Not together with `rule`.", "pager").optional(),
  rule: alertRuleSettings.optional().meta({ description: "Settings of a rule. Not together with `name`." }),
  alert_id: text(
    "Id of a stored alert. Not together with `alert`. Without both, the mail is about an example.",
    "alr_01k9z4c3r8h2v6y0n5t7w1x3q9",
  ).optional(),
  alert: ingestAlertBody.optional().meta({ description: "An alert. Not together with `alert_id`." }),
};

const mail = z
  .object({
    from: text("Sender. Empty if the template has errors.", "Alerts <alerts@example.com>"),
    subject: text("Subject.", "[critical] node: The disk /var is 97 % full (host web-1)"),
    html: text(
      "HTML part. It is untrusted: show `document` instead. Missing: the mail has none.",
      "<p>The disk /var is 97 % full</p>",
    ).optional(),
    document: text(
      "HTML part for `srcdoc` of a frame with an empty `sandbox` attribute: without elements that connect to other hosts. Links open in a new tab.",
      "<p>The disk /var is 97 % full</p>",
    ).optional(),
    text: text("Text part. Missing: the mail has none.", "The disk /var is 97 % full").optional(),
    faults: z
      .array(
        z
          .object({
            pointer: text("JSON pointer into the data of the template.", "/data/owner"),
            code: text("Code of the error.", "template.variable_missing"),
            message: text("Sentence about the error.", "The variable owner has no value."),
          })
          .meta({ id: "RuleMailFault", description: "An error of the template." }),
      )
      .meta({ description: "Errors of the template. With errors, the other fields are empty or missing." }),
  })
  .meta({ id: "RuleMail", description: "A mail as a recipient would receive it." });

/** Routes that test a rule before it is stored: part of the contract `rules`. */
export const alertRuleTrials = c.router({
  tryAlertRules: {
    method: "POST",
    path: "/api/alert-rules/try",
    summary: "Test alert rules on past alerts",
    description:
      "Evaluates rules for stored alerts, and compares the results with those at their arrival. The rules are those of the account, with `rule` added or in place of the rule with its name; or `rules`. Nothing is stored or sent. Two tests of an account can run at the same time.",
    body: z
      .strictObject({
        rule: alertRuleSettings
          .optional()
          .meta({ description: "A new rule, or new settings of a rule. Not together with `rules`." }),
        rules: z.array(alertRuleSettings).optional().meta({
          description:
            "Rules in place of the account's rules. Rules with the same order are evaluated in the given order.",
        }),
        name: text("Rule on which the response reports first. Not together with `rule`.", "pager").optional(),
        filter: pastAlerts.optional(),
        limit: z
          .int()
          .min(1)
          .max(10_000)
          .optional()
          .meta({ description: "Number of alerts, the latest first: 1 to 10,000. Default: 1,000." }),
      })
      .meta({ id: "AlertRuleTrial", description: "Rules, and the alerts to test them on." }),
    ...changing({ access: "alerts.read", faults: ["alert_rule.unknown"], success: { 200: trial } }),
  },
  previewAlertRuleMail: {
    method: "POST",
    path: "/api/alert-rules/preview-mail",
    summary: "Preview the mail of an alert rule",
    description:
      "Writes the mail of a rule for an alert: of the first notice, of the resolution and of a digest. Nothing is stored or sent. The link in the mail leads nowhere. Four previews of an account can run at the same time.",
    body: z
      .strictObject(ofMail)
      .meta({ id: "AlertRuleMailPreview", description: "A rule, and an alert for its mail." }),
    ...changing({
      access: "alerts.read",
      faults: ["alert_rule.unknown", "alert.unknown", "template.unknown", "on_call_schedule.unknown"],
      success: {
        200: z
          .object({
            recipients: texts("Recipients of the first notice.", "oncall@example.com"),
            first: mail,
            resolved: mail
              .optional()
              .meta({ description: "Missing: the rule sends no mail when an incident is resolved." }),
            digest: mail,
          })
          .meta({ id: "AlertRuleMails", description: "Mails of a rule." }),
      },
    }),
  },
  sendAlertRuleTest: {
    method: "POST",
    path: "/api/alert-rules/test-mail",
    summary: "Send a test mail of an alert rule",
    description:
      "Sends the mail of a rule for an alert to your own address, or to the recipients of the rule. The subject begins with `[test]`, the body says that it is a test, and the message has the tag `alert-test`. It opens no incident. The message belongs to the account: its verified senders, limits, policies and suppression list apply. Also needs the permission `email.send`.",
    body: z
      .strictObject({
        ...ofMail,
        kind: z
          .enum(["first", "resolved", "digest"])
          .optional()
          .meta({ description: "Mail to send. Default: `first`.", examples: ["first"] }),
        to: z
          .enum(["self", "recipients"])
          .optional()
          .meta({
            description:
              "`self`: your own address; `recipients`: the recipients of the rule's first notice, one message each. Default: `self`.",
            examples: ["self"],
          }),
      })
      .meta({ id: "AlertRuleTestMail", description: "A rule, an alert for its mail, and the recipients." }),
    ...changing({
      access: "alerts.write",
      faults: [
        "alert_rule.unknown",
        "alert.unknown",
        "template.unknown",
        "on_call_schedule.unknown",
        "template.variable_missing",
        "template.variable_type",
        "policy.unknown",
        "sender.unverified",
        "message.too_large",
        "rate.limited",
      ],
      success: {
        202: z
          .object({
            messages: z
              .array(
                z
                  .object({
                    recipient: text("Address of the recipient.", "ada@example.com"),
                    message_id: text("Id of the message.", "msg_01k9z4c3r8h2v6y0n5t7w1x3q9"),
                  })
                  .meta({ id: "RuleTestMessage", description: "A message of a test." }),
              )
              .meta({ description: "One message for each recipient." }),
          })
          .meta({ id: "AlertRuleTestSent", description: "The messages were accepted." }),
      },
    }),
  },
});
