import type { Resolver } from "../../dns/resolver.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { createLru } from "../../shared/lru.ts";
import type { FetchPolicy } from "./fetch-policy.ts";
import type { MtaStsPolicy } from "./policy.ts";
import { policyId } from "./policy-id.ts";

/** A policy and its expiry. */
interface FetchedPolicy extends MtaStsPolicy {
  /** Domain, as A-labels in lower case. */
  readonly _id: string;
  /** Id from the TXT record of the domain. */
  readonly policyId: string;
  readonly fetchedAt: Date;
  /** Time at which the policy expires. */
  readonly expireAt: Date;
}

/** Stores policies for all processes. */
interface PolicyStore {
  /** May return an expired policy. */
  find(domain: string): Promise<FetchedPolicy | null>;
  /** Replaces the policy of its domain. */
  put(policy: FetchedPolicy): Promise<void>;
}

export interface MtaStsOptions {
  readonly resolver: Resolver;
  readonly fetchPolicy: FetchPolicy;
  readonly store: PolicyStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly maxCacheEntries?: number;
}

/** Policies of recipients' domains. Domains are given in A-labels and lower case. */
export interface MtaSts {
  /** Policy in force, or none. A known policy is returned at once and refreshed in the background. Never rejects. */
  policyFor(domain: string): Promise<MtaStsPolicy | undefined>;
  /** Like `policyFor`, but checks for a newer policy first. Never rejects. */
  freshPolicyFor(domain: string): Promise<MtaStsPolicy | undefined>;
  /** Aborts running fetches. */
  close(): Promise<void>;
}

const DEFAULT_CACHE_ENTRIES = 10_000;
/** RFC 8461 section 3.3: a failed fetch is retried after at least five minutes. */
const RETRY_MS = 300_000;
/** Minimum time between successful fetches, regardless of the ids of a domain. */
const MIN_FETCH_INTERVAL_MS = 60_000;
/** RFC 8461 section 3.3: caches refresh daily, so that an attacker who blocks fetches must do so for a long time. */
const REFRESH_MS = 86_400_000;
/** A policy with max_age 0 applies to the burst of messages for which it was fetched. */
const MIN_AGE_MS = 300_000;
/** Time for which a missing policy in the store is remembered: another process may fetch one. */
const ABSENCE_MS = 300_000;

/** State of one domain. Times are monotonic milliseconds of the clock, except the time of the policy. */
interface Entry {
  policy: FetchedPolicy | undefined;
  /** Earliest time of the next read of the store. */
  storeAskedUntilMs: number;
  /** Earliest time of the next fetch. */
  noFetchUntilMs: number;
}

/** Finds the policy of each domain (RFC 8461 section 5.1): in memory, in the store, or from the domain. */
export function createMtaSts(options: MtaStsOptions): MtaSts {
  const { resolver, fetchPolicy, store, clock, log, maxCacheEntries = DEFAULT_CACHE_ENTRIES } = options;
  const entries = createLru<Entry>(maxCacheEntries);
  const underWay = new Map<string, Promise<Entry>>();
  const closing = new AbortController();

  const inForce = ({ policy }: Entry): FetchedPolicy | undefined =>
    policy && policy.expireAt > clock.now() ? policy : undefined;

  /** State in memory and in the store. */
  async function recall(domain: string): Promise<Entry> {
    const entry = entries.get(domain) ?? { policy: undefined, storeAskedUntilMs: 0, noFetchUntilMs: 0 };
    // At once, so that concurrent callers share it.
    entries.set(domain, entry);
    if (inForce(entry) || clock.monotonicMs() < entry.storeAskedUntilMs) return entry;
    try {
      const found = await store.find(domain);
      // A refresh may have been faster than the store.
      if (!inForce(entry)) entry.policy = found ?? undefined;
      entry.storeAskedUntilMs = clock.monotonicMs() + ABSENCE_MS;
    } catch (error) {
      log.warn({ domain, err: error }, "a known MTA-STS policy cannot be looked up");
    }
    return entry;
  }

  /** Checks whether the domain announces another policy than the known one, and then fetches it. */
  async function refresh(domain: string, entry: Entry): Promise<Entry> {
    const announced = await resolver.resolve(`_mta-sts.${domain}`, "TXT");
    const id = announced.kind === "records" ? policyId(announced.records) : undefined;
    // Neither silence nor a denial ends a policy: an attacker who can forge them could end every policy (section 10.2).
    if (id === undefined || clock.monotonicMs() < entry.noFetchUntilMs || closing.signal.aborted)
      return entry;
    const known = inForce(entry);
    if (known?.policyId === id && clock.now().getTime() < refreshAtMs(known)) return entry;
    try {
      const policy = await fetchPolicy(domain, closing.signal);
      entry.policy = fetchedPolicy(domain, id, policy, clock.now());
      entry.noFetchUntilMs = clock.monotonicMs() + MIN_FETCH_INTERVAL_MS;
      log.debug({ domain, policyId: id, mode: policy.mode }, "fetched an MTA-STS policy");
    } catch (error) {
      entry.noFetchUntilMs = clock.monotonicMs() + RETRY_MS;
      const reason = error instanceof Error ? error.message : String(error);
      if (!closing.signal.aborted) log.warn({ domain, reason }, "an MTA-STS policy cannot be fetched");
      return entry;
    }
    await store.put(entry.policy).catch((error) => {
      log.warn({ domain, err: error }, "an MTA-STS policy cannot be stored");
    });
    return entry;
  }

  /** Concurrent callers for the same domain share one refresh and its result. */
  function refreshOnce(domain: string, entry: Entry): Promise<Entry> {
    if (closing.signal.aborted) return Promise.resolve(entry);
    const pending =
      underWay.get(domain) ?? refresh(domain, entry).finally(() => void underWay.delete(domain));
    underWay.set(domain, pending);
    return pending;
  }

  return {
    policyFor: async (domain) => {
      const entry = await recall(domain);
      const refreshed = refreshOnce(domain, entry);
      return inForce(entry) ?? inForce(await refreshed);
    },
    freshPolicyFor: async (domain) => inForce(await refreshOnce(domain, await recall(domain))),
    close: async () => {
      closing.abort();
      await Promise.all(underWay.values());
    },
  };
}

function fetchedPolicy(domain: string, id: string, policy: MtaStsPolicy, now: Date): FetchedPolicy {
  const ageMs = Math.max(policy.maxAgeSeconds * 1_000, MIN_AGE_MS);
  return {
    _id: domain,
    policyId: id,
    ...policy,
    fetchedAt: now,
    expireAt: new Date(now.getTime() + ageMs),
  };
}

/** Well before the end also of short policies. */
function refreshAtMs({ fetchedAt, expireAt }: FetchedPolicy): number {
  const fetchedMs = fetchedAt.getTime();
  return fetchedMs + Math.min(REFRESH_MS, (expireAt.getTime() - fetchedMs) / 2);
}
