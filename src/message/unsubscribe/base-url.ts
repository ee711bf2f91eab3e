import { type FaultText, say } from "../../shared/fault-text.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Reason why links of List-Unsubscribe cannot use this base URL; undefined: they can. RFC 8058 section 3.1 requires https. */
export function unsubscribeBaseFault(baseUrl: string | undefined): FaultText | undefined {
  if (baseUrl === undefined) return say("list_unsubscribe_needs_base_url");
  return isReachable(baseUrl) ? undefined : say("list_unsubscribe_needs_https");
}

/** Reason why tracking pixels and links cannot use this base URL; undefined: they can. */
export function trackingBaseFault(baseUrl: string | undefined): FaultText | undefined {
  if (baseUrl === undefined) return say("tracking_needs_base_url");
  return isReachable(baseUrl) ? undefined : say("tracking_needs_https");
}

/** http is accepted for tests, where no mail provider can reach it anyway. */
function isReachable(baseUrl: string): boolean {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol === "https:") return true;
  return url?.protocol === "http:" && LOOPBACK.test(url.hostname);
}
