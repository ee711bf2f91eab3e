import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type suppression, suppressions } from "../../../contracts/dashboard/suppressions.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";
import { Problem } from "./problem.ts";

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

/** An entry by its id, or else that of an address; null: there is none any more. */
export const suppressionOfQuery = (id: string, address: string) =>
  queryOptions({
    queryKey: ["suppressions", "of", id, address],
    queryFn: async ({ signal }): Promise<Suppression | null> => {
      const fetchOptions = { signal };
      if (id === "") {
        const query = { address, limit: 1 };
        const found = await call(() => client.listSuppressions({ query, fetchOptions }));
        return found.data[0] ?? null;
      }
      const find = () => client.getSuppression({ params: { suppression_id: id }, fetchOptions });
      return call(find).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      });
    },
  });
