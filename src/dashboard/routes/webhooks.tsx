import { createRoute } from "@tanstack/react-router";
import {
  type DeliveryFilter,
  deliveriesQuery,
  deliveryFilterNames,
  deliveryQuery,
} from "../api/deliveries.ts";
import {
  type StatisticsPeriod,
  statisticsPeriods,
  webhookQuery,
  webhooksQuery,
  webhookTypesQuery,
} from "../api/webhooks.ts";
import { readTab, type WebhookTab } from "../pages/webhooks/tabs.ts";
import { readTexts } from "../parts/read-texts.ts";
import { readVersionSearch, type VersionSearch } from "../parts/version-search.ts";
import { insideRoute } from "./inside.tsx";
import { lazyPage } from "./lazy-page.ts";

export const webhooksRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/webhooks",
  loader: ({ context }) => void context.queryClient.prefetchInfiniteQuery(webhooksQuery),
  component: lazyPage(() => import("../pages/webhooks/list.tsx"), "WebhookListPage"),
});

export const newWebhookRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/webhooks/new",
  loader: ({ context }) => void context.queryClient.prefetchQuery(webhookTypesQuery),
  component: lazyPage(() => import("../pages/webhooks/new.tsx"), "NewWebhookPage"),
});

interface WebhookSearch extends DeliveryFilter, VersionSearch {
  readonly tab?: WebhookTab | undefined;
  /** Time span of the plots. */
  readonly period?: StatisticsPeriod | undefined;
}

export const webhookRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/webhooks/$webhookId",
  validateSearch: (search: Record<string, unknown>): WebhookSearch => {
    const tab = readTab(search.tab);
    const period = readPeriod(search.period);
    return {
      ...readTexts(search, deliveryFilterNames),
      // The tab of deliveries takes other parameters for its filter.
      ...(tab === "versions" && readVersionSearch(search)),
      ...(tab !== undefined && tab !== "overview" && { tab }),
      ...(period !== undefined && period !== "24h" && { period }),
    };
  },
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(webhookQuery(params.webhookId)),
  component: lazyPage(() => import("../pages/webhooks/detail.tsx"), "WebhookPage"),
});

export const deliveriesRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/webhooks/deliveries",
  validateSearch: (search: Record<string, unknown>): DeliveryFilter => readTexts(search, deliveryFilterNames),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => void context.queryClient.prefetchInfiniteQuery(deliveriesQuery(deps)),
  component: lazyPage(() => import("../pages/webhooks/deliveries.tsx"), "DeliveryListPage"),
});

export const deliveryRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/webhooks/deliveries/$deliveryId",
  loader: ({ context, params }) => void context.queryClient.prefetchQuery(deliveryQuery(params.deliveryId)),
  component: lazyPage(() => import("../pages/webhooks/delivery.tsx"), "DeliveryPage"),
});

interface EventSearch {
  /** Text that the shown types contain. */
  readonly search?: string | undefined;
  /** The open type. */
  readonly type?: string | undefined;
}

export const eventsRoute = createRoute({
  getParentRoute: () => insideRoute,
  path: "/webhooks/events",
  validateSearch: (search: Record<string, unknown>): EventSearch => readTexts(search, ["search", "type"]),
  loader: ({ context }) => void context.queryClient.prefetchQuery(webhookTypesQuery),
  component: lazyPage(() => import("../pages/webhooks/events.tsx"), "EventCataloguePage"),
});

function readPeriod(name: unknown): StatisticsPeriod | undefined {
  return typeof name === "string" && Object.hasOwn(statisticsPeriods, name)
    ? (name as StatisticsPeriod)
    : undefined;
}
