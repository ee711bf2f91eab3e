import { infiniteQueryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type loggedRequest, requests } from "../../../contracts/dashboard/requests.ts";
import { call, clientOf } from "./client.ts";

const client = clientOf(requests);

export type LoggedRequest = z.output<typeof loggedRequest>;

/** The filters of the log, as its address has them. */
export interface RequestFilter {
  readonly key_id?: string;
  readonly status?: string;
  readonly route?: string;
  readonly trace_id?: string;
}

/** Requests that were sent with keys, newest first. */
export const requestsQuery = (filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ["requests", filter],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      call(() =>
        client.listRequests({
          query: { limit: 50, ...(pageParam && { cursor: pageParam }), ...filter },
          fetchOptions: { signal },
        }),
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
