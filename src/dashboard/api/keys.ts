import type { z } from "zod";
import { type key, keys } from "../../../contracts/dashboard/keys.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(keys);

export type Key = z.output<typeof key>;
export type NewKey = Parameters<typeof client.createKey>[0]["body"];

/** Keys of an account, the oldest first. */
export const keysQuery = (kind?: "account" | "deliverability" | "smtp") =>
  listQuery(["keys", "list", kind], 100, ({ query, fetchOptions }) =>
    call(() => client.listKeys({ query: { ...query, ...(kind && { kind }) }, fetchOptions })),
  );

export const createKey = (body: NewKey) => call(() => client.createKey({ body }));

/** @param overlapSeconds how long the former key stays valid */
export const rotateKey = (key_id: string, overlapSeconds: number) =>
  call(() => client.rotateKey({ params: { key_id }, body: { overlap_seconds: overlapSeconds } }));
export const revokeKey = (key_id: string) => call(() => client.revokeKey({ params: { key_id } }));
