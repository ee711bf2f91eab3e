import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import { AlertSchema } from "../../gen/hermod/alert/v1/alert_service_pb.ts";
import {
  AlertRuleSchema,
  AlertRuleSettingsSchema,
  type PutRuleResponse,
  TestRulesResponseSchema,
} from "../../gen/hermod/rule/v1/rule_service_pb.ts";
import { allPages } from "./all-pages.ts";
import { coreCommand } from "./core-command.ts";
import { IF_REVISION, IF_REVISION_OR_NONE, type OnRevision, requireOne } from "./input/if-revision.ts";
import { readMessages } from "./input/read-objects.ts";
import { InputError } from "./input/read-options.ts";
import { shownName } from "./input/read-text.ts";
import { explanationText, messageJson, ruleLine } from "./output/alert-text.ts";
import { table } from "./output/table.ts";
import { listJson, printable } from "./output/text.ts";
import { putEach } from "./put-each.ts";
import type { Surroundings } from "./surroundings.ts";

/** `hermod alert-rule` */
export function rules(program: Command, surroundings: Surroundings): void {
  const group = program.command("alert-rule").description("Rules that decide who hears of alerts.");
  rulePut(group, surroundings);
  ruleCatchAll(group, surroundings);
  ruleList(group, surroundings);
  ruleShow(group, surroundings);
  ruleTest(group, surroundings);
  ruleRemove(group, surroundings);
}

const FILE = ["<file>", "a YAML or JSON file with one rule or several, or - for standard input"] as const;

const RULE = { schema: AlertRuleSettingsSchema, noun: "alert rule" };

/** `hermod alert-rule put`: one after the other; what is refused ends it. */
function rulePut(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("put")
    .argument(...FILE)
    .description("Make rules, or new versions of those with the same names.")
    .option(...IF_REVISION_OR_NONE);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account, args: [file = "-"] }, options) => {
    const lines: string[] = [];
    const put: unknown[] = [];
    const read = await readMessages(file, surroundings.input, RULE);
    requireOne(read, options);
    await putEach(read, async (settings) => {
      const answer = await core.rules.putRule({ accountId: account, settings, ...options });
      put.push(messageJson(AlertRuleSchema, answer.rule));
      lines.push(putText(answer));
    });
    return { json: listJson(put), text: () => lines.join("\n") };
  });
}

function putText({ rule, created, shadowedBy, suppressedRecipients }: PutRuleResponse): string {
  const shadow = shadowedBy ? ` It is never asked: ${printable(shadowedBy)} takes all of it.` : "";
  const suppressed =
    suppressedRecipients.length > 0
      ? ` On the suppression list, and not mailed: ${suppressedRecipients.map(printable).join(", ")}.`
      : "";
  const what = created ? "is made" : `is in version ${rule?.version ?? 0}`;
  return `The rule ${printable(rule?.settings?.name ?? "")} ${what}.${shadow}${suppressed}`;
}

/** `hermod alert-rule catch-all` */
function ruleCatchAll(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("catch-all")
    .argument("<recipient...>", "an address that is mailed")
    .requiredOption("--from <sender>", "a verified sender of the account")
    .description("Make the rule other-criticals: it mails critical alerts that no other rule takes.")
    .option(...IF_REVISION_OR_NONE);
  coreCommand<OnRevision & { readonly from: string }>(
    surroundings,
    command,
    async ({ core, account, args }, { from, ifRevision = "none" }) => {
      const settings = catchAll({ recipients: [...args], from });
      const answer = await core.rules.putRule({ accountId: account, settings, ifRevision });
      return { json: messageJson(AlertRuleSchema, answer.rule), text: () => putText(answer) };
    },
  );
}

