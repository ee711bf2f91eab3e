import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CountMatchingMessagesRequest,
  CountMatchingMessagesResponseSchema,
} from "../../../gen/hermod/message/v1/message_service_pb.ts";
import type { MessageFilter } from "../../message/search/filter.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { readMessageFilter } from "../read-message-filter.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { Slots } from "../slots.ts";

/** Limit of the exact count: beyond it, a user only needs to know that there are more. */
const COUNTED_MAX = 10_000;
/** Other calls run between two of these reads. */
const READ_AT_ONCE = 1_000;
/** A user waits for it, and the core has other work. */
const COUNTING_MS = 2_000;

interface CountNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
  readonly slots: Slots;
}

/** Number of messages that match a filter: up to 10,000, and within two seconds. */
interface Counted {
  readonly count: number;
  readonly hasMore: boolean;
}

/** @throws Fault account.unknown, request.validation_failed, service.busy, store.unavailable */
export function createCountMatchingMessages({ store, clock, slots }: CountNeeds) {
  async function countEach(
    { messages }: Pick<AccountStore, "messages">,
    filter: MessageFilter,
    signal: AbortSignal,
  ): Promise<Counted> {
    const untilMs = clock.monotonicMs() + COUNTING_MS;
    let count = 0;
    let beforeId: string | undefined;
    do {
      signal.throwIfAborted();
      // One more than the maximum shows whether there are more.
      const limit = Math.min(READ_AT_ONCE, COUNTED_MAX + 1 - count);
      const page = await messages.list({ filter, limit, ...withoutUndefined({ beforeId }) });
      count += page.messages.length;
      beforeId = page.nextBeforeId;
    } while (beforeId !== undefined && count <= COUNTED_MAX && clock.monotonicMs() < untilMs);
    const hasMore = beforeId !== undefined || count > COUNTED_MAX;
    return { count: Math.min(count, COUNTED_MAX), hasMore };
  }

  return async (
    request: CountMatchingMessagesRequest,
    { actor, signal }: Pick<HandlerContext, "actor" | "signal">,
  ): Promise<MessageInitShape<typeof CountMatchingMessagesResponseSchema>> => {
    const account = await resolveAccount(store, request, { actor });
    const filter = readMessageFilter({ state: "", ...withoutUndefined({ filter: request.filter }) });
    const giveBack = slots.take(account.id);
    try {
      const { from: _from, until: _until, ...conditions } = filter;
      if (Object.keys(conditions).length > 0) return await countEach(account, filter, signal);
      // All messages of a time range are counted in an index, without reading a message.
      const count = await account.messages.countSpan(filter, COUNTED_MAX + 1);
      return { count: Math.min(count, COUNTED_MAX), hasMore: count > COUNTED_MAX };
    } finally {
      giveBack();
    }
  };
}
