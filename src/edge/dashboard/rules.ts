import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ServerInferRequest, ServerInferResponses } from "@ts-rest/core";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { settingDifference, settingVersion } from "../../../contracts/common/setting-versions.ts";
import type { alertRule, alertRuleVersion, rules as contract } from "../../../contracts/dashboard/rules.ts";
import { SettingVersionSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import {
  AlertRuleSchema,
  AlertRuleSettingsSchema,
  CompareRuleVersionsResponseSchema,
  GetRuleVersionResponseSchema,
  PastAlertFilterSchema,
  PreviewRuleMailResponseSchema,
  PutRuleResponseSchema,
  RestoreRuleResponseSchema,
  SendRuleTestResponseSchema,
  TestRulesResponseSchema,
  TryRulesResponseSchema,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { lockHtml } from "../../message/preview/lock-html.ts";
import { alertOf } from "../alerts.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  messageOf,
  momentOf,
  pageBody,
  pageRequest,
} from "./call.ts";

type AlertRule = z.output<typeof alertRule>;
type Version = z.output<typeof settingVersion>;
type Content = z.output<typeof alertRuleVersion>["content"];
type Difference = z.output<typeof settingDifference>;
/** A stored rule as the core answers it. */
interface Stored {
  readonly rule: AlertRule;
  readonly shadowed_by: string;
  readonly suppressed_recipients: string[];
}

/** Handlers of the routes of `dashboard.rules`. */
export function rules(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listAlertRules: async ({ request, query }) => {
      const found = await coreFor(request).rules.listRules(pageRequest(query));
      const data = found.rules.map((rule) => bodyOf<AlertRule>(AlertRuleSchema, rule));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getAlertRule: async ({ request, params: { name } }) => {
      const { rule } = await coreFor(request).rules.getRule({ name });
      return { status: 200, body: bodyOf(AlertRuleSchema, rule) };
    },
    putAlertRule: async ({ request, params: { name }, body: asked }) => {
      const { if_revision: ifRevision = "", ...given } = asked;
      const settings = messageOf(AlertRuleSettingsSchema, { ...given, name });
      const put = await coreFor(request).rules.putRule({ settings, ifRevision });
      const body = storedBody(bodyOf<Stored>(PutRuleResponseSchema, put));
      return { status: put.created ? 201 : 200, body };
    },
    listAlertRuleVersions: async ({ request, params: { name }, query }) => {
      const found = await coreFor(request).rules.listRuleVersions({ name, ...pageRequest(query) });
      const data = found.versions.map((one) => bodyOf<Version>(SettingVersionSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getAlertRuleVersion: async ({ request, params: { name, version } }) => {
      const found = await coreFor(request).rules.getRuleVersion({ name, version });
      const { settings } = bodyOf<{ settings: Content }>(GetRuleVersionResponseSchema, found);
      const body = { ...bodyOf<Version>(SettingVersionSchema, found.version), content: settings };
      return { status: 200, body };
    },
    compareAlertRuleVersions: async ({ request, params: { name }, query }) => {
      const { before = "", after = "" } = query;
      const compared = await coreFor(request).rules.compareRuleVersions({ name, before, after });
      return { status: 200, body: bodyOf<Difference>(CompareRuleVersionsResponseSchema, compared) };
    },
    restoreAlertRule: async ({ request, params: { name }, body: { version, if_revision } }) => {
      const asked = { name, version, ifRevision: if_revision ?? "" };
      const restored = await coreFor(request).rules.restoreRule(asked);
      return { status: 200, body: storedBody(bodyOf<Stored>(RestoreRuleResponseSchema, restored)) };
    },
    deleteAlertRule: async ({ request, params: { name }, query }) => {
      await coreFor(request).rules.deleteRule({ name, ifRevision: query.if_revision ?? "" });
      return { status: 204, body: undefined };
    },
    testAlertRules: async ({ request, body: { alert, rules: given } }) => {
      const instead = given?.map((one, index) => messageOf(AlertRuleSettingsSchema, one, `/rules/${index}`));
      const tested = await coreFor(request).rules.testRules({
        alert: alertOf(alert, "/alert"),
        ...(instead && { rules: { rules: instead } }),
      });
      return { status: 200, body: bodyOf(TestRulesResponseSchema, tested) };
    },
    tryAlertRules: async ({ request, body: { rule, rules: given, name = "", filter, limit = 0 } }) => {
      const instead = given?.map((one, index) => messageOf(AlertRuleSettingsSchema, one, `/rules/${index}`));
      const tried = await coreFor(request).rules.tryRules({
        name,
        limit,
        ...(rule && { rule: messageOf(AlertRuleSettingsSchema, rule, "/rule") }),
        ...(instead && { rules: { rules: instead } }),
        ...(filter && { filter: filterOf(filter) }),
      });
      return { status: 200, body: bodyOf(TryRulesResponseSchema, tried) };
    },
    previewAlertRuleMail: async ({ request, body }) => {
      const mails = await coreFor(request).rules.previewRuleMail(ruleMailOf(body));
      return { status: 200, body: mailsOf(bodyOf<Mails>(PreviewRuleMailResponseSchema, mails)) };
    },
    sendAlertRuleTest: async ({ request, body: { kind = "", to = "", ...mail } }) => {
      const sent = await coreFor(request).rules.sendRuleTest({ ...ruleMailOf(mail), kind, to });
      return { status: 202, body: bodyOf(SendRuleTestResponseSchema, sent) };
    },
  };
}

type TrialBody = ServerInferRequest<typeof contract.tryAlertRules>["body"];

/** Filter of past alerts. @throws Fault request.validation_failed */
function filterOf({ from, until, ...rest }: NonNullable<TrialBody["filter"]>) {
  const begin = momentOf(from, "/filter/from");
  const end = momentOf(until, "/filter/until");
  return {
    ...messageOf(PastAlertFilterSchema, rest, "/filter"),
    ...(begin && { from: timestampFromDate(begin) }),
    ...(end && { until: timestampFromDate(end) }),
  };
}

type MailBody = ServerInferRequest<typeof contract.previewAlertRuleMail>["body"];

/** A rule, and an alert for its mail. @throws Fault request.validation_failed */
function ruleMailOf({ name = "", rule, alert_id: alertId = "", alert }: MailBody) {
  return {
    name,
    alertId,
    ...(rule && { rule: messageOf(AlertRuleSettingsSchema, rule, "/rule") }),
    ...(alert && { alert: alertOf(alert, "/alert") }),
  };
}

type Mails = Extract<
  ServerInferResponses<typeof contract.previewAlertRuleMail>,
  { readonly status: 200 }
>["body"];

/** The mails of a rule, each with its HTML for a frame. */
function mailsOf({ first, resolved, digest, ...rest }: Mails): Mails {
  const shown = (mail: Mails["first"]): Mails["first"] =>
    mail.html === undefined ? mail : { ...mail, document: lockHtml(mail.html, []) };
  return {
    ...rest,
    first: shown(first),
    ...(resolved && { resolved: shown(resolved) }),
    digest: shown(digest),
  };
}

function storedBody({ rule, shadowed_by, suppressed_recipients }: Stored) {
  return { ...rule, shadowed_by, suppressed_recipients };
}
