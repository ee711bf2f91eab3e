/** Facts about a hit that are not in its token. */
export interface HitFacts {
  readonly kind: "opened" | "clicked";
  readonly userAgent: string;
  /** The client says that it prefetches. */
  readonly prefetch: boolean;
  /** Milliseconds since the delivery of the message; undefined: delivery is unknown. */
  readonly sinceDeliveredMs: number | undefined;
  /** Milliseconds since another link of the message was followed; undefined: none. */
  readonly sinceOtherLinkMs: number | undefined;
}

/**
 * Reason why a hit counts as a program.
 *
 * - `apple_mail_privacy`: Apple's proxy fetches every picture when a mail arrives, opened or not
 * - `prefetch`: the client fetches before its user asks
 * - `scanner`: a program that checks mail, a crawler or a library, by its user agent
 * - `no_user_agent`: every mail program and browser sends one
 * - `before_delivery`: the receiving server checks links during the transfer
 * - `too_early`: too soon after delivery for a person
 * - `many_links`: another link of the message was followed within the same second
 */
export type MachineReason =
  | "apple_mail_privacy"
  | "prefetch"
  | "scanner"
  | "no_user_agent"
  | "before_delivery"
  | "too_early"
  | "many_links";

export interface HitClass {
  /** undefined: nothing indicates a program. */
  readonly machineReason?: MachineReason;
  /** Proxy by which a mail provider fetches pictures when its users open mail. */
  readonly proxy?: string;
}

/** No person opens a mail and follows its link this soon. */
const TOO_EARLY_MS = 1_000;
const TOGETHER_MS = 1_000;

/** Mail Privacy Protection sends exactly this. */
const APPLE_AGENT = "Mozilla/5.0";

const PROXIES: readonly (readonly [RegExp, string])[] = [
  [/GoogleImageProxy/i, "gmail"],
  [/YahooMailProxy/i, "yahoo"],
];

/** Programs that check mail, crawlers, previews and HTTP libraries, by their user agents. */
const SCANNERS =
  /\b(?:barracuda|proofpoint|mimecast|symantec|messagelabs|trend ?micro|zscaler|fortinet|forti(?:mail|guard)|sophos|ironport|avanan|safelinks|bingpreview|google-safety|virustotal|urlscan|zgrab|iframely|headlesschrome|phantomjs|facebookexternalhit|whatsapp|skypeuripreview|curl|wget|python|libwww-perl|go-http-client|guzzlehttp|okhttp|ruby|postmanruntime|java|apache-httpclient|axios|node-fetch|undici|scrapy)\b|(?<!cu)bot\b|crawler|spider|scanner|python-(?:requests|urllib)/i;

/** Determines whether a program or a person made a hit, as far as possible; returns the first matching reason. */
export function classifyHit(facts: HitFacts): HitClass {
  const { userAgent, prefetch, sinceDeliveredMs, sinceOtherLinkMs } = facts;
  const agent = userAgent.trim();
  const proxy = PROXIES.find(([pattern]) => pattern.test(agent))?.[1];
  if (prefetch) return { machineReason: "prefetch" };
  if (agent === "") return { machineReason: "no_user_agent" };
  if (agent === APPLE_AGENT) return { machineReason: "apple_mail_privacy" };
  if (proxy === undefined && SCANNERS.test(agent)) return { machineReason: "scanner" };
  const withProxy = proxy === undefined ? {} : { proxy };
  if (sinceDeliveredMs === undefined) return { machineReason: "before_delivery", ...withProxy };
  if (sinceDeliveredMs < TOO_EARLY_MS) return { machineReason: "too_early", ...withProxy };
  if (facts.kind === "clicked" && sinceOtherLinkMs !== undefined && sinceOtherLinkMs < TOGETHER_MS) {
    return { machineReason: "many_links" };
  }
  return withProxy;
}
