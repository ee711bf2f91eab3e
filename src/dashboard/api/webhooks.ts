import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { webhook, webhookWithSecret } from "../../../contracts/common/webhook-schemas.ts";
import type { webhookStatistics, webhookTypeList } from "../../../contracts/common/webhook-statistics.ts";
import { webhooks } from "../../../contracts/dashboard/webhooks.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(webhooks);

export type Webhook = z.output<typeof webhook>;
/** A new endpoint, or one with a new secret. It exists only in the state of a component. */
export type RevealedWebhook = z.output<typeof webhookWithSecret>;
export type WebhookEventType = z.output<typeof webhookTypeList>["data"][number];
export type WebhookStatistics = z.output<typeof webhookStatistics>;
export type WebhookAttempts = WebhookStatistics["all"];
export type NewWebhook = Parameters<typeof client.createWebhook>[0]["body"];
type WebhookReplacement = Parameters<typeof client.replaceWebhook>[0]["body"];
type WebhookRestoration = Parameters<typeof client.restoreWebhook>[0]["body"];
export type WebhookAlgorithm = NonNullable<NewWebhook["algorithm"]>;

/** Endpoints in the order of their creation. An account has up to 20, so that one page has all of them. */
export const webhooksQuery = listQuery(["webhooks", "list"], 100, ({ query, fetchOptions }) =>
  call(() => client.listWebhooks({ query, fetchOptions })),
);

/** An endpoint without its secrets. */
export const webhookQuery = (endpoint_id: string) =>
  queryOptions({
    queryKey: ["webhooks", "one", endpoint_id],
    queryFn: ({ signal }) =>
      call(() => client.getWebhook({ params: { endpoint_id }, fetchOptions: { signal } })),
  });

/** All event types, with the schemas and examples of their payloads. They change only with a release. */
export const webhookTypesQuery = queryOptions({
  queryKey: ["webhook-types"],
  queryFn: ({ signal }) => call(() => client.listWebhookTypes({ fetchOptions: { signal } })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Time spans of the statistics. */
export const statisticsPeriods = {
  "1h": { hours: 1, step: "minute" },
  "24h": { hours: 24, step: "hour" },
  "7d": { hours: 7 * 24, step: "hour" },
  "30d": { hours: 30 * 24, step: "day" },
} as const;
export type StatisticsPeriod = keyof typeof statisticsPeriods;

/** Milliseconds of a point of the statistics, by its step. */
export const stepMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

const HOUR_MS = 3_600_000;
const REFRESH_MS = 30_000;

/** Requests to an endpoint in a period that ends now. */
export const webhookStatisticsQuery = (endpoint_id: string, period: StatisticsPeriod) =>
  queryOptions({
    queryKey: ["webhooks", "statistics", endpoint_id, period],
    queryFn: ({ signal }) => {
      const { hours, step } = statisticsPeriods[period];
      const until = new Date();
      const from = new Date(until.getTime() - hours * HOUR_MS);
      return call(() =>
        client.getWebhookStatistics({
          params: { endpoint_id },
          query: { from: from.toISOString(), until: until.toISOString(), step },
          fetchOptions: { signal },
        }),
      );
    },
    refetchInterval: pollEvery(REFRESH_MS),
  });

/** Versions of the settings of an endpoint, newest first. */
export const webhookVersionsQuery = (endpoint_id: string) =>
  listQuery(["webhooks", "versions", endpoint_id], 50, ({ query, fetchOptions }) =>
    call(() => client.listWebhookVersions({ params: { endpoint_id }, query, fetchOptions })),
  );

/** A version with its settings, without the values of headers. */
export const webhookVersionQuery = (endpoint_id: string, version: number) =>
  queryOptions({
    queryKey: ["webhooks", "version", endpoint_id, version],
    queryFn: ({ signal }) =>
      call(() =>
        client.getWebhookVersion({
          params: { endpoint_id, version: String(version) },
          fetchOptions: { signal },
        }),
      ),
  });

/** The fields that differ between two versions. */
export const webhookDifferenceQuery = (endpoint_id: string, before: number, after: number) =>
  queryOptions({
    queryKey: ["webhooks", "difference", endpoint_id, before, after],
    queryFn: ({ signal }) =>
      call(() =>
        client.compareWebhookVersions({
          params: { endpoint_id },
          query: { before: String(before), after: String(after) },
          fetchOptions: { signal },
        }),
      ),
  });

export const createWebhook = (body: NewWebhook) => call(() => client.createWebhook({ body }));
/** Replaces the settings. The server refuses it if another member has changed the endpoint. */
export const replaceWebhook = (endpoint_id: string, body: WebhookReplacement) =>
  call(() => client.replaceWebhook({ params: { endpoint_id }, body }));
/** Stores the settings of a version again. The server refuses it if a value of a header is unknown. */
export const restoreWebhook = (endpoint_id: string, body: WebhookRestoration) =>
  call(() => client.restoreWebhook({ params: { endpoint_id }, body }));
export const disableWebhook = (endpoint_id: string) =>
  call(() => client.disableWebhook({ params: { endpoint_id } }));
export const enableWebhook = (endpoint_id: string) =>
  call(() => client.enableWebhook({ params: { endpoint_id } }));

/** @param overlapSeconds how long the former secret still signs */
export const rotateWebhookSecret = (endpoint_id: string, overlapSeconds: number) =>
  call(() =>
    client.rotateWebhookSecret({ params: { endpoint_id }, body: { overlap_seconds: overlapSeconds } }),
  );

/** @param type event type; undefined: `webhook.test` */
export const sendTestEvent = (endpoint_id: string, type?: string) =>
  call(() => client.sendTestEvent({ params: { endpoint_id }, body: type === undefined ? {} : { type } }));

export const deleteWebhook = (endpoint_id: string, isForced: boolean) =>
  call(() =>
    client.deleteWebhook({ params: { endpoint_id }, query: isForced ? { force: "true" as const } : {} }),
  );
