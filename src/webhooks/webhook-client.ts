import { isIP, type LookupFunction } from "node:net";
import { rootCertificates } from "node:tls";
import { Agent, errors, request } from "undici";
import { checkedAddresses } from "../dns/checked-addresses.ts";
import type { Resolver } from "../dns/resolver.ts";
import type { RefuseDestination } from "../shared/destination-address.ts";
import { hostOf } from "../shared/get-https.ts";

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** What came back. */
export interface WebhookAnswer {
  readonly status: number;
  /** Of `Retry-After`. */
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly body: string;
}

/** Why nothing came back, in words for people. */
export interface WebhookFailure {
  readonly failure: string;
}

export interface WebhookClient {
  /** Whatever the receiver does is in the result. @throws the signal's reason */
  post(request: WebhookRequest): Promise<WebhookAnswer | WebhookFailure>;
  close(): Promise<void>;
}

export interface WebhookClientOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly refuse: RefuseDestination;
  /** Whether IPv6 addresses are used. */
  readonly ipv6: boolean;
  /** Bound of a whole request (15 s). */
  readonly timeoutMs?: number;
  /** PEM of an authority that is trusted besides those of Node. */
  readonly extraCa?: string;
}

const TIMEOUT_MS = 15_000;
const CONNECT_MS = 10_000;
/** A connection is kept for the next event so long. */
const IDLE_MS = 10_000;
/** To one origin, for all endpoints there. */
const CONNECTIONS = 50;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Posts webhooks: no redirects, no proxies, no compression, and no connection to an address that strangers must not reach,
 * whatever a name means the next time (the address that is checked is the one that is connected to).
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { resolver, refuse, ipv6, timeoutMs = TIMEOUT_MS, extraCa } = options;

  const lookup: LookupFunction = (host, { all }, done) => {
    checkedAddresses(host, { resolver, refuse, ipv6 }).then(
      (found) => (all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family)),
      (error) => done(error, []),
    );
  };

  const agent = new Agent({
    connect: {
      lookup,
      timeout: CONNECT_MS,
      autoSelectFamily: true,
      ...(extraCa && { ca: [...rootCertificates, extraCa] }),
    },
    connections: CONNECTIONS,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });

  return {
    async post({ url, headers, body, signal }) {
      const host = hostOf(new URL(url));
      // Nobody looks these up.
      if (isIP(host) !== 0 && refuse(host) !== undefined)
        return { failure: `${host} may not be connected to` };
      // Of its own: signals that were derived from one of a whole process would stay as long as that.
      const abort = new AbortController();
      const giveUp = () => abort.abort();
      const timer = setTimeout(giveUp, timeoutMs);
      signal.addEventListener("abort", giveUp, { once: true });
      try {
        signal.throwIfAborted();
        const answer = await request(url, {
          ...{ method: "POST", dispatcher: agent, headers, body },
          signal: abort.signal,
        });
        return {
          status: answer.statusCode,
          retryAfter: [answer.headers["retry-after"]].flat()[0],
          body: await beginningOf(answer.body),
        };
      } catch (error) {
        signal.throwIfAborted();
        if (abort.signal.aborted) return { failure: `no whole answer within ${timeoutMs / 1_000} seconds` };
        return { failure: wordsFor(error) };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUp);
      }
    },
    close: () => agent.destroy(),
  };
}

/** What is beyond it ends with its connection. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString();
}

function wordsFor(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError) return "no connection within 10 seconds";
  if (error instanceof errors.HeadersOverflowError) return "the answer's header is too long";
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && cause.message !== "" ? cause.message : String(cause);
}
