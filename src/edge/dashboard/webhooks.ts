import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { webhookStatistics, webhookTypeList } from "../../../contracts/common/webhook-statistics.ts";
import type {
  webhooks as contract,
  newWebhook,
  webhook,
  webhookWithSecret,
} from "../../../contracts/dashboard/webhooks.ts";
import {
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
