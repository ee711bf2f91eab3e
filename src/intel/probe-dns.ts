import type { DnsResult, RecordData, RecordType } from "../dns/records.ts";
import type { Resolver } from "../dns/resolver.ts";
import { type Clock, systemTimers, type Timers } from "../shared/clock.ts";
import type { Evidence } from "./check-result.ts";
import { dnsEvidence } from "./dns-evidence.ts";

/** An answer with its displayed form. */
export interface Probed<T> {
  readonly answer: DnsResult<T>;
  readonly evidence: Evidence;
}

/** Lookups of one group of checks with a shared budget. The budget limits the cost of a hostile zone. */
export interface ProbeDns {
  /** Never rejects. Beyond the budget every answer is `failed`, with the code and the reason `budget`. */
  lookUp<T extends RecordType>(name: string, type: T): Promise<Probed<RecordData[T]>>;
  /** The budget is exhausted, so the findings are incomplete. */
  isOverBudget(): boolean;
  /**
   * Creates a group with its own budget. It shares the answers and the time limit of the check run: a known answer
   * costs nothing.
   */
  group(maxLookups: number): ProbeDns;
}

export interface ProbeDnsOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly clock: Pick<Clock, "now" | "monotonicMs">;
  readonly timers?: Pick<Timers, "after">;
  readonly maxLookups?: number;
  /** Time limit of the whole check run, from now on. Lookups that are still running then are not awaited. */
  readonly timeoutMs?: number;
}

/**
 * Lookup budget of each group of checks. Each covers the limits of the API and of the standards: 20 sending
 * addresses, 20 selectors or all well-known ones, ten SPF lookups, 20 mail servers.
 */
export const lookupBudgets = {
  /**
   * SPF: the record and ten terms with lookups of both families. The rest measures how far a record exceeds the
   * limit.
   */
  spf: 60,
  /** SPF of sending addresses and of proposed records: ten `mx` of ten hosts, both families. */
  senders: 240,
  /** 20 selectors, or the well-known ones. */
  dkim: 30,
  /** Eight names of the tree walk, and the report destinations. */
  dmarc: 40,
  /** 20 mail servers, both families. */
  mail: 50,
  /** 20 addresses, each with a name and five forward lookups. */
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
/** Slow servers, or a slow local resolver, do not indicate a hostile zone. */
const OUT_OF_TIME = {
  kind: "failed",
  code: "budget",
  reason: "the time limit of the check was reached",
} as const;

/** Starts a check run. Each name and type is queried once. */
export function createProbeDns(options: ProbeDnsOptions): ProbeDns {
  const { resolver, clock, timers = systemTimers } = options;
  const endMs = clock.monotonicMs() + (options.timeoutMs ?? TIMEOUT_MS);
  const known = new Map<string, Promise<Probed<unknown>>>();

  /** The resolver's own timeout starts only when its queue releases the query. */
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
        // An answer beyond the budget is not cached: another group may query.
        known.set(key, probed);
      }
      const found = await probed;
      if (found.answer.kind === "failed" && found.answer.code === OVER_BUDGET.code) isOver = true;
      return found;
    }

    return {
      // Answers are cached under a key that begins with their type.
      lookUp: lookUp as ProbeDns["lookUp"],
      isOverBudget: () => isOver,
      group: createGroup,
    };
  }

  return createGroup(options.maxLookups ?? MAX_LOOKUPS);
}
