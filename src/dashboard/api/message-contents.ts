import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type { delivery } from "../../../contracts/dashboard/deliveries.ts";
import { deliveries } from "../../../contracts/dashboard/deliveries.ts";
import { messages } from "../../../contracts/dashboard/messages.ts";
import { call, clientOf, home } from "./client.ts";

const client = clientOf(messages);
const webhooks = clientOf(deliveries);

export type WebhookDelivery = z.output<typeof delivery>;

/** Bodies and header fields of a message. Hermod writes an entry in the audit log for each call. */
export const messageContentsQuery = (id: string) =>
  queryOptions({
    // Kept apart from data that changes: a reload would read the contents again, and the audit log would record it.
    queryKey: ["message-contents", id],
    queryFn: ({ signal }) =>
      call(() => client.getMessageContents({ params: { message_id: id }, fetchOptions: { signal } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Characters of a source that a page shows: a mail can have 25 MB. */
const SHOWN_LENGTH = 200_000;

/** The beginning of the source of a message, read once like its contents. */
export const messageSourceQuery = (id: string) =>
  queryOptions({
    queryKey: ["message-source", id],
    queryFn: async ({ signal }) => {
      const read = () => client.getMessageSource({ params: { message_id: id }, fetchOptions: { signal } });
      const source = String(await call(read));
      return { text: source.slice(0, SHOWN_LENGTH), isShortened: source.length > SHOWN_LENGTH };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Webhook deliveries of a message, oldest first. */
export const messageWebhooksQuery = (id: string) =>
  queryOptions({
    queryKey: ["messages", "webhooks", id],
    queryFn: ({ signal }) =>
      call(() => webhooks.listDeliveriesOfMessage({ params: { message_id: id }, fetchOptions: { signal } })),
  });

const addressOf = (id: string, part: string) => `${home}/api/messages/${encodeURIComponent(id)}/${part}`;

/** Address of the HTML of a message as an isolated document that cannot run scripts or load resources. */
export const messageHtmlAddress = (id: string) => addressOf(id, "html");
/** Address of the source as a file. */
export const messageSourceAddress = (id: string) => addressOf(id, "source");
export const messageAttachmentAddress = (id: string, index: number) => addressOf(id, `attachments/${index}`);
