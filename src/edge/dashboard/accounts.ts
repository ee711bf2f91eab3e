import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { RouterImplementation } from "@ts-rest/fastify";
import type { z } from "zod";
import type { policyHold } from "../../../contracts/common/policy-queue.ts";
import type {
  account,
  accounts as contract,
  retention,
  secondFactorState,
} from "../../../contracts/dashboard/accounts.ts";
import {
  AccountSchema,
  GetSecondFactorResponseSchema,
  RetentionSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import { PolicyHoldSchema } from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import { bodyOf, createCoreFor, type DashboardParts } from "./call.ts";
import { fileDownload, NDJSON } from "./file-download.ts";

type Retention = z.output<typeof retention>;
type Account = z.output<typeof account>;
type Hold = z.output<typeof policyHold>;
type SecondFactorState = z.output<typeof secondFactorState>;

/** Handlers of the routes of `dashboard.accounts`. */
export function accounts(parts: DashboardParts): RouterImplementation<typeof contract> {
  const coreFor = createCoreFor(parts);
  return {
    getAccount: async ({ request }) => {
      const found = await coreFor(request).accounts.getAccount({});
      return { status: 200, body: bodyOf<Account>(AccountSchema, found.account) };
    },
    renameAccount: async ({ request, body: { name, if_revision: ifRevision = "" } }) => {
      const renamed = await coreFor(request).accounts.renameAccount({ name, ifRevision });
      return { status: 200, body: bodyOf<Account>(AccountSchema, renamed.account) };
    },
    getSecondFactor: async ({ request }) => {
      const found = await coreFor(request).accounts.getSecondFactor({});
      return { status: 200, body: bodyOf<SecondFactorState>(GetSecondFactorResponseSchema, found) };
    },
    requireSecondFactor: async ({ request, body: { required, if_revision: ifRevision = "" } }) => {
      const changed = await coreFor(request).accounts.requireSecondFactor({ required, ifRevision });
      return { status: 200, body: bodyOf<Account>(AccountSchema, changed.account) };
    },
    getAttention: async ({ request }) => {
      const found = await coreFor(request).accounts.getAttention({});
      const at = (time: Timestamp | undefined) => timestampDate(time as Timestamp).toISOString();
      const body = {
        webhooks: found.webhooks.map(({ id, url, since, isDisabled }) => ({
          id,
          url,
          since: at(since),
          is_disabled: isDisabled,
        })),
        expiring_key_count: found.expiringKeyCount,
        expiring_keys: found.expiringKeys.map(({ id, name, prefix, expiresAt }) => ({
          id,
          name,
          prefix,
          expires_at: at(expiresAt),
        })),
        hold_count: found.holdCount,
        holds: found.holds.map((hold) => bodyOf<Hold>(PolicyHoldSchema, hold)),
      };
      return { status: 200, body };
    },
    getStart: async ({ request }) => {
      const { start } = await coreFor(request).accounts.getStart({});
      if (!start) throw new Error("the core answered without the facts");
      const at = (time: Timestamp | undefined) => (time ? timestampDate(time).toISOString() : null);
      return {
        status: 200,
        body: {
          first_captured_at: at(start.firstCapturedAt),
          first_delivered_at: at(start.firstDeliveredAt),
          domain_verified_at: at(start.domainVerifiedAt),
          key_used_at: at(start.keyUsedAt),
          webhook_answered_at: at(start.webhookAnsweredAt),
          rule_created_at: at(start.ruleCreatedAt),
          domain_watched_at: at(start.domainWatchedAt),
        },
      };
    },
    getRetention: async ({ request }) => {
      const found = await coreFor(request).accounts.getRetention({});
      return { status: 200, body: bodyOf<Retention>(RetentionSchema, found.retention) };
    },
    changeRetention: async ({ request, body }) => {
      const times = withoutUndefined({
        contentDays: body.content_days,
        messageDays: body.message_days,
        requestDays: body.request_days,
        sandboxHours: body.sandbox_hours,
        ifRevision: body.if_revision,
      });
      const changed = await coreFor(request).accounts.changeRetention(times);
      return { status: 200, body: bodyOf<Retention>(RetentionSchema, changed.retention) };
    },
    exportAccount: async ({ request, reply, query }) => {
      const parts = coreFor(request).accounts.exportAccount({ bodies: query.bodies === "true" });
      return fileDownload(reply, { name: "account.ndjson", mediaType: NDJSON }, parts);
    },
    deleteAccount: async ({ request }) => {
      await coreFor(request).accounts.deleteAccount({});
      return { status: 204, body: undefined };
    },
  };
}
