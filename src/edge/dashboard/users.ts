import type { RouterImplementation } from "@ts-rest/fastify";
import type { users as contract } from "../../../contracts/dashboard/users.ts";
import { createCoreFor, type DashboardParts } from "./call.ts";
import { createSignedInAnswer } from "./signed-in-answer.ts";

/** Handlers of the routes of `dashboard.users`. */
export function users(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  const answer = createSignedInAnswer(parts);
  return {
    requestPasswordReset: async ({ request, body }) => {
      await coreFor(request).users.requestPasswordReset(body);
      return { status: 204, body: undefined };
    },
    findPasswordReset: async ({ request, body }) => {
      const { email } = await coreFor(request).users.findPasswordReset(body);
      return { status: 200, body: { email } };
    },
    completePasswordReset: async ({ request, body: { token, new_password: newPassword } }) => {
      const { email } = await coreFor(request).users.completePasswordReset({ token, newPassword });
      return { status: 200, body: { email } };
    },
    requestSignUp: async ({ request, body }) => {
      await coreFor(request).users.requestSignUp(body);
      return { status: 204, body: undefined };
    },
    findSignUp: async ({ request, body }) => {
      const { email } = await coreFor(request).users.findSignUp(body);
      return { status: 200, body: { email } };
    },
    completeSignUp: async ({ body: { token, password, account_name: accountName }, ...call }) => {
      const signUp = { token, password, accountName };
      const { sessionToken } = await coreFor(call.request).users.completeSignUp(signUp);
      return answer(call, sessionToken);
    },
    requestEmailChange: async ({ request, body }) => {
      await coreFor(request).users.requestEmailChange(body);
      return { status: 204, body: undefined };
    },
    findEmailChange: async ({ request, body }) => {
      const { email } = await coreFor(request).users.findEmailChange(body);
      return { status: 200, body: { email } };
    },
    confirmEmailChange: async ({ request, body }) => {
      const { email } = await coreFor(request).users.confirmEmailChange(body);
      return { status: 200, body: { email } };
    },
    leaveAccount: async ({ body: { account_id: leftAccountId }, ...call }) => {
      const { sessionToken } = await coreFor(call.request).users.leaveAccount({ leftAccountId });
      return answer(call, sessionToken);
    },
    createOwnAccount: async ({ request, body }) => {
      const { accountId } = await coreFor(request).users.createOwnAccount(body);
      return { status: 201, body: { account_id: accountId } };
    },
  };
}
