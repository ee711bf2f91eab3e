import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  CountWaitingRequest,
  CountWaitingResponseSchema,
} from "../../../gen/hermod/counter/v1/counter_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import { createSlots } from "../slots.ts";

const TOP = 20;
const MAX_TOP = 100;
/** A page waits for the result, and the core has other work. */
const COUNTING_MS = 2_000;

interface CountWaitingNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Counts waiting messages: the total exactly, and the destinations within two seconds. */
export function createCountWaiting({ store, clock }: CountWaitingNeeds) {
  const slots = createSlots({ of: "counts of the queue", ofAccount: 4, inAll: 20, retryAfterSeconds: 2 });

  return async (
    request: CountWaitingRequest,
    { signal }: Pick<HandlerContext, "signal">,
  ): Promise<MessageInitShape<typeof CountWaitingResponseSchema>> => {
    const { waiting, id } = await resolveAccount(store, request);
    const { top } = request;
    if (top > MAX_TOP) {
      const message = say("field_from_1", { field: "top", max: MAX_TOP });
      throw validationFault([{ pointer: "/top", code: "field.invalid", message }]);
    }
    const giveBack = slots.take(id);
    try {
      const untilMs = clock.monotonicMs() + COUNTING_MS;
      const all = await waiting.count();
      const isOver = () => signal.aborted || clock.monotonicMs() >= untilMs;
      const { destinations: found, isPartial } = await waiting.countByDestination(isOver);
      const largest = found.toSorted((a, b) => b.waiting - a.waiting || (a.domain < b.domain ? -1 : 1));
      const listed = largest.slice(0, top || TOP);
      const inListed = listed.reduce((sum, one) => sum + one.waiting, 0);
      const oldestMs = found.reduce(
        (ms, { oldestAt }) => Math.min(ms, oldestAt.getTime()),
        Number.POSITIVE_INFINITY,
      );
      return {
        waiting: BigInt(all.waiting),
        scheduled: BigInt(all.scheduled),
        ...(found.length > 0 && { oldestAt: timestampFromDate(new Date(oldestMs)) }),
        destinations: listed.map(({ domain, waiting: n, oldestAt }) => ({
          domain,
          waiting: BigInt(n),
          oldestAt: timestampFromDate(oldestAt),
        })),
        // The queue changes between the counts.
        otherWaiting: BigInt(Math.max(all.waiting - inListed, 0)),
        isPartial,
      };
    } finally {
      giveBack();
    }
  };
}
