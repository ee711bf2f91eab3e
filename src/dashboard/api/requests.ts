import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type loggedRequest,
  type requestStatistics,
  requests,
} from "../../../contracts/dashboard/requests.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(requests);

export type LoggedRequest = z.output<typeof loggedRequest>;
export type RequestStatistics = z.output<typeof requestStatistics>;

/** Filters of the log, as in the address. */
export interface RequestFilter {
  readonly key_id?: string | undefined;
  readonly status?: string | undefined;
  readonly route?: string | undefined;
  readonly trace_id?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Requests made with keys, newest first. */
export const requestsQuery = (filter: RequestFilter) =>
  listQuery(["requests", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listRequests({ query: { ...query, ...filter } as never, fetchOptions })),
  );

/** A source sends its first alert while the user waits. */
const ARRIVAL_POLL_MS = 2_000;

/** Requests with a key that report alerts, newest first. A page reads a limited number of requests. */
export const alertRequestsQuery = (key_id: string) => ({
  ...listQuery(["requests", "alerts", key_id], 50, async ({ query, fetchOptions }) => {
    const page = await call(() => client.listRequests({ query: { ...query, key_id }, fetchOptions }));
    return { ...page, data: page.data.filter(({ route }) => isAlertRoute(route)) };
  }),
  refetchInterval: pollEvery(ARRIVAL_POLL_MS),
});

const isAlertRoute = (route: string): boolean =>
  route === "/v1/alerts/ingest" || route.startsWith("/inbound/alerts/");

/** Time spans of the statistics. */
export const requestPeriods = {
  "24h": { hours: 24, step: "hour" },
  "7d": { hours: 7 * 24, step: "hour" },
  "30d": { hours: 30 * 24, step: "day" },
  "1y": { hours: 365 * 24, step: "day" },
} as const;
export type RequestPeriod = keyof typeof requestPeriods;

/** The period in an address; undefined if it does not exist. */
export const readRequestPeriod = (name: unknown): RequestPeriod | undefined =>
  (Object.keys(requestPeriods) as RequestPeriod[]).find((one) => one === name);

const HOUR_MS = 3_600_000;
const REFRESH_MS = 30_000;

/** Numbers of requests by status in a period that ends now. */
export const requestStatisticsQuery = (period: RequestPeriod) =>
  queryOptions({
    queryKey: ["request-statistics", period],
    queryFn: ({ signal }) => {
      const { hours, step } = requestPeriods[period];
      const until = new Date();
      const from = new Date(until.getTime() - hours * HOUR_MS);
      return call(() =>
        client.getRequestStatistics({
          query: { from: from.toISOString(), until: until.toISOString(), step },
          fetchOptions: { signal },
        }),
      );
    },
    refetchInterval: pollEvery(REFRESH_MS),
  });
