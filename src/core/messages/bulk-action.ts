import type { JobOutcome, JobResultEntry } from "../../store/job-documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { RunningJob } from "../jobs/job-kind.ts";

/** An action on many messages. */
export interface BulkAction {
  /** Whether the action applies to a message in its present state. */
  canAct(message: Pick<MessageDocument, "state" | "operation" | "cancelRequestedAt">): boolean;
  /**
   * Applies the action to up to 500 messages of the job's account. A repetition for the same job has no second
   * effect.
   * @param ids may contain ids of messages that do not exist
   * @returns a result for each message, in order; if time or capacity is not sufficient, only for the first ones: the
   *   next call continues with the others, after one second if there was no capacity for any
   */
  act(job: RunningJob, ids: readonly string[]): Promise<JobResultEntry[]>;
}

/** Actions by the name in a request. An action is added by one line in this map. */
export type BulkActions = Readonly<Record<string, BulkAction>>;

/** Result for a message that does not exist or cannot be read. */
export const UNKNOWN = {
  outcome: "failed" as JobOutcome,
  code: "message.unknown",
  message: "The message no longer exists, or cannot be read.",
} as const;
