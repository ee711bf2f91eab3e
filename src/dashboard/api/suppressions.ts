import type { z } from "zod";
import { type suppression, suppressions } from "../../../contracts/dashboard/suppressions.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

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
  listQuery(["suppressions", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listSuppressions({ query: { ...query, ...filter } as never, fetchOptions })),
  );

export const addSuppression = (body: NewSuppression) => call(() => client.addSuppression({ body }));
export const removeSuppression = (suppression_id: string) =>
  call(() => client.removeSuppression({ params: { suppression_id } }));
