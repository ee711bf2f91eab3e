import { messageEvent } from "../../src/events/message-event.ts";
import type { MessageTransition } from "../../src/store/queue-store.ts";
import type { AcrossAccounts } from "../../src/store/store.ts";

/** Writes ends of attempts with an event each. @returns the number of written transitions */
export function applyTransitions(
  { queue, events }: Pick<AcrossAccounts, "queue" | "events">,
  transitions: readonly MessageTransition[],
): Promise<number> {
  const happened = transitions.map(({ messageId, to, attempts, at, expireAt = at }) => {
    const message = { _id: messageId, accountId: "acc_test", traceId: "sx_test" };
    return messageEvent(message, { kind: to, attempt: attempts, at, expireAt, reply: { detail: "" } });
  });
  return queue.applyWithEvents(transitions, happened, events.announce(happened));
}
