import type { CoreClient } from "../rpc/client.ts";
import type { Clock } from "../shared/clock.ts";
import { createDrainPace } from "../shared/drain-pace.ts";
import { Fault, fault } from "../shared/fault.ts";

/** Time for which a missed deadline counts against the core without further requests. */
const REMEMBERED_MS = 10_000;

export interface WatchedAnswers {
  readonly sendEmail: CoreClient["sendEmail"];
  /** For /readyz: rejects while the last submission was not answered in time. */
  readonly inTime: () => Promise<void>;
}

/** A core that reports ready may still not answer, so the outcomes of submissions count. */
export function watchAnswers(core: Pick<CoreClient, "sendEmail">, clock: Clock): WatchedAnswers {
  let missedAtMs: number | undefined;
  let underWay = 0;
  const pace = createDrainPace(clock);

  /** A late caller retries when the pending requests are probably finished. */
  function missed(late: Fault): Fault {
    missedAtMs = clock.monotonicMs();
    const { text, message: internal } = late;
    const retryAfterSeconds = pace.secondsFor(underWay);
    return fault("core.timeout", { public: text, internal, cause: late, retryAfterSeconds });
  }

  return {
    sendEmail: async (request, waitedMs) => {
      underWay++;
      pace.began(1);
      try {
        const answer = await core.sendEmail(request, waitedMs);
        missedAtMs = undefined;
        pace.ended(1);
        return answer;
      } catch (refused) {
        pace.dropped(1);
        if (refused instanceof Fault && refused.code === "core.timeout") throw missed(refused);
        // A request that was not sent says nothing about the earlier ones.
        if (!(refused instanceof Fault) || refused.code !== "core.unavailable") missedAtMs = undefined;
        throw refused;
      } finally {
        underWay--;
      }
    },
    inTime: async () => {
      if (missedAtMs === undefined || clock.monotonicMs() - missedAtMs > REMEMBERED_MS) return;
      throw fault("core.timeout", { internal: "submissions are not answered in time" });
    },
  };
}
