import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { alertRule, rules as contract } from "../../../contracts/dashboard/rules.ts";
import {
  AlertRuleSchema,
  AlertRuleSettingsSchema,
  PutRuleResponseSchema,
  TestRulesResponseSchema,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import { alertOf } from "../alerts.ts";
import { bodyOf, createCoreFor, type DashboardParts, messageOf, pageBody, pageRequest } from "./call.ts";

type AlertRule = z.output<typeof alertRule>;

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
    putAlertRule: async ({ request, params: { name }, body }) => {
      const { if_revision: ifRevision = "", ...given } = body;
      const settings = messageOf(AlertRuleSettingsSchema, { ...given, name });
      const put = await coreFor(request).rules.putRule({ settings, ifRevision });
      const { rule, shadowed_by, suppressed_recipients } = bodyOf<{
        rule: AlertRule;
        shadowed_by: string;
        suppressed_recipients: string[];
      }>(PutRuleResponseSchema, put);
      const answer = { ...rule, shadowed_by, suppressed_recipients };
      return { status: put.created ? 201 : 200, body: answer };
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
  };
}
