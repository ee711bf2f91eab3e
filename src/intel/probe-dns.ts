import type { DnsResult, RecordData, RecordType } from "../dns/records.ts";
import type { Resolver } from "../dns/resolver.ts";
import { type Clock, systemTimers, type Timers } from "../shared/clock.ts";
import type { Evidence } from "./check-result.ts";
import { dnsEvidence } from "./dns-evidence.ts";

/** An answer, and how it is shown. */
export interface Probed<T> {
  readonly answer: DnsResult<T>;
  readonly evidence: Evidence;
}

/** The lookups of one look at one domain, which share a budget: a hostile zone costs no more than another one. */
export interface ProbeDns {
  /** Never rejects; beyond the budget every answer is `failed`, with the code and the reason `budget`. */
  lookUp<T extends RecordType>(name: string, type: T): Promise<Probed<RecordData[T]>>;
  /** The budget is used up: what was found so far is not all. */
  isOverBudget(): boolean;
}

export interface ProbeDnsOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
  readonly timers?: Pick<Timers, "after">;
  readonly maxLookups?: number;
  /** How long the whole look may take, from now on; what is still under way then is not waited for. */
  readonly timeoutMs?: number;
}

const MAX_LOOKUPS = 60;
const TIMEOUT_MS = 90_000;
export const BUDGET_REASON = "budget";
const OVER_BUDGET = { kind: "failed", code: "budget", reason: BUDGET_REASON } as const;

/** Begins a look; each name and type is asked for once. */
export function createProbeDns(options: ProbeDnsOptions): ProbeDns {
  const { resolver, clock, timers = systemTimers, maxLookups = MAX_LOOKUPS } = options;
  const endMs = clock.monotonicMs() + (options.timeoutMs ?? TIMEOUT_MS);
  const known = new Map<string, Promise<Probed<unknown>>>();
  let isOver = false;

  function overBudget(): DnsResult<unknown> {
    isOver = true;
    return OVER_BUDGET;
  }

  /** The resolver's own bound begins only when its queue lets the question through. */
  function withinTime(name: string, type: RecordType, leftMs: number): Promise<DnsResult<unknown>> {
    return new Promise((resolve, reject) => {
      const cancel = timers.after(leftMs, () => resolve(overBudget()));
      resolver.resolve(name, type).then(resolve, reject).finally(cancel);
    });
  }

  async function ask(name: string, type: RecordType): Promise<Probed<unknown>> {
    const leftMs = endMs - clock.monotonicMs();
    const isAllowed = leftMs > 0 && known.size < maxLookups;
    const answer = isAllowed ? await withinTime(name, type, leftMs) : overBudget();
    return { answer, evidence: dnsEvidence({ name, type, answer, at: clock.now() }) };
  }

  function lookUp(name: string, type: RecordType): Promise<Probed<unknown>> {
    const key = `${type} ${name.toLowerCase()}`;
    const former = known.get(key);
    if (former) return former;
    const probed = ask(name, type);
    // What is beyond the number is not remembered either.
    if (known.size < maxLookups) known.set(key, probed);
    return probed;
  }

  return {
    // What is kept under a key that begins with a type was looked up for that type.
    lookUp: lookUp as ProbeDns["lookUp"],
    isOverBudget: () => isOver,
  };
}
