import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetAttentionRequest,
  GetAttentionResponseSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import { toPolicyHold } from "../policies/policy-holds.ts";
import { resolveAccount } from "../resolve-account.ts";

const SOON_MS = 14 * 86_400_000;
const MOST_KEYS = 5;
const MOST_HOLDS = 5;

interface AttentionNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * Finds webhook endpoints that fail, keys that expire soon, and holds of policies.
 * @throws Fault account.unknown
 */
export function createGetAttention({ store, clock }: AttentionNeeds) {
  return async (
    request: GetAttentionRequest,
  ): Promise<MessageInitShape<typeof GetAttentionResponseSchema>> => {
    const { attention, policyHolds } = await resolveAccount(store, request);
    const now = clock.now();
    const [endpoints, { count, first }, holds] = await Promise.all([
      attention.failingEndpoints(),
      attention.expiringKeys(now, new Date(now.getTime() + SOON_MS), MOST_KEYS),
      policyHolds.oldest(MOST_HOLDS),
    ]);
    return {
      webhooks: endpoints.map(({ since, ...endpoint }) => ({ ...endpoint, since: timestampFromDate(since) })),
      expiringKeyCount: count,
      expiringKeys: first.map(({ _id: id, name, prefix, expiresAt }) => ({
        id,
        name,
        prefix,
        ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
      })),
      holdCount: holds.count,
      holds: holds.first.map(toPolicyHold),
    };
  };
}
