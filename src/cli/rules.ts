import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Option } from "commander";
import { AlertSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import {
  type AlertRule,
  AlertRuleSchema,
  AlertRuleSettingsSchema,
  type PutRuleResponse,
  type TestRulesResponse,
  TestRulesResponseSchema,
} from "../../gen/hermod/rule/v1/rule_service_pb.ts";
import { commandGroup } from "./core-command.ts";
import { IF_REVISION, IF_REVISION_OR_NONE, type OnRevision } from "./input/if-revision.ts";
import { readMessages } from "./input/read-objects.ts";
import { InputError } from "./input/read-options.ts";
import { shownName } from "./input/read-text.ts";
import { listCommand } from "./list-command.ts";
import { conditionsText, explanationText } from "./output/alert-text.ts";
import { fileJson } from "./output/json.ts";
import { printable } from "./output/text.ts";
import { putCommand } from "./put-each.ts";
import { removeCommand } from "./remove-command.ts";
import { ruleMail, ruleSendTest, ruleTry } from "./rule-trials.ts";
import { showCommand } from "./show-command.ts";

/** `hermod alert-rule` */
export const rules = commandGroup("alert-rule", "Rules that decide who is notified of alerts.", () => [
  rulePut,
  ruleCatchAll,
  ruleList,
  ruleShow,
  ruleTest,
  ruleTry,
  ruleMail,
  ruleSendTest,
  ruleRemove,
]);

const NAME = ["<rule>", "name of the rule"] as const;

const RULE = { schema: AlertRuleSettingsSchema, noun: "alert rule" };

/** `hermod alert-rule put`: stores rules in order and ends at the first refused one. */
const rulePut = putCommand({
  description: "Create rules, or new versions of rules with the same names.",
  argument: "YAML or JSON file with one or more rules, or - for standard input",
  input: RULE,
  put: ({ core, account }, settings, options) =>
    core.rules.putRule({ accountId: account, settings, ...options }),
  of: "rule",
  schema: AlertRuleSchema,
  text: putText,
});

function putText({ rule, created, shadowedBy, suppressedRecipients }: PutRuleResponse): string {
  const shadow = shadowedBy
    ? ` It never matches: ${printable(shadowedBy)} matches all of its alerts first.`
    : "";
  const suppressed =
    suppressedRecipients.length > 0
      ? ` Recipients on the suppression list, which receive no mail: ${suppressedRecipients.map(printable).join(", ")}.`
      : "";
  const what = created ? "is created" : `has version ${rule?.version ?? 0}`;
  return `The rule ${printable(rule?.settings?.name ?? "")} ${what}.${shadow}${suppressed}`;
}

/** `hermod alert-rule catch-all` */
const ruleCatchAll = showCommand({
  name: "catch-all",
  description: "Create the rule other-criticals, which mails critical alerts that no other rule matches.",
  arguments: [["<recipient...>", "address that receives the mail"]],
  options: [
    new Option("--from <sender>", "verified sender of the account").makeOptionMandatory(),
    IF_REVISION_OR_NONE,
  ],
  call: ({ core, account, args }, { from, ifRevision = "none" }: OnRevision & { readonly from: string }) =>
    core.rules.putRule({
      accountId: account,
      settings: catchAll({ recipients: [...args], from }),
      ifRevision,
    }),
  of: "rule",
  schema: AlertRuleSchema,
  text: (_rule, { answer }) => putText(answer),
});

/** A rule that is evaluated last, also after rules that are created later. */
const catchAll = (notify: { readonly recipients: string[]; readonly from: string }) => ({
  name: "other-criticals",
  description: "Critical alerts that no other rule matches",
  order: 1_000_000,
  match: [{ field: "severity", op: "eq", value: fromJson(ValueSchema, "critical") }],
  onlyUnmatched: true,
  notify,
});

const orderOf = ({ settings }: AlertRule) => settings?.order ?? 0;

/** `hermod alert-rule list`: in the order of evaluation. */
const ruleList = listCommand({
  description: "List the alert rules of an account.",
  call: ({ core, account, page }) => core.rules.listRules({ accountId: account, ...page }),
  of: "rules",
  schema: AlertRuleSchema,
  sort: (one, other) => orderOf(one) - orderOf(other) || (one.id < other.id ? -1 : 1),
  columns: [
    ["RULE", ({ settings }) => printable(settings?.name ?? "")],
    ["ORDER", orderOf],
    ["WHEN", ({ settings }) => conditionsText(settings)],
    ["NOTIFIES", notifyText],
    ["", remarksText],
  ],
  none: "There are no alert rules. Create one with `hermod alert-rule put`.",
});

function notifyText({ settings }: AlertRule): string {
  if (settings?.effect === "drop") return "dropped";
  const { recipients = [], onCallSchedules = [], targets = [] } = settings?.notify ?? {};
  const notified = [...recipients, ...onCallSchedules.map((name) => `on call: ${name}`), ...targets];
  return printable(notified.join(", ") || "webhooks only");
}

function remarksText({ settings }: AlertRule): string {
  const { onlyUnmatched = false, enabled = true } = settings ?? {};
  return [...(onlyUnmatched ? ["only unmatched"] : []), ...(enabled ? [] : ["disabled"])].join(", ");
}

/** `hermod alert-rule show`: in the form of a file for `put`. */
const ruleShow = showCommand({
  name: "show",
  description: "Show an alert rule.",
  arguments: [NAME],
  call: ({ core, account, args: [name = ""] }) => core.rules.getRule({ accountId: account, name }),
  of: "rule",
  schema: AlertRuleSchema,
  text: ({ settings }) =>
    JSON.stringify(settings ? fileJson(AlertRuleSettingsSchema, settings) : null, null, 2),
});

/** `hermod alert-rule test` */
const ruleTest = showCommand({
  name: "test",
  description: "Test an alert against the rules. Nothing is stored or sent.",
  arguments: [["<alert>", "YAML or JSON file with an alert, or - for standard input"]],
  options: [["--rules <file>", "test the rules of this file instead of the account's"]],
  call: async (
    { core, account, args: [file = "-"], environment: { input } },
    { rules: rulesFile }: { readonly rules?: string },
  ) => {
    const [alert, ...others] = await readMessages(file, input, { schema: AlertSchema, noun: "alert" });
    if (!alert || others.length > 0) throw new InputError(`${shownName(file)} must hold one alert.`);
    const rules = rulesFile === undefined ? undefined : await readMessages(rulesFile, input, RULE);
    const tested = await core.rules.testRules({
      accountId: account,
      alert,
      ...(rules && { rules: { rules } }),
    });
    return { tested };
  },
  of: "tested",
  schema: TestRulesResponseSchema,
  text: testText,
});

function testText({ notifying, droppedBy, mutedBy, shadowed, rules }: TestRulesResponse): string {
  const verdict = [
    notifying.length > 0 ? `Rules that notify: ${notifying.map(printable).join(", ")}.` : "No rule notifies.",
    ...(droppedBy ? [`Dropped by ${printable(droppedBy)}.`] : []),
    ...(mutedBy ? [`Suppressed: the alert is ${mutedBy}.`] : []),
    ...shadowed.map(
      ({ rule, by }) => `${printable(rule)} never matches: ${printable(by)} matches all of its alerts first.`,
    ),
  ];
  return [...verdict, "", explanationText(rules)].join("\n").trimEnd();
}

/** `hermod alert-rule remove` */
const ruleRemove = removeCommand(
  {
    description: "Remove an alert rule. Its open incidents notify only of their resolution.",
    arguments: [NAME],
    options: [IF_REVISION],
  },
  async ({ core, account, args: [name = ""] }, options: OnRevision) => {
    await core.rules.deleteRule({ accountId: account, name, ...options });
    return { text: `Removed the rule ${printable(name)}.` };
  },
);
