import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { sandbox, type sandboxMessage } from "../../../contracts/dashboard/sandbox.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(sandbox);

export type SandboxMessage = z.output<typeof sandboxMessage>;

const POLL_MS = 5_000;

/** Captured mail of the account, newest first. */
export const sandboxQuery = {
  ...listQuery(["sandbox", "list"], 50, ({ query, fetchOptions }) =>
    call(() => client.listSandboxMessages({ query: query, fetchOptions })),
  ),
  refetchInterval: POLL_MS,
};

/** One captured message, parsed. */
export const sandboxMessageQuery = (message_id: string) =>
  queryOptions({
    queryKey: ["sandbox", "one", message_id],
    queryFn: ({ signal }) =>
      call(() => client.getSandboxMessage({ params: { message_id }, fetchOptions: { signal } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const clearSandbox = () => call(() => client.clearSandboxMessages({}));

const addressOf = (id: string, part: string) =>
  `${home}/api/sandbox/messages/${encodeURIComponent(id)}/${part}`;

/** Address of the HTML as a document of its own, which runs and loads nothing. */
export const htmlAddress = (id: string) => addressOf(id, "html");
/** Address of the source as a file. */
export const sourceAddress = (id: string) => addressOf(id, "source");
export const attachmentAddress = (id: string, index: number) => addressOf(id, `attachments/${index}`);
