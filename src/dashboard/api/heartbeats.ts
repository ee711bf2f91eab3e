import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { type heartbeat, heartbeats } from "../../../contracts/dashboard/heartbeats.ts";
import { call, clientOf, home } from "./client.ts";
import { listQuery } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(heartbeats);

export type Heartbeat = z.output<typeof heartbeat>;
/** A new heartbeat, or one with a new token. It exists only in the state of a component. */
export type RevealedHeartbeat = Awaited<ReturnType<typeof createHeartbeat>>;
export type HeartbeatPing = Awaited<ReturnType<typeof client.listHeartbeatPings>>["body"] extends infer Body
  ? Body extends { readonly data: readonly (infer Ping)[] }
    ? Ping
    : never
  : never;
/** The settings of a heartbeat, as a change sends them. */
export type HeartbeatContent = Parameters<typeof client.createHeartbeat>[0]["body"];

/** Filters of the list of heartbeats, as in the address. */
export const heartbeatFilterNames = ["state", "search", "tag"] as const;
export type HeartbeatFilter = {
  readonly [Name in (typeof heartbeatFilterNames)[number]]?: string | undefined;
};

/** The event stream reports changes and pings. Time alone makes a heartbeat late. */
const POLL_MS = 30_000;

/** Heartbeats that match a filter, newest first. A page can be short although another follows. */
export const heartbeatsBy = (filter: HeartbeatFilter) => ({
  ...listQuery(["heartbeats", "list", filter], 100, ({ query, fetchOptions }) =>
    call(() => client.listHeartbeats({ query: { ...query, ...filter } as never, fetchOptions })),
  ),
  refetchInterval: pollEvery(POLL_MS),
});

export const heartbeatQuery = (heartbeat_id: string) =>
  queryOptions({
    queryKey: ["heartbeats", "one", heartbeat_id],
    queryFn: ({ signal }) =>
      call(() => client.getHeartbeat({ params: { heartbeat_id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery(POLL_MS),
  });

/** Pings of a heartbeat, newest first. */
export const heartbeatPingsQuery = (heartbeat_id: string) =>
  listQuery(["heartbeats", "pings", heartbeat_id], 25, ({ query, fetchOptions }) =>
    call(() => client.listHeartbeatPings({ params: { heartbeat_id }, query, fetchOptions })),
  );

export const createHeartbeat = (body: HeartbeatContent) => call(() => client.createHeartbeat({ body }));

/** Replaces all settings. The server refuses it if the heartbeat has another revision. */
export const replaceHeartbeat = (heartbeat_id: string, if_revision: string, content: HeartbeatContent) =>
  call(() => client.updateHeartbeat({ params: { heartbeat_id }, body: { ...content, if_revision } }));

export const pauseHeartbeat = (heartbeat_id: string) =>
  call(() => client.pauseHeartbeat({ params: { heartbeat_id } }));
export const resumeHeartbeat = (heartbeat_id: string) =>
  call(() => client.resumeHeartbeat({ params: { heartbeat_id } }));
export const rotateHeartbeatToken = (heartbeat_id: string) =>
  call(() => client.rotateHeartbeatToken({ params: { heartbeat_id } }));
export const deleteHeartbeat = (heartbeat_id: string, if_revision: string) =>
  call(() => client.deleteHeartbeat({ params: { heartbeat_id }, query: { if_revision } }));

/** URL of the pings. An installation that does not know its own URL serves them where it serves the pages. */
export const pingUrlOf = ({ ping_url, token }: Pick<RevealedHeartbeat, "ping_url" | "token">) =>
  ping_url ?? `${home}/inbound/heartbeats/${token}`;
/** URL of the pings for a request with an API key. It has no secret. */
export const keyedPingUrlOf = (heartbeat_id: string) => `${home}/inbound/heartbeats/${heartbeat_id}`;
