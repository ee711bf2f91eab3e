import type { HttpsAnswer } from "../shared/get-https.ts";
import type { FetchHttps } from "./fetch-https.ts";

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** URL of the final response. */
export interface FollowedAnswer extends HttpsAnswer {
  readonly host: string;
}

/**
 * Fetches a URL with redirects; each step is resolved and checked again, and must be HTTPS.
 * @throws Error when there is no answer, an address is not permitted, or there are more redirects
 */
export async function followRedirects(
  fetch: FetchHttps,
  url: URL,
  options: Parameters<FetchHttps>[1],
  maxRedirects: number,
): Promise<FollowedAnswer> {
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const answer = await fetch(at, options);
    if (!REDIRECTS.includes(answer.status)) return { ...answer, host: at.host };
    const { location } = answer.headers;
    if (redirects >= maxRedirects) throw new Error(`there are more than ${maxRedirects} redirects`);
    if (location === undefined || !URL.canParse(location, at.href))
      throw new Error("a redirect leads nowhere");
    at = new URL(location, at);
  }
}
