import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { alertRule } from "../../../contracts/dashboard/rules.ts";
import { rules } from "../../../contracts/dashboard/rules.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, listQuery, pageOf } from "./pages.ts";

const client = clientOf(rules);

export type AlertRule = z.output<typeof alertRule>;
/** The settings of a rule, as a change sends them. */
export type RuleContent = Omit<AlertRule["settings"], "name">;
export type Condition = NonNullable<RuleContent["match"]>[number];
export type Notification = NonNullable<RuleContent["notify"]>;
export type QuietHours = NonNullable<Notification["quiet_hours"]>;
type RuleTest = NonNullable<Parameters<typeof client.testAlertRules>[0]["body"]>;
export type TestedAlert = RuleTest["alert"];
export type RuleTestResult = Awaited<ReturnType<typeof testRules>>;
type Trial = NonNullable<NonNullable<Parameters<typeof client.tryAlertRules>[0]>["body"]>;
export type PastFilter = NonNullable<Trial["filter"]>;
export type TrialResult = Awaited<ReturnType<typeof tryRule>>;
export type RuleMails = Awaited<ReturnType<typeof previewRuleMail>>;
export const mailKinds = ["first", "resolved", "digest"] as const;
export type MailKind = (typeof mailKinds)[number];
export type PutRule = Awaited<ReturnType<typeof replaceRule>>;

/** Alert rules by name. */
export const rulesQuery = listQuery(["alert-rules", "list"], 100, ({ query, fetchOptions }) =>
  call(() => client.listAlertRules({ query, fetchOptions })),
);

/** Rules that are searched at most. */
const MOST = 1_000;

/** All rules of the account, to find those that name a target or an on-call schedule. */
export const allRulesQuery = queryOptions({
  queryKey: ["alert-rules", "all"],
  queryFn: ({ signal }) =>
    findFirst(MOST, (cursor) =>
      call(() => client.listAlertRules({ query: pageOf(cursor, 100), fetchOptions: { signal } })),
    ),
});

export const ruleQuery = (name: string) =>
  queryOptions({
    queryKey: ["alert-rules", "one", name],
    queryFn: ({ signal }) => call(() => client.getAlertRule({ params: { name }, fetchOptions: { signal } })),
  });

/** Versions of a rule, newest first. */
export const ruleVersionsQuery = (name: string) =>
  listQuery(["alert-rules", "versions", name], 50, ({ query, fetchOptions }) =>
    call(() => client.listAlertRuleVersions({ params: { name }, query, fetchOptions })),
  );

/** A version with its settings. */
export const ruleVersionQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: ["alert-rules", "version", name, version],
    queryFn: ({ signal }) =>
      call(() =>
        client.getAlertRuleVersion({ params: { name, version: String(version) }, fetchOptions: { signal } }),
      ),
  });

/** The fields that differ between two versions. */
export const ruleDifferenceQuery = (name: string, before: number, after: number) =>
  queryOptions({
    queryKey: ["alert-rules", "difference", name, before, after],
    queryFn: ({ signal }) =>
      call(() =>
        client.compareAlertRuleVersions({
          params: { name },
          query: { before: String(before), after: String(after) },
          fetchOptions: { signal },
        }),
      ),
  });

/** The server refuses it if the account has a rule with this name. */
export const createRule = (name: string, content: RuleContent) => replaceRule(name, "none", content);

/** Replaces all settings. The server refuses it if the rule has another revision. */
export const replaceRule = (name: string, if_revision: string, content: RuleContent) =>
  call(() => client.putAlertRule({ params: { name }, body: { ...content, if_revision } }));

export const restoreRule = (name: string, if_revision: string, version: number) =>
  call(() => client.restoreAlertRule({ params: { name }, body: { if_revision, version } }));

export const deleteRule = (name: string, if_revision: string) =>
  call(() => client.deleteAlertRule({ params: { name }, query: { if_revision } }));

/** The result of the account's rules for an alert. Nothing is stored or sent. */
export const ruleTestQuery = (alert: TestedAlert) =>
  queryOptions({
    queryKey: ["alert-rules", "test", alert],
    queryFn: ({ signal }) => call(() => client.testAlertRules({ body: { alert }, fetchOptions: { signal } })),
  });

/** The result of rules for an alert. Nothing is stored or sent. @param rules instead of those of the account */
export const testRules = (alert: TestedAlert, rules?: RuleTest["rules"]) =>
  call(() => client.testAlertRules({ body: { alert, ...(rules && { rules }) } }));

/** A rule without a name has this one in tests: a test needs a name. */
const NAMELESS = "unsaved";
export const trialName = (name: string): string => name || NAMELESS;

const named = (name: string, content: RuleContent) => ({ ...content, name: trialName(name) });

/** The results of unsaved settings for past alerts, among the other rules of the account. Nothing is stored or sent. */
export const tryRule = (name: string, content: RuleContent, filter: PastFilter, limit: number) =>
  call(() => client.tryAlertRules({ body: { rule: named(name, content), filter, limit } }));

/** The mails of unsaved settings for an alert. Nothing is stored or sent. */
export const previewRuleMail = (name: string, content: RuleContent, alert: TestedAlert) =>
  call(() => client.previewAlertRuleMail({ body: { rule: named(name, content), alert } }));

/** Sends one of these mails to the user. */
export const sendRuleTest = (name: string, content: RuleContent, alert: TestedAlert, kind: MailKind) =>
  call(() => client.sendAlertRuleTest({ body: { rule: named(name, content), alert, kind, to: "self" } }));
