import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { createFetchHttps } from "../../../dns/fetch-https.ts";
import type { Resolver } from "../../../dns/resolver.ts";
import { safeDetail } from "../../../message/replies/outcome.ts";
import type { RefuseDestination } from "../../../shared/destination-address.ts";
import { type HttpsAnswer, hostOf } from "../../../shared/get-https.ts";
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

/**
 * Fetches the policy of a domain, given in A-labels.
 * @throws Error saying why there is none, safe to show
 */
export type FetchPolicy = (domain: string, signal?: AbortSignal) => Promise<MtaStsPolicy>;

const TIMEOUT_MS = 60_000;

/** Policies over HTTPS (RFC 8461 section 3.3): no redirects, no cache, a certificate that proves the name. */
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
      if (hostOf(url) !== host) throw new Error(`${host} is not the name of a host`);
      const wanted = { accept: "text/plain", maxBytes: MAX_POLICY_BYTES };
      const answer = await fetch(url, { ...wanted, checkServerIdentity: checkAlternativeNames, signal });
      return parsePolicy(bodyOf(answer));
    } catch (error) {
      if (timeout.aborted) throw new Error("the policy did not come in time");
      throw new Error(safeDetail(error instanceof Error ? error.message : String(error)));
    }
  };
}

function bodyOf({ status, headers, body, isWhole }: HttpsAnswer): Buffer {
  if (status !== 200) throw new Error(`the policy's server answered ${status}`);
  const mediaType = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType !== "text/plain") throw new Error("the policy is not text/plain");
  if (!isWhole) throw new Error(`the policy is longer than ${MAX_POLICY_BYTES} octets`);
  return body;
}

/** RFC 8461 section 3.3 asks for the name among the alternative ones; Node's check would take a common name too. */
function checkAlternativeNames(host: string, certificate: PeerCertificate): Error | undefined {
  if (/\bDNS:/.test(certificate.subjectaltname ?? "")) return checkServerIdentity(host, certificate);
  return new Error(`the certificate of ${host} has no alternative names`);
}
