import type { CoreClient } from "../core/client.ts";
import type { Clock } from "../shared/clock.ts";
import { Fault, fault } from "../shared/fault.ts";

/** How long a missed deadline speaks against the core, when nothing was sent since. */
const REMEMBERED_MS = 10_000;

export interface WatchedAnswers {
  readonly sendEmail: CoreClient["sendEmail"];
  /** For /readyz: rejects while the last submission was not answered in time. */
  readonly inTime: () => Promise<void>;
}

/** That the core says it serves is not that it answers: what counts is what became of submissions. */
export function watchAnswers(core: Pick<CoreClient, "sendEmail">, clock: Clock): WatchedAnswers {
  let missedAtMs: number | undefined;

  return {
    sendEmail: async (request, waitedMs) => {
      try {
        const answer = await core.sendEmail(request, waitedMs);
        missedAtMs = undefined;
        return answer;
      } catch (refused) {
        const code = refused instanceof Fault ? refused.code : undefined;
        if (code === "core.timeout") missedAtMs = clock.monotonicMs();
        // What was not sent says nothing of how those before it fare.
        else if (code !== "core.unavailable") missedAtMs = undefined;
        throw refused;
      }
    },
    inTime: async () => {
      if (missedAtMs === undefined || clock.monotonicMs() - missedAtMs > REMEMBERED_MS) return;
      throw fault("core.timeout", { internal: "submissions are not answered in time" });
    },
  };
}
