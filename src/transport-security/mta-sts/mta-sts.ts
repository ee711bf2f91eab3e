import type { Resolver } from "../../dns/resolver.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/logger.ts";
import { createLru } from "../../shared/lru.ts";
import type { FetchPolicy } from "./fetch-policy.ts";
import type { MtaStsPolicy } from "./policy.ts";
import { policyId } from "./policy-id.ts";

/** A policy, and for how long it holds. */
interface FetchedPolicy extends MtaStsPolicy {
  /** The domain, as A-labels in lower case. */
  readonly _id: string;
  /** As the domain's TXT record announced it. */
  readonly policyId: string;
  readonly fetchedAt: Date;
  /** The policy no longer holds after this. */
  readonly expireAt: Date;
}

/** Keeps policies for all processes. */
interface PolicyStore {
  /** An expired policy may still be there. */
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

/** The policies of recipients' domains; domains are given in A-labels and lower case. */
export interface MtaSts {
  /** The policy in force, or none. One that is known is given at once and looked after behind. Never rejects. */
  policyFor(domain: string): Promise<MtaStsPolicy | undefined>;
  /** As `policyFor`, but after having asked whether there is a newer one. Never rejects. */
  freshPolicyFor(domain: string): Promise<MtaStsPolicy | undefined>;
  /** Gives up what is under way. */
  close(): Promise<void>;
}

const DEFAULT_CACHE_ENTRIES = 10_000;
/** RFC 8461 section 3.3: a failed fetch is tried again after five minutes at the earliest. */
const RETRY_MS = 300_000;
/** Between fetches that succeed, whatever the ids of a domain do. */
const MIN_FETCH_INTERVAL_MS = 60_000;
/** RFC 8461 section 3.3: caches are to be refreshed daily, so that who blocks a fetch has to do so for long. */
const REFRESH_MS = 86_400_000;
/** A policy of no age holds for the burst of messages that it was fetched for. */
const MIN_AGE_MS = 300_000;
/** How long it is remembered that the store has no policy: another process may fetch one. */
const ABSENCE_MS = 300_000;

/** What is known about one domain. Times are of the clock's monotonic milliseconds, but for the policy's. */
interface Entry {
  policy: FetchedPolicy | undefined;
  /** The store is not asked again before this. */
  storeAskedUntilMs: number;
  /** No fetch before this. */
  noFetchUntilMs: number;
}

/** Finds the policy of each domain (RFC 8461 section 5.1): in memory, in the store, or by asking the domain. */
export function createMtaSts(options: MtaStsOptions): MtaSts {
  const { resolver, fetchPolicy, store, clock, log, maxCacheEntries = DEFAULT_CACHE_ENTRIES } = options;
  const entries = createLru<Entry>(maxCacheEntries);
  const underWay = new Map<string, Promise<Entry>>();
  const closing = new AbortController();

  const inForce = ({ policy }: Entry): FetchedPolicy | undefined =>
    policy && policy.expireAt > clock.now() ? policy : undefined;

  /** What memory and the store know. */
  async function recall(domain: string): Promise<Entry> {
    const entry = entries.get(domain) ?? { policy: undefined, storeAskedUntilMs: 0, noFetchUntilMs: 0 };
    // At once, so that those who ask meanwhile share it.
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

  /** Asks the domain whether its policy is another one than the known, and fetches it then. */
  async function refresh(domain: string, entry: Entry): Promise<Entry> {
    const announced = await resolver.resolve(`_mta-sts.${domain}`, "TXT");
    const id = announced.kind === "records" ? policyId(announced.records) : undefined;
    // Neither silence nor a denial ends a policy: who can forge them could end every policy (section 10.2).
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

  /** Callers that want the same domain at once share one refresh, and what it finds. */
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

/** Well before the end of short policies too. */
function refreshAtMs({ fetchedAt, expireAt }: FetchedPolicy): number {
  const fetchedMs = fetchedAt.getTime();
  return fetchedMs + Math.min(REFRESH_MS, (expireAt.getTime() - fetchedMs) / 2);
}
