import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type key, keys, type keyUses } from "../../../contracts/dashboard/keys.ts";
import { call, clientOf } from "./client.ts";
import { findFirst, listQuery, type PageOptions, pageOf } from "./pages.ts";

const client = clientOf(keys);

export type Key = z.output<typeof key>;
export type KeyUses = z.output<typeof keyUses>;
export type NewKey = Parameters<typeof client.createKey>[0]["body"];
export type KeyAccess = Parameters<typeof client.replaceKeyAccess>[0]["body"];

/** Filters of the list, as in the address. */
export interface KeyFilter {
  readonly kind?: string | undefined;
  readonly state?: string | undefined;
  readonly query?: string | undefined;
}

/** One page of the keys that match a filter, oldest first. */
export const loadKeys = (filter: KeyFilter, cursor: string, { limit, signal }: PageOptions) =>
  call(() =>
    client.listKeys({
      query: { ...pageOf(cursor, limit), ...filter } as never,
      ...(signal && { fetchOptions: { signal } }),
    }),
  );

/** Keys of an account, oldest first. */
export const keysQuery = (filter: KeyFilter = {}) =>
  listQuery(["keys", "list", filter], 100, ({ query, fetchOptions }) =>
    call(() => client.listKeys({ query: { ...query, ...filter } as never, fetchOptions })),
  );

/** Number of keys that a field offers. More are found by a text. */
const MOST_OFFERED = 20;
/** Maximum number of read pages: the browser filters the keys, and a search can read many before the first match. */
const MAX_PAGES = 20;

/** The first keys that a text finds: all, or those that can send alerts. */
export const offeredKeysQuery = (text: string, use: "any" | "alerts") =>
  queryOptions({
    queryKey: ["keys", "offered", use, text],
    queryFn: ({ signal }) =>
      findFirst(
        MOST_OFFERED,
        async (cursor) => {
          const page = await loadKeys({ ...(text && { query: text }) }, cursor, { limit: 100, signal });
          return use === "any" ? page : { ...page, data: page.data.filter(canSendAlerts) };
        },
        MAX_PAGES,
      ),
  });

/** False if the key no longer works. */
export const isValid = ({ state }: Pick<Key, "state">): boolean => state !== "expired" && state !== "revoked";

const canSendAlerts = (key: Key): boolean =>
  key.kind === "account" &&
  isValid(key) &&
  (["full", "alerts_only"].includes(key.scope_mode) || key.scopes.includes("alerts.ingest"));

/** One key. */
export const keyQuery = (key_id: string) =>
  queryOptions({
    queryKey: ["keys", "one", key_id],
    queryFn: ({ signal }) => call(() => client.getKey({ params: { key_id }, fetchOptions: { signal } })),
  });

export const USE_DAYS = 30;

/** Use of a key on each of the last days, newest first. */
export const keyUsesQuery = (key_id: string) =>
  queryOptions({
    queryKey: ["keys", "uses", key_id],
    queryFn: ({ signal }) =>
      call(() =>
        client.listKeyUses({ params: { key_id }, query: { days: USE_DAYS }, fetchOptions: { signal } }),
      ),
  });

export const createKey = (body: NewKey) => call(() => client.createKey({ body }));
export const renameKey = (key_id: string, name: string) =>
  call(() => client.renameKey({ params: { key_id }, body: { name } }));

/** Replaces the access of a key. The server refuses it if another member has changed the key. */
export const replaceKeyAccess = (key_id: string, body: KeyAccess) =>
  call(() => client.replaceKeyAccess({ params: { key_id }, body }));

/** @param overlapSeconds how long the former key stays valid */
export const rotateKey = (key_id: string, overlapSeconds: number) =>
  call(() => client.rotateKey({ params: { key_id }, body: { overlap_seconds: overlapSeconds } }));
export const revokeKey = (key_id: string) => call(() => client.revokeKey({ params: { key_id } }));
