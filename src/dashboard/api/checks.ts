import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type check, checks } from "../../../contracts/dashboard/checks.ts";
import { call, clientOf } from "./client.ts";

const client = clientOf(checks);

export type CatalogCheck = z.output<typeof check>;

/** Filters of the catalogue, as in the address. */
export const checkFilterNames = ["workspace_id", "client_id", "search", "area", "check"] as const;
export type CheckFilter = {
  readonly [Name in (typeof checkFilterNames)[number]]?: string | undefined;
};

/** Every check of watched domains. The list changes only with a release or with settings of the operator. */
export const checksQuery = queryOptions({
  queryKey: ["intel", "checks"],
  queryFn: ({ signal }) => call(() => client.listChecks({ fetchOptions: { signal } })),
  staleTime: Number.POSITIVE_INFINITY,
});
