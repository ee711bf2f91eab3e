import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { settingDifference, settingVersion } from "../../../contracts/common/setting-versions.ts";
import type { webhook, webhookWithSecret } from "../../../contracts/common/webhook-schemas.ts";
import type { webhookStatistics, webhookTypeList } from "../../../contracts/common/webhook-statistics.ts";
import type { webhookVersion } from "../../../contracts/common/webhook-versions.ts";
import type { webhooks as contract, newWebhook } from "../../../contracts/dashboard/webhooks.ts";
import { SettingVersionSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import {
  CompareWebhookVersionsResponseSchema,
  GetWebhookVersionResponseSchema,
  SendTestEventResponseSchema,
  type Webhook as WebhookMessage,
  WebhookSchema,
  WebhookStatisticsSchema,
  WebhookTypeSchema,
} from "../../../gen/hermod/webhook/v1/webhook_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import {
  bodyOf,
  createCoreFor,
  type DashboardParts,
  isForced,
  momentOf,
  pageBody,
  pageRequest,
  removedAnswer,
} from "./call.ts";

type NewWebhook = z.output<typeof newWebhook>;
type Webhook = z.output<typeof webhook>;
type WebhookWithSecret = z.output<typeof webhookWithSecret>;
type WebhookTypes = z.output<typeof webhookTypeList>;
type WebhookStatistics = z.output<typeof webhookStatistics>;
type Version = z.output<typeof settingVersion>;
type Content = z.output<typeof webhookVersion>["content"];
type Difference = z.output<typeof settingDifference>;

/** Handlers of the routes of `dashboard.webhooks`. */
export function webhooks(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    listWebhooks: async ({ request, query }) => {
      const found = await coreFor(request).webhooks.listWebhooks(pageRequest(query));
      return { status: 200, body: pageBody(found.webhooks.map(webhookBody), found.nextPageToken) };
    },
    getWebhook: async ({ request, params }) => {
      const found = await coreFor(request).webhooks.getWebhook({ id: params.endpoint_id });
      return { status: 200, body: webhookBody(found.webhook) };
    },
    createWebhook: async ({ request, body }) => {
      const created = await coreFor(request).webhooks.createWebhook({
        settings: settingsOf(body),
        ...withoutUndefined({ algorithm: body.algorithm }),
      });
      return { status: 201, body: withSecret(created) };
    },
    replaceWebhook: async ({ request, params, body: { revision, ...settings } }) => {
      const asked = { id: params.endpoint_id, revision, settings: settingsOf(settings) };
      const changed = await coreFor(request).webhooks.replaceWebhook(asked);
      return { status: 200, body: webhookBody(changed.webhook) };
    },
    disableWebhook: async ({ request, params }) => {
      const changed = await coreFor(request).webhooks.disableWebhook({ id: params.endpoint_id });
      return { status: 200, body: webhookBody(changed.webhook) };
    },
    enableWebhook: async ({ request, params }) => {
      const changed = await coreFor(request).webhooks.enableWebhook({ id: params.endpoint_id });
      return { status: 200, body: webhookBody(changed.webhook) };
    },
    rotateWebhookSecret: async ({ request, params, body }) => {
      const overlap = withoutUndefined({ overlapSeconds: body.overlap_seconds });
      const asked = { id: params.endpoint_id, ...overlap };
      const changed = await coreFor(request).webhooks.rotateWebhookSecret(asked);
      return { status: 201, body: withSecret(changed) };
    },
    sendTestEvent: async ({ request, params, body: { type = "" } }) => {
      const sent = await coreFor(request).webhooks.sendTestEvent({ id: params.endpoint_id, type });
      return { status: 202, body: bodyOf<{ delivery_id: string }>(SendTestEventResponseSchema, sent) };
    },
    listWebhookTypes: async ({ request }) => {
      const found = await coreFor(request).webhooks.listWebhookTypes({});
      return {
        status: 200,
        body: {
          data: found.types.map((one) => bodyOf<WebhookTypes["data"][number]>(WebhookTypeSchema, one)),
        },
      };
    },
    getWebhookStatistics: async ({ request, params, query }) => {
      const [from, until] = [momentOf(query.from, "/from"), momentOf(query.until, "/until")];
      const found = await coreFor(request).webhooks.getWebhookStatistics({
        id: params.endpoint_id,
        step: query.step ?? "",
        ...(from && { from: timestampFromDate(from) }),
        ...(until && { until: timestampFromDate(until) }),
      });
      return { status: 200, body: bodyOf<WebhookStatistics>(WebhookStatisticsSchema, found.statistics) };
    },
    listWebhookVersions: async ({ request, params: { endpoint_id: id }, query }) => {
      const found = await coreFor(request).webhooks.listWebhookVersions({ id, ...pageRequest(query) });
      const data = found.versions.map((one) => bodyOf<Version>(SettingVersionSchema, one));
      return { status: 200, body: pageBody(data, found.nextPageToken) };
    },
    getWebhookVersion: async ({ request, params: { endpoint_id: id, version } }) => {
      const found = await coreFor(request).webhooks.getWebhookVersion({ id, version });
      const { settings } = bodyOf<{ settings: Content }>(GetWebhookVersionResponseSchema, found);
      const unknown = new Set(found.unknownValues);
      const headers = settings.headers.map(({ name }) => ({ name, value_known: !unknown.has(name) }));
      const content = { ...settings, headers };
      return { status: 200, body: { ...bodyOf<Version>(SettingVersionSchema, found.version), content } };
    },
    compareWebhookVersions: async ({ request, params: { endpoint_id: id }, query }) => {
      const { before = "", after = "" } = query;
      const compared = await coreFor(request).webhooks.compareWebhookVersions({ id, before, after });
      return { status: 200, body: bodyOf<Difference>(CompareWebhookVersionsResponseSchema, compared) };
    },
    restoreWebhook: async ({ request, params: { endpoint_id: id }, body }) => {
      const { revision, version, headers = [] } = body;
      const restored = await coreFor(request).webhooks.restoreWebhook({ id, revision, version, headers });
      return { status: 200, body: webhookBody(restored.webhook) };
    },
    deleteWebhook: async ({ request, params, query }) => {
      const removed = await coreFor(request).webhooks.deleteWebhook({
        id: params.endpoint_id,
        force: isForced(query),
        ifRevision: query.if_revision ?? "",
      });
      return removedAnswer(removed);
    },
  };
}

function settingsOf(settings: NewWebhook) {
  const { url, description, types, tags, policies, ordered, rate_per_second: ratePerSecond } = settings;
  const { headers } = settings;
  const given = withoutUndefined({ description, types, tags, policies, ordered, ratePerSecond });
  return { url, ...given, headers: (headers ?? []).map(({ name, value = "" }) => ({ name, value })) };
}

function webhookBody(message: WebhookMessage | undefined): Webhook {
  const { settings, ...rest } = bodyOf<Omit<Webhook, keyof Settings> & { settings: Settings }>(
    WebhookSchema,
    message,
  );
  const headers = settings.headers.map(({ name }) => ({ name }));
  return { ...rest, ...settings, headers };
}

type Settings = Pick<
  Webhook,
  "url" | "description" | "types" | "tags" | "policies" | "ordered" | "rate_per_second" | "headers"
>;

function withSecret({
  webhook: message,
  secret,
}: {
  readonly webhook?: WebhookMessage | undefined;
  readonly secret: string;
}): WebhookWithSecret {
  return { ...webhookBody(message), secret };
}
