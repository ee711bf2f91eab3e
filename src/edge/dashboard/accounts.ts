import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { account, accounts as contract } from "../../../contracts/dashboard/accounts.ts";
import { AccountSchema } from "../../../gen/hermod/account/v1/account_service_pb.ts";
import { bodyOf, createCoreFor, type DashboardParts } from "./call.ts";

type Account = z.output<typeof account>;

/** What answers the routes of `dashboard.accounts`. */
export function accounts(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    getAccount: async ({ request }) => {
      const found = await coreFor(request).accounts.getAccount({});
      return { status: 200, body: bodyOf<Account>(AccountSchema, found.account) };
    },
    renameAccount: async ({ request, body }) => {
      const renamed = await coreFor(request).accounts.renameAccount(body);
      return { status: 200, body: bodyOf<Account>(AccountSchema, renamed.account) };
    },
    requireSecondFactor: async ({ request, body }) => {
      const changed = await coreFor(request).accounts.requireSecondFactor(body);
      return { status: 200, body: bodyOf<Account>(AccountSchema, changed.account) };
    },
    deleteAccount: async ({ request }) => {
      await coreFor(request).accounts.deleteAccount({});
      return { status: 204, body: undefined };
    },
  };
}
