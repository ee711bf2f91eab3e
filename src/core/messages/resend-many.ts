import { faultCodes } from "../../../contracts/common/fault-codes.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault } from "../../shared/fault.ts";
import { derivedMessageIdAt, newTraceId } from "../../shared/ids.ts";
import type { JobResultEntry } from "../../store/job-documents.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { Store } from "../../store/store.ts";
import type { RunningJob } from "../jobs/job-kind.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type BulkAction, UNKNOWN } from "./bulk-action.ts";
import { type Resend, whyNotResent } from "./resend.ts";

/** Bodies are read and stored again, so the jobs of other accounts run after this time. */
const STEP_MS = 2_000;
/** Messages that are stored together share round trips. */
const AT_ONCE = 8;

/** There is no capacity at present: the job waits, as a client would. */
const WAITING: ReadonlySet<string> = new Set([
  "rate.limited",
  "rate.bytes_in_flight",
  "service.busy",
  "idempotency.in_flight",
]);

export interface ResendManyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
  readonly resend: Resend;
}

/**
 * Sends messages again as `createResend` sends one, each by the rules and limits at that time. The id of each new
 * message is derived from the job and the original one, so that a repeated step finds the messages that it has
 * stored.
 */
export function createResendMany({ store, clock, resend }: ResendManyOptions): BulkAction {
  /** @returns undefined: the message must wait */
  async function one(job: RunningJob, message: MessageDocument): Promise<JobResultEntry | undefined> {
    const { _id: item } = message;
    try {
      const { message: copy } = await resend({
        message,
        wantedBy: job.startedBy.id,
        traceId: newTraceId(clock.now()),
        signal: job.signal,
        // Uses the time of the job: the new message is listed and retained with present messages, and not with the
        // original one.
        once: { id: derivedMessageIdAt(job.createdAt, item, `resend ${job._id}`) },
      });
      return { item, outcome: "done", message: `Sent again as ${copy._id}.` };
    } catch (error) {
      const refusal = Fault.from(error);
      if (WAITING.has(refusal.code)) return undefined;
      if (faultCodes[refusal.code].http >= 500) throw error;
      const outcome = refusal.code === "message.not_resendable" ? "skipped" : "failed";
      return { item, outcome, code: refusal.code, message: refusal.public };
    }
  }

  return {
    canAct: (message) => whyNotResent(message) === undefined,

    act: async (job, ids) => {
      const { messages } = await resolveAccount(store, job);
      const results: JobResultEntry[] = [];
      const untilMs = clock.monotonicMs() + STEP_MS;
      while (results.length < ids.length && (results.length === 0 || clock.monotonicMs() < untilMs)) {
        job.signal.throwIfAborted();
        const part = ids.slice(results.length, results.length + AT_ONCE);
        const found = new Map((await messages.findByIds(part)).map((message) => [message._id, message]));
        const entries = await Promise.all(
          part.map((item) => {
            const message = found.get(item);
            return message ? one(job, message) : { item, ...UNKNOWN };
          }),
        );
        const waiting = entries.indexOf(undefined);
        // Messages after the first waiting one are found as done in the next step.
        results.push(...entries.slice(0, waiting === -1 ? undefined : waiting).filter((entry) => !!entry));
        if (waiting !== -1) break;
      }
      return results;
    },
  };
}
