import type { z } from "zod";
import { type sender, senders } from "../../../contracts/dashboard/senders.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const client = clientOf(senders);

export type Sender = z.output<typeof sender>;

/** Senders by their value. */
export const sendersQuery = listQuery(["senders", "list"], 100, ({ query, fetchOptions }) =>
  call(() => client.listSenders({ query, fetchOptions })),
);
