import type { DnsResult, RecordData, RecordType } from "../dns/records.ts";
import type { Resolver } from "../dns/resolver.ts";
import type { Clock } from "../shared/clock.ts";
import type { Evidence } from "./check-result.ts";

/** An answer, and how it is shown. */
export interface Probed<T> {
  readonly answer: DnsResult<T>;
  readonly evidence: Evidence;
}

/** The lookups of one check of one domain, which share a budget: a hostile zone costs no more than another one. */
export interface ProbeDns {
  /** Never rejects; beyond the budget every answer is `failed`, with the reason `budget`. */
  lookUp<T extends RecordType>(name: string, type: T): Promise<Probed<RecordData[T]>>;
  /** The budget is used up: what was found so far is not all. */
  isOverBudget(): boolean;
}

export interface ProbeDnsOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly clock: Pick<Clock, "now">;
  readonly maxLookups?: number;
}

const MAX_LOOKUPS = 60;
export const BUDGET_REASON = "budget";

/** Each name and type is asked for once. */
export function createProbeDns({ resolver, clock, maxLookups = MAX_LOOKUPS }: ProbeDnsOptions): ProbeDns {
  const known = new Map<string, Promise<Probed<unknown>>>();
  let isOver = false;

  async function ask(name: string, type: RecordType): Promise<Probed<unknown>> {
    const answer: DnsResult<unknown> = await resolver.resolve(name, type);
    return { answer, evidence: evidenceOf(name, type, answer, clock.now()) };
  }

  function lookUp(name: string, type: RecordType): Promise<Probed<unknown>> {
    const key = `${type} ${name.toLowerCase()}`;
    const former = known.get(key);
    if (former) return former;
    if (known.size >= maxLookups) {
      isOver = true;
      const answer = { kind: "failed", reason: BUDGET_REASON } as const;
      return Promise.resolve({ answer, evidence: evidenceOf(name, type, answer, clock.now()) });
    }
    const probed = ask(name, type);
    known.set(key, probed);
    return probed;
  }

  return {
    // What is kept under a key that begins with a type was looked up for that type.
    lookUp: lookUp as ProbeDns["lookUp"],
    isOverBudget: () => isOver,
  };
}

function evidenceOf(name: string, type: string, answer: DnsResult<unknown>, at: Date): Evidence {
  if (answer.kind === "failed") return { name, type, rcode: "ERROR", data: [], at, reason: answer.reason };
  const common = { name, type, at, authenticated: answer.authenticated };
  if (answer.kind === "no_domain") return { ...common, rcode: "NXDOMAIN", data: [] };
  if (answer.kind === "no_data") return { ...common, rcode: "NOERROR", data: [] };
  const { records, ttlSeconds } = answer;
  return { ...common, rcode: "NOERROR", ttlSeconds, data: records.map((one) => shown(type, one)) };
}

/** A record as zone files have it. */
function shown(type: string, record: unknown): string {
  if (type === "TXT") return (record as RecordData["TXT"]).map((text) => JSON.stringify(text)).join(" ");
  if (type === "MX") {
    const { preference, exchange } = record as RecordData["MX"];
    return `${preference} ${exchange === "." ? "." : `${exchange}.`}`;
  }
  if (type === "TLSA") {
    const { usage, selector, matchingType, certificate } = record as RecordData["TLSA"];
    return `${usage} ${selector} ${matchingType} ${certificate.toString("hex")}`;
  }
  return type === "NS" || type === "PTR" ? `${String(record)}.` : String(record);
}
