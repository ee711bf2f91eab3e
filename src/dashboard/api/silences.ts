import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type inhibitionVersion, silences } from "../../../contracts/dashboard/silences.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(silences);

export type Inhibition = Awaited<ReturnType<typeof putInhibition>>;
/** The settings of an inhibition, as a change sends them. */
export type InhibitionContent = z.output<typeof inhibitionVersion>["content"];

/** All inhibitions, by name: an account has few. */
export const inhibitionsQuery = queryOptions({
  queryKey: ["inhibitions", "all"],
  queryFn: ({ signal }) => call(() => client.listInhibitions({ fetchOptions: { signal } })),
});

/** Versions of an inhibition, newest first. */
export const inhibitionVersionsQuery = (name: string) =>
  listQuery(["inhibitions", "versions", name], 50, ({ query, fetchOptions }) =>
    call(() => client.listInhibitionVersions({ params: { name }, query, fetchOptions })),
  );

/** A version with its settings. */
export const inhibitionVersionQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: ["inhibitions", "version", name, version],
    queryFn: ({ signal }) =>
      call(() =>
        client.getInhibitionVersion({ params: { name, version: String(version) }, fetchOptions: { signal } }),
      ),
  });

/** The fields that differ between two versions. */
export const inhibitionDifferenceQuery = (name: string, before: number, after: number) =>
  queryOptions({
    queryKey: ["inhibitions", "difference", name, before, after],
    queryFn: ({ signal }) =>
      call(() =>
        client.compareInhibitionVersions({
          params: { name },
          query: { before: String(before), after: String(after) },
          fetchOptions: { signal },
        }),
      ),
  });

/** Creates or replaces an inhibition. @param if_revision `none` for a new one */
export const putInhibition = (name: string, if_revision: string, content: InhibitionContent) =>
  call(() => client.putInhibition({ params: { name }, body: { ...content, if_revision } }));

export const restoreInhibition = (name: string, if_revision: string, version: number) =>
  call(() => client.restoreInhibition({ params: { name }, body: { if_revision, version } }));

export const deleteInhibition = (name: string, if_revision: string) =>
  call(() => client.deleteInhibition({ params: { name }, query: { if_revision } }));
