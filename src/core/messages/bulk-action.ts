import type { JobOutcome, JobResultEntry } from "../../store/job-documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { RunningJob } from "../jobs/job-kind.ts";

/** What can be done with many messages at once. */
export interface BulkAction {
  /** Whether it can be done with a message as it is now. */
  canAct(message: Pick<MessageDocument, "state" | "operation" | "cancelRequestedAt">): boolean;
  /**
   * Does it with up to 500 messages of the job's account. Doing it again for the same job does nothing a second time.
   * @param ids may name messages that are not there
   * @returns a result for each, in their order; or for as many of the first as there was time or room for: the others are next
   *   then, a second later where there was no room for any
   */
  act(job: RunningJob, ids: readonly string[]): Promise<JobResultEntry[]>;
}

/** The actions, by the name that a request gives; more of it is a line where they are put together. */
export type BulkActions = Readonly<Record<string, BulkAction>>;

/** For a message that is not there, or cannot be read. */
export const UNKNOWN = {
  outcome: "failed" as JobOutcome,
  code: "message.unknown",
  message: "The message no longer exists or cannot be read.",
} as const;
