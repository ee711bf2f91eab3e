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

/** Bodies are read and stored again: other accounts' jobs have their turn after so long. */
const STEP_MS = 2_000;
/** What is stored at once shares round trips. */
const AT_ONCE = 8;

/** There is no room for it at this moment: the job waits, as a client would. */
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
 * Sends messages once more as `createResend` does one, each by the rules and limits that it has then. The id of each new one
 * follows from the job and the former one: a step that is done again finds what it has stored.
 */
export function createResendMany({ store, clock, resend }: ResendManyOptions): BulkAction {
  /** @returns undefined: it has to wait */
  async function one(job: RunningJob, message: MessageDocument): Promise<JobResultEntry | undefined> {
    const { _id: item } = message;
    try {
      const { message: copy } = await resend({
        message,
        wantedBy: job.startedBy.id,
        traceId: newTraceId(clock.now()),
        signal: job.signal,
        // By the time of the job: it is listed, and kept, with what is accepted now, and not with the former one.
        once: { id: derivedMessageIdAt(job.createdAt, item, `resend ${job._id}`) },
      });
      return { item, outcome: "done", message: `The message is sent again as ${copy._id}.` };
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
        // What is behind the first one that waits is found done the next time.
        results.push(...entries.slice(0, waiting === -1 ? undefined : waiting).filter((entry) => !!entry));
        if (waiting !== -1) break;
      }
      return results;
    },
  };
}
