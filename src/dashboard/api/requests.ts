import type { z } from "zod";
import { type loggedRequest, requests } from "../../../contracts/dashboard/requests.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(requests);

export type LoggedRequest = z.output<typeof loggedRequest>;

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
