import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { InvalidArgumentError, Option } from "commander";
import { AlertSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import {
  AlertRuleSettingsSchema,
  type NoticeEstimate,
  type PreviewRuleMailResponse,
  PreviewRuleMailResponseSchema,
  type RuleMail,
  type SendRuleTestResponse,
  SendRuleTestResponseSchema,
  type TryRulesResponse,
  TryRulesResponseSchema,
} from "../../gen/hermod/rule/v1/rule_service_pb.ts";
import type { CommandContext } from "./core-command.ts";
import { readMessages } from "./input/read-objects.ts";
import { collect, InputError, readMoment } from "./input/read-options.ts";
import { shownName } from "./input/read-text.ts";
import { alignRows } from "./output/table.ts";
import { plainTime, printable } from "./output/text.ts";
import { showCommand } from "./show-command.ts";

const RULE = { schema: AlertRuleSettingsSchema, noun: "alert rule" };
const NAME = ["<rule>", "name of the rule"] as const;
const MAX_TESTED = 10_000;

interface TryOptions {
  readonly rule?: string;
  readonly rules?: string;
  readonly name?: string;
  readonly last?: number;
  readonly from?: Date;
  readonly until?: Date;
  readonly severity?: readonly string[];
  readonly source?: string;
  readonly eventType?: string;
  readonly outcome?: readonly string[];
  readonly text?: string;
}

/** `hermod alert-rule try` */
export const ruleTry = showCommand({
  name: "try",
  description:
    "Test rules on past alerts, and compare the results with what happened. Nothing is stored or sent.",
  options: [
    ["--rule <file>", "YAML or JSON file with a rule that is added, or replaces the rule with its name"],
    ["--rules <file>", "test the rules of this file instead of the account's"],
    ["--name <rule>", "rule to report on first"],
    ["--last <number>", `number of alerts, 1 to ${MAX_TESTED} (default: 1000)`, readCount],
    ["--from <moment>", "only alerts that arrived at or after this time", readMoment],
    ["--until <moment>", "only alerts that arrived before this time", readMoment],
    ["--severity <severity>", "only alerts of this severity; repeatable", collect],
    ["--source <source>", "only alerts of this source"],
    ["--event-type <type>", "only alerts of this type"],
    [
      "--outcome <outcome>",
      "only alerts with this outcome: routed, suppressed or unmatched; repeatable",
      collect,
    ],
    ["--text <text>", "only alerts with this text"],
  ],
  call: async ({ core, account, environment: { input } }, options: TryOptions) => {
    const {
      rule: file,
      rules: setFile,
      name = "",
      last = 0,
      from,
      until,
      severity = [],
      outcome = [],
    } = options;
    const { source = "", eventType = "", text = "" } = options;
    const [rule, ...others] = file === undefined ? [] : await readMessages(file, input, RULE);
    if (file !== undefined && (!rule || others.length > 0))
      throw new InputError(`${shownName(file)} must hold one rule.`);
    const rules = setFile === undefined ? undefined : await readMessages(setFile, input, RULE);
    const tried = await core.rules.tryRules({
      accountId: account,
      name,
      limit: last,
      ...(rule && { rule }),
      ...(rules && { rules: { rules } }),
      filter: {
        source,
        eventType,
        text,
        severities: [...severity],
        outcomes: [...outcome],
        ...(from && { from: timestampFromDate(from) }),
        ...(until && { until: timestampFromDate(until) }),
      },
    });
    return { tried };
  },
  of: "tried",
  schema: TryRulesResponseSchema,
  text: tryText,
});

function readCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MAX_TESTED)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_TESTED}.`);
  return count;
}

const MAX_SHOWN = 20;

function tryText(tried: TryRulesResponse): string {
  const { tested, oldest, latest, matched, matchedBefore, newlyMatched, noLongerMatched, moved } = tried;
  if (tested === 0) return "No alerts meet the filter.";
  const lines = [
    `Tested ${tested} alerts from ${plainTime(oldest)} to ${plainTime(latest)}.${tried.allTested ? "" : " There are more."}`,
    `Matched: ${matched}, at their arrival ${matchedBefore}. Newly matched: ${newlyMatched}, no longer matched: ${noLongerMatched}, matched by other rules: ${moved}.`,
    `Notices: ${estimateText(tried.estimate)}${tried.allNoticesCounted ? "" : ", at least"}.`,
  ];
  const rules = tried.rules.map(({ rule, matchedBefore: before, matched: now, takenBy, estimate }) => [
    printable(rule),
    String(before),
    String(now),
    takenBy.map((one) => `${printable(one.rule)} (${one.alerts})`).join(", "),
    estimateText(estimate),
  ]);
  const alerts = tried.alerts
    .slice(0, MAX_SHOWN)
    .map(({ id, change, severity, source, message, before, after, droppedBy }) => [
      id,
      change,
      `${severity} ${printable(source)}: ${printable(message.slice(0, 60))}`,
      `${namesText(before)} -> ${namesText(after)}${droppedBy ? " (dropped)" : ""}`,
    ]);
  const heading = ["RULE", "BEFORE", "NOW", "TAKEN BY", "NOTICES"];
  return [
    ...lines,
    ...(rules.length > 0 ? ["", ...alignRows([heading, ...rules])] : []),
    ...(alerts.length > 0 ? ["", ...alignRows(alerts)] : []),
  ].join("\n");
}

const namesText = (names: readonly string[]) => names.map(printable).join(", ") || "none";

function estimateText(estimate: NoticeEstimate | undefined): string {
  const { incidents = 0, notices = 0, mails = 0, posts = 0, digests = 0 } = estimate ?? {};
  const requests = posts === 0 ? "" : `, ${posts} requests`;
  return `${notices} of ${incidents} incidents, ${mails} mails${requests}, ${digests} digests`;
}

interface MailOptions {
  readonly alert?: string;
  readonly alertId?: string;
}

const ABOUT = [
  ["--alert <file>", "YAML or JSON file with an alert (default: an example)"],
  ["--alert-id <id>", "id of a stored alert"],
] as const;

const KIND = new Option("--kind <kind>", "mail of the first notice, of the resolution, or a digest")
  .choices(["first", "resolved", "digest"])
  .default("first");

/** The alert for a mail. @throws InputError */
async function alertOf(
  { environment: { input } }: CommandContext,
  { alert: file, alertId = "" }: MailOptions,
) {
  if (file === undefined) return { alertId };
  const [alert, ...others] = await readMessages(file, input, { schema: AlertSchema, noun: "alert" });
  if (!alert || others.length > 0) throw new InputError(`${shownName(file)} must hold one alert.`);
  return { alertId, alert };
}

/** `hermod alert-rule mail` */
export const ruleMail = showCommand({
  name: "mail",
  description: "Show the mail of a rule for an alert. Nothing is stored or sent.",
  arguments: [NAME],
  options: [...ABOUT, KIND],
  call: async (context, options: MailOptions & { readonly kind: string }) => {
    const { core, account, args } = context;
    const [name = ""] = args;
    const alert = await alertOf(context, options);
    return { mails: await core.rules.previewRuleMail({ accountId: account, name, ...alert }) };
  },
  of: "mails",
  schema: PreviewRuleMailResponseSchema,
  text: (mails, { options: { kind } }) => mailText(mails, kind),
});

function mailText({ first, resolved, digest }: PreviewRuleMailResponse, kind: string): string {
  const mail = kind === "digest" ? digest : kind === "resolved" ? resolved : first;
  return mail ? oneMailText(mail) : "The rule sends no mail when an incident is resolved.";
}

function oneMailText({ from, subject, text = "", faults }: RuleMail): string {
  if (faults.length > 0)
    return faults.map(({ pointer, message }) => printable(`${pointer}  ${message}`)).join("\n");
  const body = text.split("\n").map(printable).join("\n");
  return [`From: ${printable(from)}`, `Subject: ${printable(subject)}`, "", body].join("\n").trimEnd();
}

/** `hermod alert-rule send-test` */
export const ruleSendTest = showCommand({
  name: "send-test",
  description: "Send the mail of a rule to its recipients as a test. No incident is opened.",
  arguments: [NAME],
  options: [...ABOUT, KIND],
  call: async (context, options: MailOptions & { readonly kind: string }) => {
    const { core, account, args } = context;
    const [name = ""] = args;
    const alert = await alertOf(context, options);
    const asked = { accountId: account, name, kind: options.kind, to: "recipients" };
    return { sent: await core.rules.sendRuleTest({ ...asked, ...alert }) };
  },
  of: "sent",
  schema: SendRuleTestResponseSchema,
  text: sentText,
});

function sentText({ messages }: SendRuleTestResponse): string {
  return messages.map(({ recipient, messageId }) => `${messageId} to ${printable(recipient)}`).join("\n");
}
