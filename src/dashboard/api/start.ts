import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { accounts, type startFacts } from "../../../contracts/dashboard/accounts.ts";
import { messages } from "../../../contracts/dashboard/messages.ts";
import { policies } from "../../../contracts/dashboard/policies.ts";
import { call, clientOf } from "./client.ts";
import { listQuery } from "./pages.ts";

const account = clientOf(accounts);
const message = clientOf(messages);
const policy = clientOf(policies);

export type StartFacts = z.output<typeof startFacts>;
export type TestMessage = Parameters<typeof message.sendMessage>[0]["body"];

/** Times of the account's first steps. */
export const startQuery = queryOptions({
  queryKey: ["start"],
  queryFn: ({ signal }) => call(() => account.getStart({ fetchOptions: { signal } })),
});

/** Routing policies by name. */
export const policiesQuery = listQuery(["policies", "list"], 100, ({ query, fetchOptions }) =>
  call(() => policy.listPolicies({ query, fetchOptions })),
);

/** @param idempotencyKey the same for all attempts of one click, so that a click sends one message */
export const sendTestMessage = ({ body, idempotencyKey }: { body: TestMessage; idempotencyKey: string }) =>
  call(() => message.sendMessage({ body, headers: { "idempotency-key": idempotencyKey } }));
