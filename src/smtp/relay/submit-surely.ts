import { setTimeout as sleep } from "node:timers/promises";
import { type FaultCodeName, faultCodes } from "../../../contracts/common/fault-codes.ts";
import { type Clock, systemClock } from "../../shared/clock.ts";
import { Fault } from "../../shared/fault.ts";

export interface SubmitSurelyOptions<T> {
  readonly submit: () => Promise<T>;
  /** What was stored of it; undefined: nothing, by now. */
  readonly find: () => Promise<T | undefined>;
  /** Whether it can be submitted twice: what was only passed on is here no more. */
  readonly repeatable: boolean;
  /** For how long it is tried to learn more. */
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
 * Submits a message and, when the answer gets lost, asks what became of it and submits it once more: under its
 * submission id it is stored once, however often it comes.
 * @throws Fault that is uncertain when it could not be learnt in time; any other says that nothing is stored
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
        // What is refused for now says nothing of the first time, which may be under way somewhere.
        if (!(refusal instanceof Fault) || isFinal(refusal)) throw refusal;
      }
    }
    throw thrown;
  }
}

function isFinal({ code }: Fault): boolean {
  return faultCodes[code].smtp.startsWith("5");
}
