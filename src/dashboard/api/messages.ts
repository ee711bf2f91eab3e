import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { message, messageEvent } from "../../../contracts/common/dashboard-message.ts";
import type { bulkCount } from "../../../contracts/common/message-counts.ts";
import { messages } from "../../../contracts/dashboard/messages.ts";
import { call, clientOf, home } from "./client.ts";
import { type PageOptions, pageOf } from "./pages.ts";

const client = clientOf(messages);

export type Message = z.output<typeof message>;
export type MessageEvent = z.output<typeof messageEvent>;
export type BulkCount = z.output<typeof bulkCount>;
export type MessagePage = Awaited<ReturnType<typeof loadMessages>>;

/** Filters of the list, as in the address. */
export const filterNames = [
  "q",
  "state",
  "provider",
  "opened",
  "clicked",
  "source",
  "from",
  "until",
  "recipient",
  "sender",
  "subject",
  "tag",
  "key_id",
  "template",
  "routing_policy",
  "category",
  "trace_id",
] as const;
export type FilterName = (typeof filterNames)[number];
/** `state` has several values, separated by commas. */
export type MessageFilter = { readonly [Name in FilterName]?: string | undefined };

const PAGE_SIZE = 100;

/** One page of the messages that match a filter, newest first. */
export const loadMessages = (
  filter: MessageFilter,
  cursor: string,
  { limit, signal }: PageOptions = { limit: PAGE_SIZE },
) =>
  call(() =>
    client.listMessages({
      query: { ...pageOf(cursor, limit), ...askedOf(filter) } as never,
      ...(signal && { fetchOptions: { signal } }),
    }),
  );

/**
 * Messages that match a filter. The event stream keeps the loaded rows up to date, because a reload would request every page
 * again.
 */
export const messagesQuery = (filter: MessageFilter) =>
  infiniteQueryOptions({
    queryKey: ["message-list", filter],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => loadMessages(filter, pageParam, { limit: PAGE_SIZE, signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Number of messages that match a filter, exact up to 10,000. */
export const matchCountQuery = (filter: MessageFilter) =>
  queryOptions({
    queryKey: ["message-count", filter],
    queryFn: ({ signal }) =>
      call(() => client.countMatchingMessages({ query: askedOf(filter) as never, fetchOptions: { signal } })),
    staleTime: 30_000,
  });

/** A message and its timeline. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ["messages", "one", id],
    queryFn: ({ signal }) =>
      call(() => client.getMessage({ params: { message_id: id }, fetchOptions: { signal } })),
  });

export const retryMessage = (message_id: string) =>
  call(() => client.retryMessage({ params: { message_id } }));
export const cancelMessage = (message_id: string) =>
  call(() => client.cancelMessage({ params: { message_id } }));

/** @param idempotencyKey the same for all attempts of one click, so that a click sends one message */
export const resendMessage = (message_id: string, idempotencyKey: string) =>
  call(() =>
    client.resendMessage({ params: { message_id }, headers: { "idempotency-key": idempotencyKey } }),
  );

export type BulkActionName = "retry" | "cancel" | "resend";

/** Messages of a bulk action: these ids, or all that match a filter. */
export type BulkSelection = { readonly ids: readonly string[] } | { readonly filter: MessageFilter };

const bulkBody = (action: BulkActionName, selection: BulkSelection) =>
  "ids" in selection ? { action, ids: [...selection.ids] } : { action, filter: askedOf(selection.filter) };

/** Counts the messages of a bulk action. Nothing is changed. */
export const bulkCountQuery = (action: BulkActionName, selection: BulkSelection) =>
  queryOptions({
    queryKey: ["bulk-count", action, selection],
    queryFn: async ({ signal }) =>
      (await call(() =>
        client.bulkMessages({ body: bulkBody(action, selection) as never, fetchOptions: { signal } }),
      )) as BulkCount,
    // A confirmation is valid for one view of the dialog.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** @param confirmation of the count; the same one starts only one job */
export const beginBulk = (action: BulkActionName, selection: BulkSelection, confirmation: string) =>
  call(() => client.bulkMessages({ body: { ...bulkBody(action, selection), confirmation } as never }));

/** Address of a file with all messages that match a filter. */
export function exportAddress(filter: MessageFilter, format: "csv" | "ndjson"): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(askedOf(filter)))
    for (const one of [value].flat()) query.append(name, one);
  return `${home}${messages.exportMessages.path}?${query}`;
}

/** A filter in the form of requests. */
function askedOf({ state, tag, ...others }: MessageFilter): Readonly<Record<string, string | string[]>> {
  const given = Object.entries(others).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return {
    ...Object.fromEntries(given),
    ...(state && { state: state.split(",") }),
    ...(tag && { tag: [tag] }),
  };
}
