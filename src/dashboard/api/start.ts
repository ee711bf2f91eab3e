import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { accounts, type startFacts } from "../../../contracts/dashboard/accounts.ts";
import { messages } from "../../../contracts/dashboard/messages.ts";
import { call, clientOf } from "./client.ts";

const account = clientOf(accounts);
const message = clientOf(messages);

export type StartFacts = z.output<typeof startFacts>;
export type TestMessage = Parameters<typeof message.sendMessage>[0]["body"];

/** Times of the account's first steps. */
export const startQuery = queryOptions({
  queryKey: ["start"],
  queryFn: ({ signal }) => call(() => account.getStart({ fetchOptions: { signal } })),
});

/** @param idempotencyKey the same for all attempts of one click, so that a click sends one message */
export const sendTestMessage = ({ body, idempotencyKey }: { body: TestMessage; idempotencyKey: string }) =>
  call(() => message.sendMessage({ body, headers: { "idempotency-key": idempotencyKey } }));
