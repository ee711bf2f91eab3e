/**
 * The states of a message to one recipient.
 *
 * - `accepted`: checked and about to be stored; never seen at rest
 * - `scheduled`: waits for its `send_at`
 * - `queued`: waits for its first attempt
 * - `sending`: an attempt is under way; held in the worker's memory, not written
 * - `delivered`: the next server took responsibility for it
 * - `captured`: the sandbox's `delivered`
 * - `deferred`: an attempt failed for now; another one follows
 * - `bounced`: refused for good
 * - `suppressed`: not tried, for the recipient is on the suppression list
 * - `expired`: could not be delivered within its maximum age
 * - `failed`: could not be made or routed at all
 * - `cancelled`: withdrawn before delivery
 * - `complained`: delivered, and reported as spam by its recipient
 */
export const messageStates = [
  "accepted",
  "scheduled",
  "queued",
  "sending",
  "delivered",
  "captured",
  "deferred",
  "bounced",
  "suppressed",
  "expired",
  "failed",
  "cancelled",
  "complained",
] as const;

export type MessageState = (typeof messageStates)[number];

/** Every transition that exists; the store refuses any other. */
const transitions: Readonly<Record<MessageState, readonly MessageState[]>> = {
  accepted: ["scheduled", "queued", "suppressed"],
  scheduled: ["queued", "sending", "cancelled", "suppressed"],
  queued: ["sending", "cancelled", "suppressed"],
  sending: ["delivered", "captured", "deferred", "bounced", "suppressed", "expired", "failed"],
  deferred: ["sending", "cancelled", "expired", "suppressed"],
  delivered: ["bounced", "complained"],
  captured: [],
  bounced: [],
  suppressed: [],
  expired: [],
  failed: [],
  cancelled: [],
  complained: [],
};

/** The states in which a message waits for the queue. */
export const waitingStates = ["scheduled", "queued", "deferred"] as const satisfies readonly MessageState[];

export function canBecome(from: MessageState, to: MessageState): boolean {
  return transitions[from].includes(to);
}

/** The stored states out of which an attempt may end in `to`: those that may be `sending`, which is never stored. */
export function statesBeforeOutcome(to: MessageState): MessageState[] {
  if (!canBecome("sending", to)) return [];
  return messageStates.filter((state) => canBecome(state, "sending"));
}

/** True when nothing more happens to the message by itself. */
export function isFinal(state: MessageState): boolean {
  return !canBecome(state, "sending") && state !== "sending" && state !== "accepted";
}
