import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { NoAddressError } from "../../dns/checked-addresses.ts";
import { createFetchHttps } from "../../dns/fetch-https.ts";
import type { Resolver } from "../../dns/resolver.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import type { RefuseDestination } from "../../shared/destination-address.ts";
import { type HttpsAnswer, hostOf } from "../../shared/get-https.ts";
import { MAX_POLICY_BYTES, type MtaStsPolicy, parsePolicy } from "./policy.ts";

export interface FetchPolicyOptions {
  readonly resolver: Resolver;
  readonly refuse: RefuseDestination;
  /** True if IPv6 addresses are used. */
  readonly ipv6: boolean;
  /** Port 443, except in tests. */
  readonly port: number;
  /** PEM of an authority that is trusted in addition to those of Node.js. */
  readonly extraCa?: string;
  /** Timeout of the whole fetch; RFC 8461 section 3.3 suggests a minute. */
  readonly timeoutMs?: number;
}

/** Reason why there is no policy; the message is safe to show. */
export class PolicyError extends Error {
  /** True if the domain itself is at fault. False: nothing was learned, and the policy may exist. */
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

/** Fetches policies over HTTPS (RFC 8461 section 3.3): no redirects, no cache, a certificate for the name. */
export function createFetchPolicy({
  port,
  timeoutMs = TIMEOUT_MS,
  ...options
}: FetchPolicyOptions): FetchPolicy {
  const fetch = createFetchHttps(options);

  return async (domain, stop) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = stop ? AbortSignal.any([timeout, stop]) : timeout;
    try {
      const host = `mta-sts.${domain}`;
      const url = new URL(`https://${host}:${port}/.well-known/mta-sts.txt`);
      if (hostOf(url) !== host) throw new Error(`${host} is not a valid host name`);
      const wanted = { accept: "text/plain", maxBytes: MAX_POLICY_BYTES };
      const answer = await fetch(url, { ...wanted, checkServerIdentity: checkAlternativeNames, signal });
      return parsePolicy(bodyOf(answer));
    } catch (error) {
      if (timeout.aborted) throw new PolicyError("the policy did not come in time", { isKnown: false });
      if (error instanceof PolicyError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new PolicyError(message, { isKnown: isKnownFault(error) && stop?.aborted !== true });
    }
  };
}

function bodyOf({ status, headers, body, isWhole }: HttpsAnswer): Buffer {
  if (status !== 200) {
    // Too many requests, or an error of the server: it may have a policy later.
    const isKnown = status !== 429 && status < 500;
    throw new PolicyError(`the policy's server answered ${status}`, { isKnown });
  }
  const mediaType = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "text/plain") throw new Error("the policy is not text/plain");
  if (!isWhole) throw new Error(`the policy is longer than ${MAX_POLICY_BYTES} octets`);
  return body;
}

/**
 * True if the domain is at fault. A lost connection (by its system code) is not; errors of certificates and of HTTP have other
 * codes, and `EPROTO` is a TLS handshake that the server ended.
 */
function isKnownFault(error: unknown): boolean {
  if (error instanceof NoAddressError) return error.isKnown;
  const { code = "" } = error as NodeJS.ErrnoException;
  return code !== "ABORT_ERR" && !/^E(?!RR_|PROTO$)/.test(code);
}

/** RFC 8461 section 3.3 requires the name in the subject alternative names; Node.js would also accept a common name. */
function checkAlternativeNames(host: string, certificate: PeerCertificate): Error | undefined {
  if (/\bDNS:/.test(certificate.subjectaltname ?? "")) return checkServerIdentity(host, certificate);
  return new Error(`the certificate of ${host} has no alternative names`);
}
