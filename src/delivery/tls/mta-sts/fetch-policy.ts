import type { IncomingMessage } from "node:http";
import { type RequestOptions, request } from "node:https";
import type { LookupFunction, TcpNetConnectOpts } from "node:net";
import { checkServerIdentity, type PeerCertificate, rootCertificates } from "node:tls";
import type { Resolver } from "../../../dns/resolver.ts";
import { safeDetail } from "../../../message/replies/outcome.ts";
import type { RefuseDestination } from "../../../shared/destination-address.ts";
import type { MxAddress } from "../../routing/mx-route.ts";
import { MAX_POLICY_BYTES, type MtaStsPolicy, parsePolicy } from "./policy.ts";

export interface FetchPolicyOptions {
  readonly resolver: Resolver;
  readonly refuse: RefuseDestination;
  /** Whether IPv6 addresses are used. */
  readonly ipv6: boolean;
  /** 443, but for tests. */
  readonly port: number;
  /** PEM of an authority that is trusted besides those of Node. */
  readonly extraCa?: string;
  /** Bound of the whole fetch; RFC 8461 section 3.3 suggests a minute. */
  readonly timeoutMs?: number;
}

/** Why there is no policy; the message is safe to show. */
export class PolicyError extends Error {
  /** Whoever asks finds it so: the domain is at fault. False: nothing was learned, and the policy may be there. */
  readonly isKnown: boolean;

  constructor(message: string, { isKnown }: Pick<PolicyError, "isKnown">) {
    super(safeDetail(message));
    this.name = "PolicyError";
    this.isKnown = isKnown;
  }
}

/**
 * Fetches the policy of a domain, given in A-labels.
 * @throws PolicyError
 */
export type FetchPolicy = (domain: string, signal?: AbortSignal) => Promise<MtaStsPolicy>;

const TIMEOUT_MS = 60_000;
/** Before the next address is tried beside a slow one. */
const ADDRESS_ATTEMPT_MS = 2_000;
const MAX_ADDRESSES = 8;

/** Policies over HTTPS (RFC 8461 section 3.3): no redirects, no cache, a certificate that proves the name. */
export function createFetchPolicy(options: FetchPolicyOptions): FetchPolicy {
  const { resolver, refuse, ipv6, port, extraCa, timeoutMs = TIMEOUT_MS } = options;

  async function addressesOf(host: string): Promise<readonly MxAddress[]> {
    const [v6, v4] = await Promise.all([
      ipv6 ? resolver.resolve(host, "AAAA") : undefined,
      resolver.resolve(host, "A"),
    ]);
    const found = [
      ...(v6?.kind === "records" ? v6.records.map((address) => ({ address, family: 6 as const })) : []),
      ...(v4.kind === "records" ? v4.records.map((address) => ({ address, family: 4 as const })) : []),
    ];
    const usable = found.filter(({ address }) => refuse(address) === undefined);
    if (usable.length > 0) return usable.slice(0, MAX_ADDRESSES);
    if (found.length > 0) {
      // An address of this machine is one that others can reach.
      const isKnown = found.every(({ address }) => refuse(address) !== "own");
      throw new PolicyError(`${host} has no address that may be connected to`, { isKnown });
    }
    for (const answer of [v4, v6])
      if (answer?.kind === "failed") throw new PolicyError(answer.reason, { isKnown: false });
    throw new PolicyError(`${host} has no address`, { isKnown: true });
  }

  /** What Node hands on to the socket stands in types of its own. */
  function requestOptions(
    host: string,
    addresses: readonly MxAddress[],
    signal: AbortSignal,
  ): RequestOptions & Pick<TcpNetConnectOpts, "autoSelectFamily" | "autoSelectFamilyAttemptTimeout"> {
    return {
      host,
      servername: host,
      port,
      path: "/.well-known/mta-sts.txt",
      headers: { accept: "text/plain", "user-agent": "hermod" },
      // A connection of its own: nothing about an earlier one is remembered.
      agent: false,
      lookup: lookupAmong(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
      // Said once more: NODE_TLS_REJECT_UNAUTHORIZED shall not turn it off here.
      rejectUnauthorized: true,
      checkServerIdentity: checkAlternativeNames,
      ...(extraCa !== undefined && { ca: [...rootCertificates, extraCa] }),
      signal,
    };
  }

  async function fetchBody(domain: string, signal: AbortSignal): Promise<Buffer> {
    const host = `mta-sts.${domain}`;
    const addresses = await unlessAborted(addressesOf(host), signal);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request(requestOptions(host, addresses, signal));
      asked.on("response", resolve).on("error", reject).end();
      // A process may end without it.
      asked.on("socket", (socket) => socket.unref());
    });
    // Its reader hears of its failure too; after that nobody does.
    response.on("error", () => undefined);
    try {
      return await readBody(response);
    } finally {
      response.destroy();
    }
  }

  return async (domain, stop) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
    try {
      return parsePolicy(await fetchBody(domain, signal));
    } catch (error) {
      if (timeout.aborted) throw new PolicyError("the policy did not come in time", { isKnown: false });
      if (error instanceof PolicyError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new PolicyError(message, { isKnown: !isLostConnection(error) });
    }
  };
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const { statusCode, headers } = response;
  if (statusCode !== 200) {
    // Too many requests, or a fault of the server's own: later it may have a policy.
    const isKnown = statusCode !== undefined && statusCode !== 429 && statusCode < 500;
    throw new PolicyError(`the policy's server answered ${statusCode}`, { isKnown });
  }
  const mediaType = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "text/plain") throw new Error("the policy is not text/plain");
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_POLICY_BYTES) throw new Error(`the policy is longer than ${MAX_POLICY_BYTES} octets`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * No connection, or none any more, by the codes of the system. Those of certificates and of HTTP look otherwise, and `EPROTO` is a
 * handshake of TLS that the server ended.
 */
function isLostConnection(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return code === "ABORT_ERR" || /^E(?!RR_|PROTO$)/.test(code);
}

/** RFC 8461 section 3.3 asks for the name among the alternative ones; Node's check would take a common name too. */
function checkAlternativeNames(host: string, certificate: PeerCertificate): Error | undefined {
  if (/\bDNS:/.test(certificate.subjectaltname ?? "")) return checkServerIdentity(host, certificate);
  return new Error(`the certificate of ${host} has no alternative names`);
}

/** The addresses that were found and checked already, so that none can be another one when it is connected to. */
function lookupAmong(addresses: readonly MxAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new PolicyError("aborted", { isKnown: false }));
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}
