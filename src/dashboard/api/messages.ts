import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { message, messageEvent } from "../../../contracts/common/dashboard-message.ts";
import { messages } from "../../../contracts/dashboard/messages.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(messages);

export type Message = z.output<typeof message>;
export type MessageEvent = z.output<typeof messageEvent>;

/** The filters of the list, as its address has them. */
export interface MessageFilter {
  readonly recipient?: string | undefined;
  readonly state?: string | undefined;
  readonly subject?: string | undefined;
  readonly tag?: string | undefined;
  /** Accepted from this time on, and before that one. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

/** Messages that meet a filter, newest first. */
export const messagesQuery = (filter: MessageFilter) =>
  listQuery(["messages", "list", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listMessages({ query: { ...query, ...filter } as never, fetchOptions })),
  );

/** A message and its timeline. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ["messages", "one", id],
    queryFn: ({ signal }) =>
      call(() => client.getMessage({ params: { message_id: id }, fetchOptions: { signal } })),
  });

/** The bodies and header fields of a message. Hermod writes an entry in the audit log for each call. */
export const messageContentsQuery = (id: string) =>
  queryOptions({
    // Apart from what changes: a reload of that would read the contents again, and be in the audit log.
    queryKey: ["message-contents", id],
    queryFn: ({ signal }) =>
      call(() => client.getMessageContents({ params: { message_id: id }, fetchOptions: { signal } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const retryMessage = (message_id: string) =>
  call(() => client.retryMessage({ params: { message_id } }));
export const cancelMessage = (message_id: string) =>
  call(() => client.cancelMessage({ params: { message_id } }));

/** @param idempotencyKey the same for every try of one click, so that a click sends one message */
export const resendMessage = (message_id: string, idempotencyKey: string) =>
  call(() =>
    client.resendMessage({ params: { message_id }, headers: { "idempotency-key": idempotencyKey } }),
  );

/** Address of the HTML of a message as a document of its own, which runs and loads nothing. */
export const messageHtmlAddress = (id: string) => `${home}/api/messages/${encodeURIComponent(id)}/html`;
