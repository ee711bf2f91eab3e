import { isIP } from "node:net";
import type { Config } from "../config.ts";
import type { AccountSettings } from "../core/access/account-settings.ts";
import type { TrackingParts } from "../core/dependencies.ts";
import type { PrepareMailOptions } from "../delivery/prepare-mail.ts";
import { domainOf } from "../message/address/addresses.ts";
import { createTrackingTokens, trackingKeyOf } from "../message/tracking/token.ts";
import { createTrackHtml, type TrackHtml } from "../message/tracking/track-html.ts";
import { trackingBaseFault } from "../message/unsubscribe/base-url.ts";
import type { Store } from "../store/store.ts";

/** Tokens of pixels and links, under the shared secret of workers and front ends. */
export async function openTracking(
  { tracking }: Pick<Config, "tracking">,
  store: Pick<Store, "secrets">,
): Promise<TrackingParts> {
  const key = trackingKeyOf(await store.secrets.getOrCreate("tracking"));
  return { key, tokens: createTrackingTokens(key), ...tracking };
}

/** undefined: pixels and links cannot use the base URL of this process. */
export function composeTrackHtml(
  { http: { baseUrl } }: Pick<Config, "http">,
  { tokens }: Pick<TrackingParts, "tokens">,
): TrackHtml | undefined {
  if (baseUrl === undefined || trackingBaseFault(baseUrl) !== undefined) return undefined;
  return createTrackHtml(baseUrl, tokens);
}

/** Host of tracked links, of which domains may have aliases; undefined: the base URL cannot have an alias. */
export function trackingHostIn({ http: { baseUrl } }: Pick<Config, "http">): string | undefined {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(baseUrl);
  const isPlain = protocol === "https:" && port === "" && pathname === "/";
  return isPlain && isIP(hostname.replace(/[[\]]/g, "")) === 0 ? hostname : undefined;
}

/** Alias for the tracked links of a message. */
export function createTrackingBaseOf(
  config: Pick<Config, "http">,
  settings: Pick<AccountSettings, "trackingHost">,
): NonNullable<PrepareMailOptions["trackingBaseOf"]> {
  const trackingHost = trackingHostIn(config);
  return async ({ accountId, from }) => {
    if (trackingHost === undefined) return undefined;
    const host = await settings.trackingHost(accountId, domainOf(from), trackingHost);
    return host && `https://${host}`;
  };
}