/** A rule that is asked last, also after rules that are made later. */
const catchAll = (notify: { readonly recipients: string[]; readonly from: string }) => ({
  name: "other-criticals",
  description: "Critical alerts that no other rule takes",
  order: 1_000_000,
  match: [{ field: "severity", op: "eq", value: fromJson(ValueSchema, "critical") }],
  onlyUnmatched: true,
  notify,
});

/** `hermod alert-rule list`: in the order in which they are asked. */
function ruleList(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("list").description("List the alert rules of an account.");
  coreCommand(surroundings, command, async ({ core, account, paint }) => {
    const rules = await allPages(
      (pageToken) => core.rules.listRules({ accountId: account, pageToken }),
      (page) => page.rules,
    );
    const asked = rules.toSorted(
      (a, b) => (a.settings?.order ?? 0) - (b.settings?.order ?? 0) || (a.id < b.id ? -1 : 1),
    );
    const nothing = "There are no alert rules. Make one with `hermod alert-rule put`.";
    return {
      json: listJson(asked.map((rule) => messageJson(AlertRuleSchema, rule))),
      text: () => table(paint, ["RULE", "ORDER", "WHEN", "TELLS", ""], asked.map(ruleLine), nothing),
    };
  });
}

/** `hermod alert-rule show`: as `put` takes it. */
function ruleShow(parent: Command, surroundings: Surroundings): void {
  const command = parent.command("show").argument("<rule>", "its name").description("Show an alert rule.");
  coreCommand(surroundings, command, async ({ core, account, args: [name = ""] }) => {
    const { rule } = await core.rules.getRule({ accountId: account, name });
    const settings = messageJson(AlertRuleSettingsSchema, rule?.settings);
    return { json: messageJson(AlertRuleSchema, rule), text: () => JSON.stringify(settings, null, 2) };
  });
}

/** `hermod alert-rule test` */
function ruleTest(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("test")
    .argument("<alert>", "a YAML or JSON file with an alert, or - for standard input")
    .description("Try what rules would make of an alert. Nothing is stored or sent.")
    .option("--rules <file>", "with these rules instead of the account's");
  coreCommand<{ readonly rules?: string }>(
    surroundings,
    command,
    async ({ core, account, args: [file = "-"] }, { rules: rulesFile }) => {
      const given = { schema: AlertSchema, noun: "alert" };
      const [alert, ...others] = await readMessages(file, surroundings.input, given);
      if (!alert || others.length > 0) throw new InputError(`${shownName(file)} must hold one alert.`);
      const rules =
        rulesFile === undefined ? undefined : await readMessages(rulesFile, surroundings.input, RULE);
      const tested = await core.rules.testRules({
        accountId: account,
        alert,
        ...(rules && { rules: { rules } }),
      });
      const { notifying, droppedBy, mutedBy, shadowed } = tested;
      const verdict = [
        notifying.length > 0 ? `Told by ${notifying.map(printable).join(", ")}.` : "Told by no rule.",
        ...(droppedBy ? [`Dropped by ${printable(droppedBy)}.`] : []),
        ...(mutedBy ? [`Held back: it is ${mutedBy}.`] : []),
        ...shadowed.map(
          ({ rule, by }) => `${printable(rule)} is never asked: ${printable(by)} takes all of it.`,
        ),
      ];
      return {
        json: messageJson(TestRulesResponseSchema, tested),
        text: () => [...verdict, "", explanationText(tested.rules)].join("\n").trimEnd(),
      };
    },
  );
}

/** `hermod alert-rule remove` */
function ruleRemove(parent: Command, surroundings: Surroundings): void {
  const command = parent
    .command("remove")
    .argument("<rule>", "its name")
    .description("Remove an alert rule; of its open incidents nothing more is told but their end.")
    .option(...IF_REVISION);
  coreCommand<OnRevision>(surroundings, command, async ({ core, account, args: [name = ""] }, options) => {
    await core.rules.deleteRule({ accountId: account, name, ...options });
    return { json: { removed: name }, text: () => `${printable(name)} is no rule any more.` };
  });
}
