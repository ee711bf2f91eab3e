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

/** The lookups of one group of checks, which share a budget: a hostile zone costs no more than another one. */
export interface ProbeDns {
  /** Never rejects; beyond the budget every answer is `failed`, with the code and the reason `budget`. */
  lookUp<T extends RecordType>(name: string, type: T): Promise<Probed<RecordData[T]>>;
  /** The budget is used up: what was found so far is not all. */
  isOverBudget(): boolean;
  /** A group with a budget of its own. It shares the answers and the time of the look: a known answer costs nothing. */
  group(maxLookups: number): ProbeDns;
}

export interface ProbeDnsOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
  readonly timers?: Pick<Timers, "after">;
  readonly maxLookups?: number;
  /** How long the whole look may take, from now on; what is still under way then is not waited for. */
  readonly timeoutMs?: number;
}

/**
 * Lookups of each group of checks. Each is as large as the limits of the API and of the standards allow a domain to be: 20 sending addresses,
 * 20 selectors or all well-known ones, ten SPF lookups, 20 mail servers.
 */
export const lookupBudgets = {
  /** SPF: the record, and ten terms with lookups of both families; more for counting how far a record is beyond the limit. */
  spf: 60,
  /** SPF of sending addresses and of proposed records: ten `mx` of ten hosts, both families. */
  senders: 240,
  /** 20 selectors, or the well-known ones. */
  dkim: 30,
  /** Eight names of the walk, and the destinations of reports. */
  dmarc: 40,
  /** 20 mail servers, both families. */
  mail: 50,
  /** 20 addresses, each with a name and five names that lead back. */
  reverse: 120,
  ehlo: 60,
  bimi: 20,
  /** Five mail servers and the policy host, ten labels each. */
  caa: 70,
  dnssec: 4,
  /** TLSA of 20 mail servers and their aliases, MTA-STS and TLS-RPT. */
  transport: 60,
} as const;
const MAX_LOOKUPS = lookupBudgets.spf;
const TIMEOUT_MS = 90_000;
export const BUDGET_REASON = "budget";
const OVER_BUDGET = { kind: "failed", code: "budget", reason: BUDGET_REASON } as const;
/** Slow servers, or a slow resolver of one's own, are no sign of a hostile zone. */
const OUT_OF_TIME = { kind: "failed", code: "budget", reason: "the time of the look was used up" } as const;

/** Begins a look; each name and type is asked for once. */
export function createProbeDns(options: ProbeDnsOptions): ProbeDns {
  const { resolver, clock, timers = systemTimers } = options;
  const endMs = clock.monotonicMs() + (options.timeoutMs ?? TIMEOUT_MS);
  const known = new Map<string, Promise<Probed<unknown>>>();

  /** The resolver's own bound begins only when its queue lets the question through. */
  function withinTime(name: string, type: RecordType, leftMs: number): Promise<DnsResult<unknown>> {
    return new Promise((resolve, reject) => {
      const cancel = timers.after(leftMs, () => resolve(OUT_OF_TIME));
      resolver.resolve(name, type).then(resolve, reject).finally(cancel);
    });
  }

  async function ask(name: string, type: RecordType, isAllowed: boolean): Promise<Probed<unknown>> {
    const leftMs = endMs - clock.monotonicMs();
    const over = leftMs > 0 ? OVER_BUDGET : OUT_OF_TIME;
    const answer = isAllowed && leftMs > 0 ? await withinTime(name, type, leftMs) : over;
    return { answer, evidence: dnsEvidence({ name, type, answer, at: clock.now() }) };
  }

  function createGroup(maxLookups: number): ProbeDns {
    let count = 0;
    let isOver = false;

    async function lookUp(name: string, type: RecordType): Promise<Probed<unknown>> {
      const key = `${type} ${name.toLowerCase()}`;
      const former = known.get(key);
      const isAllowed = former !== undefined || count < maxLookups;
      const probed = former ?? ask(name, type, isAllowed);
      if (!former && isAllowed) {
        count += 1;
        // An answer beyond the number is not remembered: another group may ask.
        known.set(key, probed);
      }
      const found = await probed;
      if (found.answer.kind === "failed" && found.answer.code === OVER_BUDGET.code) isOver = true;
      return found;
    }

    return {
      // An answer under a key that begins with a type was looked up for that type.
      lookUp: lookUp as ProbeDns["lookUp"],
      isOverBudget: () => isOver,
      group: createGroup,
    };
  }

  return createGroup(options.maxLookups ?? MAX_LOOKUPS);
}
