import { Fault } from "../shared/fault.ts";
import type { Process } from "./process.ts";

/** Counts the outcomes and durations of submissions. */
export function measureAccepts<Arguments extends unknown[], Answer extends { readonly replayed?: boolean }>(
  { clock, metrics }: Pick<Process, "clock" | "metrics">,
  accept: (...args: Arguments) => Promise<Answer>,
): (...args: Arguments) => Promise<Answer> {
  return async (...args) => {
    const startedMs = clock.monotonicMs();
    try {
      const answer = await accept(...args);
      metrics.accepts.inc({ outcome: answer.replayed ? "replayed" : "accepted", code: "" });
      return answer;
    } catch (error) {
      metrics.accepts.inc({ outcome: "refused", code: Fault.from(error).code });
      throw error;
    } finally {
      metrics.acceptDuration.observe((clock.monotonicMs() - startedMs) / 1000);
    }
  };
}
