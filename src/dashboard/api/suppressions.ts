import { infiniteQueryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type suppression, suppressions } from "../../../contracts/dashboard/suppressions.ts";
import { call, clientOf } from "./client.ts";

const client = clientOf(suppressions);

export type Suppression = z.output<typeof suppression>;
export type NewSuppression = Parameters<typeof client.addSuppression>[0]["body"];

/** The filters of the list, as its address has them. */
export interface SuppressionFilter {
  readonly address?: string;
  readonly reason?: string;
}

/** Addresses that the account sends nothing to. */
export const suppressionsQuery = (filter: SuppressionFilter) =>
  infiniteQueryOptions({
    queryKey: ["suppressions", filter],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      call(() =>
        client.listSuppressions({
          query: { limit: 50, ...(pageParam && { cursor: pageParam }), ...filter } as never,
          fetchOptions: { signal },
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

export const addSuppression = (body: NewSuppression) => call(() => client.addSuppression({ body }));
export const removeSuppression = (suppression_id: string) =>
  call(() => client.removeSuppression({ params: { suppression_id } }));
