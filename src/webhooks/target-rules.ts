import type { ReceiverRules } from "./attempt.ts";
import { nextNoticeAttemptAt } from "./retry-schedule.ts";

/**
 * Answers of chat services to a request that they never accept: the body, the URL or the channel is wrong.
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 413]);
const GONE = 410;

/** Rules for requests to alert targets. */
export const targetRules: ReceiverRules = {
  nextAttemptAt: nextNoticeAttemptAt,
  // Only webhooks have secrets. Their receivers may answer anything while they are repaired.
  meaningOf: ({ secrets }, status) =>
    status === GONE || (secrets.length === 0 && REFUSALS.has(status)) ? "refused" : "retry",
  isDelayForAll: true,
  isUrlSecret: true,
};
