import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { deliveries, type delivery } from "../../../contracts/dashboard/deliveries.ts";
import { call, clientOf } from "./client.ts";
import { pollMs } from "./live.ts";
import { listQuery, type PageOptions, pageOf } from "./pages.ts";
import { pollEvery } from "./polling.ts";

const client = clientOf(deliveries);

export type Delivery = z.output<typeof delivery>;
export type DeliveryAttempt = Delivery["tries"][number];
export type Replays = NonNullable<Parameters<typeof client.replayDeliveries>[0]["body"]>;

/** Filters of the list, as in the address. */
export const deliveryFilterNames = [
  "endpoint_id",
  "state",
  "type",
  "status",
  "from",
  "until",
  "message_id",
  "event_id",
] as const;
export type DeliveryFilter = {
  readonly [Name in (typeof deliveryFilterNames)[number]]?: string | undefined;
};

const PAGE_SIZE = 50;
const SOON_MS = 60_000;
const POLL_MS = 1_000;
const SLOW_POLL_MS = 15_000;

export type DeliveryPage = Awaited<ReturnType<typeof loadDeliveries>>;

/** One page of the deliveries that match a filter, newest event first. It can be short although another follows. */
export const loadDeliveries = (
  filter: DeliveryFilter,
  cursor: string,
  { limit, signal }: PageOptions = { limit: PAGE_SIZE },
) =>
  call(() =>
    client.listAllDeliveries({
      query: { ...pageOf(cursor, limit), ...filter } as never,
      ...(signal && { fetchOptions: { signal } }),
    }),
  );

/** Deliveries to all endpoints that match a filter. */
export const deliveriesQuery = (filter: DeliveryFilter) =>
  listQuery(["deliveries", "list", filter], PAGE_SIZE, ({ query, fetchOptions }) =>
    loadDeliveries(filter, query.cursor ?? "", { limit: query.limit, signal: fetchOptions.signal }),
  );

/** A delivery with its requests. It is polled while an attempt is due, less often while the event stream reports changes. */
export const deliveryQuery = (delivery_id: string) =>
  queryOptions({
    queryKey: ["deliveries", "one", delivery_id],
    queryFn: ({ signal }) =>
      call(() => client.getDelivery({ params: { delivery_id }, fetchOptions: { signal } })),
    refetchInterval: pollEvery<Delivery>((data) => {
      if (data?.due_at === undefined) return false;
      return Date.parse(data.due_at) - Date.now() < SOON_MS ? pollMs(SLOW_POLL_MS, POLL_MS) : SLOW_POLL_MS;
    }),
  });

export const retryDelivery = (delivery_id: string) =>
  call(() => client.retryDelivery({ params: { delivery_id } }));
export const replayDelivery = (delivery_id: string) =>
  call(() => client.replayDelivery({ params: { delivery_id } }));
/** Sends all pending deliveries of an endpoint now. */
export const retryDeliveries = (endpoint_id: string) =>
  call(() => client.retryDeliveries({ params: { endpoint_id } }));

/** Counts the deliveries of a replay. Nothing is sent. */
export async function countReplays(endpoint_id: string, body: Replays) {
  const counted = await call(() =>
    client.replayDeliveries({ params: { endpoint_id }, body: { ...body, count_only: true } }),
  );
  if (!("count" in counted)) throw new Error("A count was answered with a job.");
  return counted;
}

/**
 * Starts the job that sends the deliveries again.
 * @returns its id
 */
export async function beginReplays(endpoint_id: string, body: Replays): Promise<string> {
  const begun = await call(() => client.replayDeliveries({ params: { endpoint_id }, body }));
  if (!("kind" in begun)) throw new Error("A replay was answered with a count.");
  return begun.id;
}
