import { setTimeout as sleep } from "node:timers/promises";
import { type FaultCodeName, faultCodes } from "../../../contracts/common/fault-codes.ts";
import { type Clock, systemClock } from "../../shared/clock.ts";
import { Fault } from "../../shared/fault.ts";

export interface SubmitSurelyOptions<T> {
  readonly submit: () => Promise<T>;
  /** Returns the stored result; undefined: nothing is stored yet. */
  readonly find: () => Promise<T | undefined>;
  /** Whether the message can be submitted twice. A streamed message is no longer available. */
  readonly repeatable: boolean;
  /** Time limit for finding the result. */
  readonly forMs: number;
  readonly clock?: Pick<Clock, "monotonicMs">;
  readonly pause?: (ms: number) => Promise<unknown>;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1_000;
const UNCERTAIN: ReadonlySet<FaultCodeName> = new Set([
  "core.connection_lost",
  "core.timeout",
  "store.unavailable",
  "internal.error",
] as const);

/** Whether the message may be stored although it was not acknowledged. */
export function isUncertain({ code }: Fault): boolean {
  return UNCERTAIN.has(code);
}

/**
 * Submits a message. If the answer is lost, asks for the result and submits the message again. The submission id
 * ensures that it is stored only once.
 * @throws Fault that is uncertain if the result could not be found in time; any other fault means that nothing is
 * stored
 */
export async function submitSurely<T>(options: SubmitSurelyOptions<T>): Promise<T> {
  const { submit, find, repeatable, forMs, clock = systemClock, pause = sleep } = options;
  const deadline = clock.monotonicMs() + forMs;
  try {
    return await submit();
  } catch (thrown) {
    if (!(thrown instanceof Fault) || !isUncertain(thrown)) throw thrown;
    for (let ms = FIRST_PAUSE_MS; clock.monotonicMs() + ms < deadline; ms = Math.min(2 * ms, MAX_PAUSE_MS)) {
      await pause(ms);
      const found = await find().catch(() => "unknown" as const);
      if (found === "unknown") continue;
      if (found !== undefined) return found;
      if (!repeatable) continue;
      try {
        return await submit();
      } catch (refusal) {
        // A temporary refusal says nothing about the first submission, which may still be in progress.
        if (!(refusal instanceof Fault) || isFinal(refusal)) throw refusal;
      }
    }
    throw thrown;
  }
}

function isFinal({ code }: Fault): boolean {
  return faultCodes[code].smtp.startsWith("5");
}
