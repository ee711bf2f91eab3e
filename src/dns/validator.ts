import { type Clock, systemTimers, type Timers } from "../shared/clock.ts";
import { formatDnsServer } from "../shared/dns-server-address.ts";
import { createLookup, type Lookup } from "./lookup.ts";
import type { DnsFailure, DnsResult, RecordData, RecordType } from "./records.ts";
import { resolverAddresses } from "./resolver.ts";

/**
 * What a server that validates DNSSEC says of a name.
 *
 * - `answered`: this; `authenticated` in it: secure, otherwise insecure
 * - `bogus`: nothing, and without validating this: its signatures, or those of a zone above, are not valid
 * - `failed`: nothing is known
 * - `no_validator`: none of the servers validates, so nothing can be known from them
 */
export type Validation<T> =
  | { readonly kind: "answered"; readonly result: Exclude<DnsResult<T>, DnsFailure> }
  | { readonly kind: "bogus"; readonly failure: DnsFailure; readonly unchecked: DnsResult<T> }
  | { readonly kind: "failed"; readonly failure: DnsFailure }
  | { readonly kind: "no_validator"; readonly servers: readonly string[] };

export interface Validator {
  /** The name is one of `queryName`. Never rejects. It keeps no answer, nor puts one where others find it. */
  validate<T extends RecordType>(name: string, type: T): Promise<Validation<RecordData[T]>>;
}

export interface ValidatorOptions {
  /** Resolving servers, each `address` or `address:port`; none given: those of the system. */
  readonly servers?: readonly string[] | undefined;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly timers?: Pick<Timers, "after">;
  /** A zone known to be signed, by which a server shows whether it validates: the root, but for tests. */
  readonly signedZone?: string;
  /** Bound of one question. */
  readonly timeoutMs?: number;
  /** Silence after which a query is repeated. */
  readonly retryMs?: number;
  /** How long a server's failure may come from its memory. */
  readonly failureMs?: number;
}

const TIMEOUT_MS = 8_000;
const RETRY_MS = 1_000;
const TRIES = 3;
const MAX_CONCURRENT_LOOKUPS = 50;
/** Unbound remembers a failure for 5 s, BIND for 1 s. */
const FAILURE_MS = 6_000;
/** A resolver seldom changes, and each look at a domain wants to know. */
const KEEP_FOUND_MS = 600_000;
const KEEP_NONE_MS = 60_000;

/** RFC 8914 section 4, and the registry: the codes by which a server says that signatures are at fault. */
const BOGUS_CODES: readonly number[] = [6, 7, 8, 9, 10, 11, 12, 25, 27];

/** One server, with and without validating. */
interface Server {
  readonly address: string;
  readonly checked: Lookup;
  /** What it answers is not to be believed, and so never kept. */
  readonly unchecked: Lookup;
}

type Found = Server | Extract<Validation<never>, { readonly kind: "failed" | "no_validator" }>;

interface Search {
  readonly found: Promise<Found>;
  /** Until then it holds; without end as long as it is under way. */
  untilMs: number;
}

/**
 * Finds out whether names are secure, insecure or bogus, by a server that validates. Only the same server can tell bogus
 * from broken: it answers SERVFAIL to both, but to bogus only as long as it is to check (the CD bit, RFC 4035 section 3.2.2).
 * @throws Error when a server is no IP address with or without a port
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
  /** Changed by `findValidator`, and by `validate` when that server has fallen silent. */
  let latest: Search | undefined;

  /** All who want to know it at once share one search. */
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
    // Its failure may be one of a moment before: asked once more when it has forgotten that.
    await new Promise<void>((resolve) => timers.after(failureMs, resolve));
    const { result: again } = await server.checked<RecordType>(name, type);
    if (again.kind !== "failed") return { kind: "answered", result: again };
    return blamesSignatures(again)
      ? { kind: "bogus", failure: again, unchecked }
      : { kind: "failed", failure: again };
  }

  return {
    // What a question for a type is answered by is of that type.
    validate: validate as Validator["validate"],
  };
}

function keepMs(found: Found): number {
  if (!("kind" in found)) return KEEP_FOUND_MS;
  return found.kind === "no_validator" ? KEEP_NONE_MS : 0;
}

/** A server that says why, and names no signatures, has failed by something else. */
function blamesSignatures({ code, extendedErrors = [] }: DnsFailure): boolean {
  const isNamed = extendedErrors.some((one) => BOGUS_CODES.includes(one.code));
  return code === "servfail" && (extendedErrors.length === 0 || isNamed);
}
