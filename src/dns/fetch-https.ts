import { type GetHttpsOptions, getHttps, type HttpsAnswer, hostOf } from "../shared/get-https.ts";
import { type CheckedAddressesOptions, checkedAddresses } from "./checked-addresses.ts";

export interface FetchHttpsOptions extends CheckedAddressesOptions {
  /** PEM of an authority that is trusted in addition to those of Node.js. */
  readonly extraCa?: string | undefined;
}

/**
 * Resolves the host, checks its addresses, and fetches the URL.
 * @throws Error when there is no answer, or the address is not permitted
 */
export type FetchHttps = (
  url: URL,
  options: Pick<GetHttpsOptions, "accept" | "maxBytes" | "checkServerIdentity" | "signal">,
) => Promise<HttpsAnswer>;

/** Fetches over HTTPS from foreign hosts. */
export function createFetchHttps({ extraCa, ...finding }: FetchHttpsOptions): FetchHttps {
  return async (url, options) => {
    if (url.protocol !== "https:") throw new Error(`${url.protocol} is not https:`);
    const addresses = await unlessAborted(checkedAddresses(hostOf(url), finding), options.signal);
    return getHttps({ ...options, url, addresses, extraCa });
  };
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("aborted"));
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) abort();
  });
}
