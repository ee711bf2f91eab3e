import { request } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import { safeDetail } from "../message/replies/outcome.ts";
import { PROOF_PATH, type TrackingTokens } from "../message/tracking/token.ts";
import type { RefuseDestination } from "../shared/destination-address.ts";

export interface ProbeTrackingHostOptions {
  readonly tokens: Pick<TrackingTokens, "proofOf">;
  /** Which addresses are never connected to. */
  readonly refuse: RefuseDestination;
  readonly ipv6: boolean;
  /** 443, but for tests. */
  readonly port?: number;
  /** PEM of an authority that is trusted besides those of Node. */
  readonly extraCa?: string;
}

/**
 * Whether a host is this installation, over HTTPS, by a certificate that is good for it.
 * @param addresses where the host is
 * @returns why not, as the end of a sentence, safe to show; undefined: it is
 */
export type ProbeTrackingHost = (host: string, addresses: readonly string[]) => Promise<string | undefined>;

const HTTPS_PORT = 443;
const TIMEOUT_MS = 8_000;
const MAX_BYTES = 1_000;

export function createProbeTrackingHost(options: ProbeTrackingHostOptions): ProbeTrackingHost {
  const { tokens, refuse, ipv6, port = HTTPS_PORT, extraCa } = options;

  function ask(host: string, addresses: readonly string[]): Promise<string> {
    const [first = ""] = addresses;
    // What was looked at is what is connected to: nothing is resolved again.
    const lookup: LookupFunction = (_, { all }, callback) => {
      const family = isIPv6(first) ? 6 : 4;
      if (all) callback(null, [{ address: first, family }]);
      else callback(null, first, family);
    };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const asked = { host, servername: host, port, path: PROOF_PATH, agent: false, lookup, signal };
    const trusted = { rejectUnauthorized: true, ...(extraCa !== undefined && { ca: extraCa }) };
    return new Promise((resolve, reject) => {
      const sent = request({ ...asked, ...trusted }, (response) => {
        let text = "";
        response.setEncoding("latin1").on("data", (chunk: string) => {
          text += chunk;
          if (text.length > MAX_BYTES) response.destroy();
        });
        response.on("close", () => resolve(response.statusCode === 200 ? text : ""));
        response.on("error", reject);
      });
      sent.on("error", reject).on("socket", (socket) => socket.unref());
      sent.end();
    });
  }

  return async (host, addresses) => {
    const usable = addresses.filter((address) => (ipv6 || !isIPv6(address)) && refuse(address) === undefined);
    if (usable.length === 0)
      return addresses.length > 0 ? "it has no public address" : "it has no address yet";
    try {
      const answer = await ask(host, usable);
      return answer === tokens.proofOf(host) ? undefined : "another server answers there";
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return `it does not answer over HTTPS (${safeDetail(why).slice(0, 200)})`;
    }
  };
}
