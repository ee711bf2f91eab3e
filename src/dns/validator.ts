import { type Clock, systemTimers, type Timers } from "../shared/clock.ts";
import { formatDnsServer } from "../shared/dns-server-address.ts";
import { createLookup, type Lookup } from "./lookup.ts";
import type { DnsFailure, DnsResult, RecordData, RecordType } from "./records.ts";
import { resolverAddresses } from "./resolver.ts";

/**
 * Answer of a server that validates DNSSEC.
 *
 * - `answered`: the answer; its `authenticated`: secure, otherwise insecure
 * - `bogus`: no answer with validation, but an answer without: the signatures of the zone or of a zone above are invalid
 * - `failed`: unknown
 * - `no_validator`: none of the servers validates, so nothing can be determined
 */
export type Validation<T> =
  | { readonly kind: "answered"; readonly result: Exclude<DnsResult<T>, DnsFailure> }
  | { readonly kind: "bogus"; readonly failure: DnsFailure; readonly unchecked: DnsResult<T> }
  | { readonly kind: "failed"; readonly failure: DnsFailure }
  | { readonly kind: "no_validator"; readonly servers: readonly string[] };

export interface Validator {
  /** The name is a result of `queryName`. Never rejects. It does not cache answers. */
  validate<T extends RecordType>(name: string, type: T): Promise<Validation<RecordData[T]>>;
}

export interface ValidatorOptions {
  /** Resolving servers, each `address` or `address:port`; empty: the servers of the system. */
  readonly servers?: readonly string[] | undefined;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers?: Pick<Timers, "after">;
  /** A signed zone, with which a server shows whether it validates: the root, except in tests. */
  readonly signedZone?: string;
  /** Timeout of one query. */
  readonly timeoutMs?: number;
  /** Silence after which a query is repeated. */
  readonly retryMs?: number;
  /** Time for which a server may cache a failure. */
  readonly failureMs?: number;
}

const TIMEOUT_MS = 8_000;
const RETRY_MS = 1_000;
const TRIES = 3;
const MAX_CONCURRENT_LOOKUPS = 50;
/** Unbound caches a failure for 5 s, BIND for 1 s. */
const FAILURE_MS = 6_000;
/** A resolver seldom changes, and each check of a domain needs this. */
const KEEP_FOUND_MS = 600_000;
const KEEP_NONE_MS = 60_000;

/** RFC 8914 section 4, and the registry: codes for invalid signatures. */
const BOGUS_CODES: readonly number[] = [6, 7, 8, 9, 10, 11, 12, 25, 27];

/** Queries one server, with and without validation. */
interface Server {
  readonly address: string;
  readonly checked: Lookup;
  /** Its answer is not trustworthy, so it is never cached. */
  readonly unchecked: Lookup;
}

type Found = Server | Extract<Validation<never>, { readonly kind: "failed" | "no_validator" }>;

interface Search {
  readonly found: Promise<Found>;
  /** Expiry; infinite while the search runs. */
  untilMs: number;
}

/**
 * Finds out whether names are secure, insecure or bogus, with a server that validates. Only the same server can distinguish
 * bogus from broken: it answers SERVFAIL to both, but to bogus names only while it checks (without the CD bit, RFC 4035 section
 * 3.2.2).
 * @throws Error when a server is not an IP address with or without a port
 */
export function createValidator(options: ValidatorOptions): Validator {
  const { clock, timers = systemTimers, signedZone = ".", failureMs = FAILURE_MS } = options;
  const servers = resolverAddresses(options.servers).map((server): Server => {
    const asking = {
      servers: [server],
      tries: TRIES,
      maxConcurrent: MAX_CONCURRENT_LOOKUPS,
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      retryMs: options.retryMs ?? RETRY_MS,
    };
    const unchecked = createLookup({ ...asking, checkingDisabled: true });
    return { address: formatDnsServer(server), checked: createLookup(asking), unchecked };
  });
  /** Changed by `findValidator`, and by `validate` when that server has become silent. */
  let latest: Search | undefined;

  /** Concurrent callers share one search. */
  function findValidator(): Promise<Found> {
    if (latest && clock.monotonicMs() < latest.untilMs) return latest.found;
    const begun: Search = { found: search(), untilMs: Number.POSITIVE_INFINITY };
    latest = begun;
    void begun.found.then((found) => {
      begun.untilMs = clock.monotonicMs() + keepMs(found);
    });
    return begun.found;
  }

  async function search(): Promise<Found> {
    let failure: DnsFailure | undefined;
    for (const server of servers) {
      const { result } = await server.checked(signedZone, "SOA");
      if (result.kind === "failed") failure ??= result;
      else if (result.authenticated) return server;
    }
    if (failure) return { kind: "failed", failure };
    return { kind: "no_validator", servers: servers.map(({ address }) => address) };
  }

  async function validate(name: string, type: RecordType): Promise<Validation<unknown>> {
    const server = await findValidator();
    if ("kind" in server) return server;
    const { result } = await server.checked<RecordType>(name, type);
    if (result.kind !== "failed") return { kind: "answered", result };
    if (result.code === "timeout" || result.code === "unreachable") latest = undefined;
    if (result.code !== "servfail") return { kind: "failed", failure: result };

    const { result: unchecked } = await server.unchecked<RecordType>(name, type);
    if (unchecked.kind !== "records" && unchecked.kind !== "no_data")
      return { kind: "failed", failure: result };
    // Its failure may be cached: query once more after the cache has expired.
    await new Promise<void>((resolve) => timers.after(failureMs, resolve));
    const { result: again } = await server.checked<RecordType>(name, type);
    if (again.kind !== "failed") return { kind: "answered", result: again };
    return blamesSignatures(again)
      ? { kind: "bogus", failure: again, unchecked }
      : { kind: "failed", failure: again };
  }

  return {
    // An answer to a query for a type has records of that type.
    validate: validate as Validator["validate"],
  };
}

function keepMs(found: Found): number {
  if (!("kind" in found)) return KEEP_FOUND_MS;
  return found.kind === "no_validator" ? KEEP_NONE_MS : 0;
}

/** A server with an extended error that is not about signatures has failed for another reason. */
function blamesSignatures({ code, extendedErrors = [] }: DnsFailure): boolean {
  const isNamed = extendedErrors.some((one) => BOGUS_CODES.includes(one.code));
  return code === "servfail" && (extendedErrors.length === 0 || isNamed);
}
