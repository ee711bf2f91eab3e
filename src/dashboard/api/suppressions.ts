import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type suppression, suppressions } from "../../../contracts/dashboard/suppressions.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery } from "./pages.ts";
import { Problem } from "./problem.ts";

const client = clientOf(suppressions);

export type Suppression = z.output<typeof suppression>;
export type NewSuppression = Parameters<typeof client.addSuppression>[0]["body"];

/** Filters of the list, as in the address. */
export interface SuppressionFilter {
  readonly address?: string | undefined;
  readonly domain?: string | undefined;
  readonly reason?: string | undefined;
  /** Number of days that the entries go back. */
  readonly days?: string | undefined;
}

const DAY_MS = 86_400_000;

/** The filter in the form of the API. Times are whole minutes, so that a count and its confirmation have the same filter. */
export function askedOf({ days, ...filter }: SuppressionFilter) {
  const ms = Number(days) * DAY_MS;
  if (!Number.isFinite(ms) || ms <= 0) return filter;
  return { ...filter, from: new Date(Math.floor((Date.now() - ms) / 60_000) * 60_000).toISOString() };
}

/** Addresses to which the account sends nothing. */
export const suppressionsQuery = (filter: SuppressionFilter) =>
  listQuery(["suppressions", "list", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listSuppressions({ query: { ...query, ...askedOf(filter) } as never, fetchOptions })),
  );

/** Numbers of entries by reason, without the reason filter of the list. */
export const suppressionCountsQuery = ({ reason: _, ...filter }: SuppressionFilter) =>
  queryOptions({
    queryKey: ["suppressions", "counts", filter],
    queryFn: ({ signal }) =>
      call(() => client.countSuppressions({ query: askedOf(filter) as never, fetchOptions: { signal } })),
  });

/** Address of the entries as a CSV file. */
export function exportAddress(filter: SuppressionFilter): string {
  const query = new URLSearchParams(Object.entries(askedOf(filter)).filter(([, value]) => value) as never);
  return `${home}/api/suppressions/export?${query}`;
}

export const addSuppression = (body: NewSuppression) => call(() => client.addSuppression({ body }));
export const removeSuppression = (suppression_id: string) =>
  call(() => client.removeSuppression({ params: { suppression_id } }));

/** An entry by its id, or else by its address; null if it no longer exists. */
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

type RemovalFilter = ReturnType<typeof askedOf>;
export type RemovalCount = Awaited<ReturnType<typeof countRemoval>>;

/** Counts the entries of a removal. */
export async function countRemoval(filter: RemovalFilter) {
  const counted = await call(() => client.removeMatchingSuppressions({ body: { filter: filter as never } }));
  if (!("confirmation" in counted)) throw new Error("A count was answered with a job.");
  return counted;
}

/**
 * Starts the job that removes the counted entries.
 * @returns its id
 */
export async function beginRemoval(filter: RemovalFilter, confirmation: string): Promise<string> {
  const begun = await call(() =>
    client.removeMatchingSuppressions({ body: { filter: filter as never, confirmation } }),
  );
  if (!("kind" in begun)) throw new Error("A removal was answered with a count.");
  return begun.id;
}

/** @param preview if true, nothing is written */
export const importSuppressions = (csv: string, preview: boolean) =>
  call(() => client.importSuppressions({ body: { csv, preview } }));
