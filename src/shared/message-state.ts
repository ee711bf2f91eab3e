/**
 * States of a message to one recipient.
 *
 * - `accepted`: checked and about to be stored; never stored
 * - `scheduled`: waits for its `send_at`
 * - `queued`: waits for its first attempt
 * - `sending`: an attempt is in progress; only in the worker's memory
 * - `delivered`: the next server has accepted it
 * - `captured`: `delivered` for the sandbox
 * - `deferred`: an attempt failed temporarily; another one follows
 * - `bounced`: refused permanently
 * - `suppressed`: not tried, because the recipient is on the suppression list
 * - `expired`: not delivered within its maximum age
 * - `failed`: could not be created or routed
 * - `cancelled`: cancelled before delivery
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

/** All valid transitions. The store refuses any other. */
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

/** States in which a message waits in the queue. */
export const waitingStates = ["scheduled", "queued", "deferred"] as const satisfies readonly MessageState[];

export function canBecome(from: MessageState, to: MessageState): boolean {
  return transitions[from].includes(to);
}

/** Stored states from which an attempt may end in `to`: those from which a message may be `sending`, which is never stored. */
export function statesBeforeOutcome(to: MessageState): MessageState[] {
  if (!canBecome("sending", to)) return [];
  return messageStates.filter((state) => canBecome(state, "sending"));
}

/** Whether the state does not change by itself any more. */
export function isFinal(state: MessageState): boolean {
  return !canBecome(state, "sending") && state !== "sending" && state !== "accepted";
}
