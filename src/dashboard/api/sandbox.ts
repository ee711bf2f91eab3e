import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type mailChecks, sandbox, type sandboxMessage } from "../../../contracts/dashboard/sandbox.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(sandbox);

export type SandboxMessage = z.output<typeof sandboxMessage>;
export type MailCheck = z.output<typeof mailChecks>["data"][number];

const POLL_MS = 5_000;
const HOUR_MS = 3_600_000;

/** Filters of the inbox, as in the address. */
export interface SandboxFilter {
  readonly recipient?: string | undefined;
  readonly subject?: string | undefined;
  /** Hours since the capture. */
  readonly hours?: string | undefined;
}

function askedOf({ hours, ...filter }: SandboxFilter) {
  const ms = Number(hours) * HOUR_MS;
  if (!Number.isFinite(ms) || ms <= 0) return filter;
  return { ...filter, from: new Date(Date.now() - ms).toISOString() };
}

/** Captured mail of the account, newest first. */
export const sandboxQuery = (filter: SandboxFilter) => ({
  ...listQuery(["sandbox", "list", filter], 50, ({ query, fetchOptions }) =>
    call(() => client.listSandboxMessages({ query: { ...query, ...askedOf(filter) }, fetchOptions })),
  ),
  refetchInterval: pollEvery(POLL_MS),
});

/** One captured message, parsed. */
export const sandboxMessageQuery = (message_id: string) =>
  queryOptions({
    queryKey: ["sandbox", "one", message_id],
    queryFn: ({ signal }) =>
      call(() => client.getSandboxMessage({ params: { message_id }, fetchOptions: { signal } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Findings of the checks of a captured message. Hermod writes an entry in the audit log for each call. */
export const sandboxChecksQuery = (message_id: string) =>
  queryOptions({
    queryKey: ["sandbox-checks", message_id],
    queryFn: ({ signal }) =>
      call(() => client.getSandboxMessageChecks({ params: { message_id }, fetchOptions: { signal } })),
    staleTime: 60_000,
  });

export const clearSandbox = () => call(() => client.clearSandboxMessages({}));

const addressOf = (id: string, part: string) =>
  `${home}/api/sandbox/messages/${encodeURIComponent(id)}/${part}`;

/** Address of the HTML as an isolated document that cannot run scripts or load resources. */
export const htmlAddress = (id: string) => addressOf(id, "html");
/** Address of the source as a file. */
export const sourceAddress = (id: string) => addressOf(id, "source");
export const attachmentAddress = (id: string, index: number) => addressOf(id, `attachments/${index}`);
