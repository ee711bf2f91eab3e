import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  GetPolicyQueueRequest,
  GetPolicyQueueResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSlots } from "../slots.ts";
import { noSuchPolicy } from "./delete-policy.ts";
import { operatorHoldsOf, toOperatorHold, toPolicyHold } from "./policy-holds.ts";

const TOP = 20;
const MAX_LISTED_HOLDS = 100;
/** A page waits for the result, and the core has other work. */
const COUNTING_MS = 2_000;

interface PolicyQueueNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount" | "holds">;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/**
 * Counts the messages that wait under a policy: the total exactly, and the destinations within two seconds. Also finds
 * a deleted policy that messages still use.
 * @throws Fault account.unknown, policy.not_found, service.busy
 */
export function createGetPolicyQueue({ store, clock }: PolicyQueueNeeds) {
  const slots = createSlots({ of: "counts of policies", ofAccount: 4, inAll: 20, retryAfterSeconds: 2 });

  return async (
    request: GetPolicyQueueRequest,
    { actor, signal }: Pick<HandlerContext, "actor" | "signal">,
  ): Promise<MessageInitShape<typeof GetPolicyQueueResponseSchema>> => {
    const { name } = request;
    const { id, policies, waiting, policyHolds } = await resolveAccount(store, request, { actor });
    const policy = await policies.findOfMessage(name);
    if (!policy) throw noSuchPolicy(name);
    const giveBack = slots.take(id);
    try {
      const untilMs = clock.monotonicMs() + COUNTING_MS;
      const [own, all] = await Promise.all([policyHolds.ofPolicy(name), store.holds.list()]);
      const ofOperator = operatorHoldsOf(all, id, { policy: name });
      const total = await waiting.countOfPolicy(name);
      const isOver = () => signal.aborted || clock.monotonicMs() >= untilMs;
      const { destinations: found, isPartial } = await waiting.countOfPolicyByDestination(name, isOver);
      const largest = found.toSorted((a, b) => b.waiting - a.waiting || (a.domain < b.domain ? -1 : 1));
      const listed = largest.slice(0, TOP);
      const inListed = listed.reduce((sum, one) => sum + one.waiting, 0);
      const oldest = found.map(({ oldestAt }) => oldestAt).sort((a, b) => a.getTime() - b.getTime())[0];
      const holds = [...own, ...ofOperator];
      const isHeld = holds.some(({ destination }) => destination === undefined);
      const heldDomains = new Set(holds.map(({ destination }) => destination));
      return {
        waiting: BigInt(total.waiting),
        scheduled: BigInt(total.scheduled),
        ...(oldest && { oldestAt: timestampFromDate(oldest) }),
        destinations: listed.map(({ domain, waiting: count, oldestAt }) => ({
          domain,
          waiting: BigInt(count),
          oldestAt: timestampFromDate(oldestAt),
          held: isHeld || heldDomains.has(domain),
        })),
        // The queue changes between the counts.
        otherWaiting: BigInt(Math.max(total.waiting - inListed, 0)),
        isPartial,
        held: isHeld,
        holds: [...own.map(toPolicyHold), ...ofOperator.map(toOperatorHold)].slice(0, MAX_LISTED_HOLDS),
        deleted: policy.retiredAt !== undefined,
      };
    } finally {
      giveBack();
    }
  };
}
