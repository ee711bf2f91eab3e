import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type erasure, type erasurePreview, erasures } from "../../../contracts/dashboard/erasures.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(erasures);

export type Erasure = z.output<typeof erasure>;
export type ErasurePreview = z.output<typeof erasurePreview>;

const POLL_MS = 2_000;

/** Erasures of recipients, newest first. */
export const erasuresQuery = listQuery(["erasures", "list"], 50, ({ query, fetchOptions }) =>
  call(() => client.listErasures({ query, fetchOptions })),
);

/** An erasure. It is polled until it ends. */
export const erasureQuery = (id: string) =>
  queryOptions({
    queryKey: ["erasures", "one", id],
    queryFn: ({ signal }) =>
      call(() => client.getErasure({ params: { erasure_id: id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery<Erasure>((data) => (data && data.finished_at === undefined ? POLL_MS : false)),
  });

/** Counts the data that an erasure would remove. */
export const previewErasure = (recipient: string) =>
  call(() => client.previewErasure({ body: { recipient } }));
export const beginErasure = (body: { readonly recipient: string; readonly keep_suppressed: boolean }) =>
  call(() => client.beginErasure({ body }));
