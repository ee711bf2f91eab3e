import dns from "node:dns";
import { LRUCache } from "lru-cache";
import type { Clock } from "../shared/clock.ts";
import { type DnsServer, parseDnsServer } from "../shared/dns-server-address.ts";
import { createLookup, type FoundRecords } from "./lookup.ts";
import { queryName } from "./names.ts";
import type { DnsResult, RecordData, RecordType } from "./records.ts";

export interface Resolver {
  /**
   * Resolves the records of one type and follows aliases. The name is in A-labels, with or without the dot at its end. Never
   * rejects: an invalid name is `failed`.
   */
  resolve<T extends RecordType>(name: string, type: T): Promise<DnsResult<RecordData[T]>>;
}

export interface ResolverOptions {
  /** Resolving servers, each `address` or `address:port`; empty: the servers of the system. */
  readonly servers?: readonly string[] | undefined;
  readonly clock: Clock;
  /** Timeout of one lookup, over all its tries and aliases. */
  readonly timeoutMs?: number;
  /** Silence after which a query is repeated for the first time. */
  readonly retryMs?: number;
  /** Tries of one query, over all servers. */
  readonly tries?: number;
  readonly maxCacheEntries?: number;
}

/** A resolver that walks through a zone with failed servers takes 5 to 10 s, and no user waits for it. */
const DEFAULT_TIMEOUT_MS = 12_000;
/** If a server has not answered by then, the query or its answer was probably lost. */
const DEFAULT_RETRY_MS = 1_000;
/** After 1, 2, 4 and 8 s: several answers may be lost. */
const DEFAULT_TRIES = 5;
const DEFAULT_CACHE_ENTRIES = 10_000;
const MAX_CACHE_BYTES = 32 * 1024 * 1024;
const MAX_CONCURRENT_LOOKUPS = 500;

const MIN_TTL_SECONDS = 1;
const MAX_TTL_SECONDS = 3_600;
const MAX_NEGATIVE_TTL_SECONDS = 300;
/** RFC 9520 requires at least 1 s, so that a failing zone is not queried for each message. */
const FAILURE_TTL_SECONDS = 5;

interface Kept {
  readonly result: DnsResult<unknown>;
  readonly expiresMs: number;
  readonly sizeBytes: number;
}

/**
 * A stub resolver: it queries resolving servers and caches their answers for their time to live. Unlike the resolver of Node.js
 * it distinguishes a failure from a name that does not exist, and returns the time to live and the DNSSEC validation.
 * @throws Error when a server is not an IP address with or without a port
 */
export function createResolver(options: ResolverOptions): Resolver {
  const { clock } = options;
  const lookup = createLookup({
    servers: resolverAddresses(options.servers),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retryMs: options.retryMs ?? DEFAULT_RETRY_MS,
    tries: options.tries ?? DEFAULT_TRIES,
    maxConcurrent: MAX_CONCURRENT_LOOKUPS,
  });
  const kept = new LRUCache<string, Kept>({
    max: options.maxCacheEntries ?? DEFAULT_CACHE_ENTRIES,
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ sizeBytes }) => Math.max(1, sizeBytes),
  });
  const underWay = new Map<string, Promise<DnsResult<unknown>>>();

  function recall(key: string): DnsResult<unknown> | undefined {
    const known = kept.get(key);
    const leftMs = known ? known.expiresMs - clock.monotonicMs() : 0;
    if (!known || leftMs <= 0) return undefined;
    const { result } = known;
    return result.kind === "records" ? { ...result, ttlSeconds: Math.ceil(leftMs / 1_000) } : result;
  }

  async function lookUp(key: string, name: string, type: RecordType): Promise<DnsResult<unknown>> {
    try {
      const answers = await lookup<RecordType>(name, type);
      const ttlSeconds = keepSeconds(answers);
      const { result, sizeBytes } = answers;
      kept.set(key, { result, sizeBytes, expiresMs: clock.monotonicMs() + ttlSeconds * 1_000 });
      return result.kind === "records" ? { ...result, ttlSeconds } : result;
    } finally {
      underWay.delete(key);
    }
  }

  function resolve(name: string, type: RecordType): Promise<DnsResult<unknown>> {
    const asked = queryName(name);
    if (asked === undefined)
      return Promise.resolve({ kind: "failed", code: "not_a_name", reason: "not a name to ask for" });
    const key = `${type} ${asked}`;
    const known = recall(key);
    if (known) return Promise.resolve(known);
    const pending = underWay.get(key) ?? lookUp(key, asked, type);
    underWay.set(key, pending);
    return pending;
  }

  return {
    // A key that starts with a type holds a result of that type.
    resolve: resolve as Resolver["resolve"],
  };
}

/**
 * The resolving servers.
 * @param given each `address` or `address:port`; empty: the servers of the system
 * @throws Error when one is not an IP address with or without a port
 */
export function resolverAddresses(given: readonly string[] | undefined): DnsServer[] {
  return (given?.length ? given : dns.getServers()).map((text) => {
    const server = parseDnsServer(text);
    if (!server) throw new Error(`"${text}" is not the address of a DNS server.`);
    return server;
  });
}

function keepSeconds({ result, ttlSeconds }: FoundRecords<unknown>): number {
  if (result.kind === "failed") return FAILURE_TTL_SECONDS;
  // RFC 2308 section 5 does not cache a denial without SOA, which would cause a query for every message of a burst.
  const seconds = ttlSeconds ?? FAILURE_TTL_SECONDS;
  const most = result.kind === "records" ? MAX_TTL_SECONDS : MAX_NEGATIVE_TTL_SECONDS;
  return Math.min(Math.max(seconds, MIN_TTL_SECONDS), most);
}
