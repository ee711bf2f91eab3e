/** What is known of a hit besides what its token says. */
export interface HitFacts {
  readonly kind: "opened" | "clicked";
  readonly userAgent: string;
  /** The client says that nobody has asked for it yet. */
  readonly prefetch: boolean;
  /** Since the message was delivered, in milliseconds; undefined: it is not known to be delivered. */
  readonly sinceDeliveredMs: number | undefined;
  /** Since another link of the message was followed, in milliseconds; undefined: none was. */
  readonly sinceOtherLinkMs: number | undefined;
}

/**
 * Why a hit is a program's.
 *
 * - `apple_mail_privacy`: Apple's proxy fetches every picture when a mail arrives, whether anybody opens it or not
 * - `prefetch`: the client fetches ahead of its user
 * - `scanner`: a program that checks mail, a crawler or a library says so in its user agent
 * - `no_user_agent`: no mail program or browser is silent
 * - `before_delivery`: the receiving server looks at links while the message is still being handed over
 * - `too_early`: it came sooner after delivery than anybody reads
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
  /** undefined: nothing says that it was no person. */
  readonly machineReason?: MachineReason;
  /** The proxy by which a mail provider fetches pictures when its users look at them. */
  readonly proxy?: string;
}

/** Nobody opens a mail and follows its link so soon. */
const TOO_EARLY_MS = 1_000;
const TOGETHER_MS = 1_000;

/** Mail Privacy Protection sends this and nothing behind it. */
const APPLE_AGENT = "Mozilla/5.0";

const PROXIES: readonly (readonly [RegExp, string])[] = [
  [/GoogleImageProxy/i, "gmail"],
  [/YahooMailProxy/i, "yahoo"],
];

/** Programs that check mail, crawlers, previews and HTTP libraries, by what they call themselves. */
const SCANNERS =
  /\b(?:barracuda|proofpoint|mimecast|symantec|messagelabs|trend ?micro|zscaler|fortinet|forti(?:mail|guard)|sophos|ironport|avanan|safelinks|bingpreview|google-safety|virustotal|urlscan|zgrab|iframely|headlesschrome|phantomjs|facebookexternalhit|whatsapp|skypeuripreview|curl|wget|python|libwww-perl|go-http-client|guzzlehttp|okhttp|ruby|postmanruntime|java|apache-httpclient|axios|node-fetch|undici|scrapy)\b|(?<!cu)bot\b|crawler|spider|scanner|python-(?:requests|urllib)/i;

/** Whether a program or a person has made a hit, as far as can be told; the first reason that holds is named. */
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
