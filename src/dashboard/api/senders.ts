import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { keys } from "../../../contracts/dashboard/keys.ts";
import { type sender, senders } from "../../../contracts/dashboard/senders.ts";
import { call, clientOf } from "./client.ts";
import type { Key } from "./keys.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(senders);

export type Sender = z.output<typeof sender>;

export interface SenderFilter {
  readonly search?: string;
  readonly state?: "verified" | "pending";
}

/** Senders that match a filter, by value. */
export const sendersBy = (filter: SenderFilter) =>
  listQuery(["senders", "list", filter], 100, ({ query, fetchOptions }) =>
    call(() => client.listSenders({ query: { ...query, ...filter }, fetchOptions })),
  );

export const verifySender = (value: string) => call(() => client.verifySender({ body: { value } }));
export const removeSender = (value: string, isForced: boolean) =>
  call(() =>
    client.removeSender({ params: { sender: value }, query: isForced ? { force: "true" as const } : {} }),
  );

const keyClient = clientOf(keys);

export interface KeysOfSenders {
  readonly keys: readonly Key[];
  /** Whether the account has no other senders. */
  readonly isWhole: boolean;
}

/** Keys in use, up to one page of the API, to show which of them may use a sender. */
export const keysOfSendersQuery = queryOptions({
  queryKey: ["keys", "of-senders"],
  queryFn: async ({ signal }): Promise<KeysOfSenders> => {
    const found = await call(() => keyClient.listKeys({ query: { limit: 100 }, fetchOptions: { signal } }));
    const used = found.data.filter(({ state }) => state === "active" || state === "unused");
    return { keys: used, isWhole: !found.has_more };
  },
});
