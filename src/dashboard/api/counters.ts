import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { accounts } from "../../../contracts/dashboard/accounts.ts";
import { type counterSeries, counters } from "../../../contracts/dashboard/counters.ts";
import { zone } from "../parts/time.tsx";
import { call, clientOf } from "./client.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(counters);

export type Series = z.output<typeof counterSeries>;

/** Time spans of the figures. */
export const periods = {
  "24h": { hours: 24, step: "hour" },
  "7d": { hours: 7 * 24, step: "day" },
  "30d": { hours: 30 * 24, step: "day" },
} as const;
export type Period = keyof typeof periods;

/** Dimensions of the figures. */
export const dimensions = ["provider", "key", "template", "sending_domain"] as const;
export type Dimension = (typeof dimensions)[number];

const HOUR_MS = 3_600_000;
const REFRESH_MS = 30_000;

interface Asked {
  readonly period: Period;
  /** Periods before the current one: 0 is the current one. */
  readonly back?: number;
  readonly dimension?: "total" | Dimension;
}

/** Counts of message events in a period, point by point. */
export const countersQuery = ({ period, back = 0, dimension = "total" }: Asked) =>
  queryOptions({
    queryKey: ["counters", period, back, dimension],
    queryFn: ({ signal }) => {
      const { hours, step } = periods[period];
      const until = Date.now() - back * hours * HOUR_MS;
      const from = until - hours * HOUR_MS;
      return call(() =>
        client.countMessages({
          query: {
            from: new Date(from).toISOString(),
            until: new Date(until).toISOString(),
            step,
            dimension,
            top: 5,
            time_zone: zone,
          } as never,
          fetchOptions: { signal },
        }),
      );
    },
    refetchInterval: pollEvery(back === 0 ? REFRESH_MS : false),
  });

/** Percentiles of the time to delivery in a period, point by point. */
export const latencyQuery = (period: Period) =>
  queryOptions({
    queryKey: ["latency", period],
    queryFn: ({ signal }) => {
      const { hours, step } = periods[period];
      const until = new Date();
      const from = new Date(until.getTime() - hours * HOUR_MS);
      const query = { from: from.toISOString(), until: until.toISOString(), step, time_zone: zone };
      return call(() => client.measureLatency({ query: query as never, fetchOptions: { signal } }));
    },
    refetchInterval: pollEvery(REFRESH_MS),
  });

/** Messages that wait now. */
export const queueQuery = queryOptions({
  queryKey: ["queue"],
  queryFn: ({ signal }) =>
    call(() => client.countWaiting({ query: { top: 10 } as never, fetchOptions: { signal } })),
  refetchInterval: pollEvery(REFRESH_MS),
});

/** Webhook endpoints that fail, and keys that expire soon. */
export const attentionQuery = queryOptions({
  queryKey: ["attention"],
  queryFn: ({ signal }) => call(() => clientOf(accounts).getAttention({ fetchOptions: { signal } })),
  refetchInterval: pollEvery(REFRESH_MS),
});
