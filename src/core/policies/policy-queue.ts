import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetPolicyQueueRequest,
  GetPolicyQueueResponseSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Store } from "../../store/store.ts";
import { countQueue } from "../counters/count-queue.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSlots } from "../slots.ts";
import { noSuchPolicy } from "./delete-policy.ts";
import { operatorHoldsOf, toOperatorHold, toPolicyHold } from "./policy-holds.ts";

const TOP = 20;
const MAX_LISTED_HOLDS = 100;

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
      const ofPolicy = {
        count: () => waiting.countOfPolicy(name),
        countByDestination: (isOver: () => boolean) => waiting.countOfPolicyByDestination(name, isOver),
      };
      const [own, all, queue] = await Promise.all([
        policyHolds.ofPolicy(name),
        store.holds.list(),
        countQueue(ofPolicy, { top: TOP, clock, signal }),
      ]);
      const ofOperator = operatorHoldsOf(all, id, { policy: name });
      const heldDomains = new Set([...own, ...ofOperator].map(({ destination }) => destination));
      // A hold without a domain covers all of them.
      const isHeld = heldDomains.has(undefined);
      return {
        ...queue,
        destinations: queue.destinations.map((one) => ({
          ...one,
          held: isHeld || heldDomains.has(one.domain),
        })),
        held: isHeld,
        holds: [...own.map(toPolicyHold), ...ofOperator.map(toOperatorHold)].slice(0, MAX_LISTED_HOLDS),
        deleted: policy.retiredAt !== undefined,
      };
    } finally {
      giveBack();
    }
  };
}
