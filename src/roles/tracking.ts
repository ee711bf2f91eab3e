import type { Config } from "../config.ts";
import type { TrackingParts } from "../core/dependencies.ts";
import { createTrackingTokens, trackingKeyOf } from "../message/tracking/token.ts";
import { createTrackHtml, type TrackHtml } from "../message/tracking/track-html.ts";
import { trackingBaseFault } from "../message/unsubscribe/base-url.ts";
import type { Store } from "../store/store.ts";

/** The tokens of pixels and links, under the one secret that workers write them with and the others read them with. */
export async function openTracking(
  { tracking }: Pick<Config, "tracking">,
  store: Pick<Store, "secrets">,
): Promise<TrackingParts> {
  const key = trackingKeyOf(await store.secrets.getOrCreate("tracking"));
  return { key, tokens: createTrackingTokens(key), ...tracking };
}

/** undefined: pixels and links cannot lead to the base URL of this process. */
export function composeTrackHtml(
  { http: { baseUrl } }: Pick<Config, "http">,
  { tokens }: Pick<TrackingParts, "tokens">,
): TrackHtml | undefined {
  if (baseUrl === undefined || trackingBaseFault(baseUrl) !== undefined) return undefined;
  return createTrackHtml(baseUrl, tokens);
}
