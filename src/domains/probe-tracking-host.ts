import { isIPv6 } from "node:net";
import { safeDetail } from "../message/replies/outcome.ts";
import { PROOF_PATH, type TrackingTokens } from "../message/tracking/token.ts";
import type { RefuseDestination } from "../shared/destination-address.ts";
import { getHttps } from "../shared/get-https.ts";
import { type Phrase, phrase } from "../shared/phrase.ts";

export interface ProbeTrackingHostOptions {
  readonly tokens: Pick<TrackingTokens, "proofOf">;
  /** Addresses to which Hermod never connects. */
  readonly refuse: RefuseDestination;
  readonly ipv6: boolean;
  /** Default 443; set by tests. */
  readonly port?: number;
  /** PEM of an additional trusted authority. */
  readonly extraCa?: string;
}

/**
 * Checks whether a host is this installation, over HTTPS with a valid certificate.
 * @param addresses of the host
 * @returns the reason if tracked links cannot use it; undefined: they can
 */
export type ProbeTrackingHost = (host: string, addresses: readonly string[]) => Promise<Phrase | undefined>;

const HTTPS_PORT = 443;
const TIMEOUT_MS = 8_000;
const MAX_BYTES = 1_000;

export function createProbeTrackingHost(options: ProbeTrackingHostOptions): ProbeTrackingHost {
  const { tokens, refuse, ipv6, port = HTTPS_PORT, extraCa } = options;

  async function ask(host: string, usable: readonly string[]): Promise<string> {
    const url = new URL(`https://${host}:${port}${PROOF_PATH}`);
    // The connection uses the checked addresses without another lookup.
    const addresses = usable.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }) as const);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { body } = await getHttps({
      url,
      addresses,
      accept: "text/plain",
      maxBytes: MAX_BYTES,
      extraCa,
      signal,
    });
    return body.toString("latin1");
  }

  return async (host, addresses) => {
    const usable = addresses.filter((address) => (ipv6 || !isIPv6(address)) && refuse(address) === undefined);
    if (usable.length === 0)
      return phrase(addresses.length > 0 ? "tracking_alias.no_public_address" : "tracking_alias.no_address");
    try {
      const answer = await ask(host, usable);
      return answer === tokens.proofOf(host) ? undefined : phrase("tracking_alias.other_server");
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return phrase("tracking_alias.no_https", { detail: safeDetail(why).slice(0, 200) });
    }
  };
}
