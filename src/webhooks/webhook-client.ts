import { isIP, type LookupFunction } from "node:net";
import { checkedAddresses } from "../dns/checked-addresses.ts";
import type { HostsFile } from "../dns/hosts-file.ts";
import type { Resolver } from "../dns/resolver.ts";
import type { RefuseDestination } from "../shared/destination-address.ts";
import { hostOf } from "../shared/get-https.ts";
import { failurePhrase, type Phrase, phrase } from "../shared/phrase.ts";
import { createConnections, type LentAgent } from "./connections.ts";
import { type Exchanged, exchange } from "./exchange.ts";
import type { Heads } from "./exchange-heads.ts";

export interface WebhookRequest {
  /** Connections are not shared with other endpoints. */
  readonly endpointId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Answer with a complete status line. */
export interface WebhookAnswer {
  readonly status: number;
  /** Value of `Retry-After`. */
  readonly retryAfter: string | undefined;
  /** Beginning of the body. */
  readonly body: string;
  /** Address of the connection. */
  readonly address: string | undefined;
  /** Reason why the rest of the answer was not read. */
  readonly error: Phrase | undefined;
  readonly heads: Heads;
}

/** Failure without an answer. */
export interface WebhookFailure {
  readonly failure: Phrase;
  /** Address of the connection; undefined if there was none. */
  readonly address?: string | undefined;
  /** Undefined: no request was prepared. */
  readonly heads?: Heads;
}

export interface WebhookClient {
  /** Returns any behavior of the receiver as a result. @throws the signal's reason */
  post(request: WebhookRequest): Promise<WebhookAnswer | WebhookFailure>;
  close(): Promise<void>;
}

export interface WebhookClientOptions {
  readonly resolver: Pick<Resolver, "resolve">;
  readonly refuse: RefuseDestination;
  /** Whether IPv6 addresses are used. */
  readonly ipv6: boolean;
  /** Used if the DNS has no address. */
  readonly hostsFile?: HostsFile | undefined;
  /** Maximum time from writing the request to the status line, in milliseconds. Default: 15,000. */
  readonly timeoutMs?: number;
  /** PEM of a certificate authority that is trusted in addition to those of Node. */
  readonly extraCa?: string;
}

const TIMEOUT_MS = 15_000;
const CONNECT_MS = 10_000;
const REST_MS = 2_000;
const IDLE_MS = 4_000;
/** Equal to the number of concurrent requests of a worker to one endpoint. */
const PER_ENDPOINT = 10;
/** Twice the number of concurrent requests of a worker. The other half may be idle. */
const IN_ALL = 1_000;

/**
 * Posts webhooks without redirects, proxies or compression. It never connects to an address that external users must not reach:
 * the address that was checked is the one that is used, even if the name resolves to another one later.
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { resolver, refuse, ipv6, hostsFile, timeoutMs = TIMEOUT_MS, extraCa } = options;
  const connections = createConnections({
    perEndpoint: PER_ENDPOINT,
    inAll: IN_ALL,
    idleMs: IDLE_MS,
    extraCa,
  });

  const lookup: LookupFunction = (host, { all }, done) => {
    checkedAddresses(host, { resolver, refuse, ipv6, hostsFile }).then(
      (found) => (all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family)),
      (error) => done(error, []),
    );
  };

  function send(
    { headers, body, signal }: WebhookRequest,
    url: URL,
    { agent }: LentAgent,
  ): Promise<Exchanged> {
    return exchange({
      url,
      agent,
      headers,
      body,
      lookup,
      signal,
      onConnection: connections.count,
      connectMs: CONNECT_MS,
      answerMs: timeoutMs,
      restMs: Math.min(REST_MS, timeoutMs),
    });
  }

  return {
    async post(request) {
      const url = new URL(request.url);
      const host = hostOf(url);
      // An IP address needs no lookup before the connection.
      if (isIP(host) !== 0 && refuse(host) !== undefined)
        return { failure: phrase("host.forbidden", { host }) };
      const lent = connections.lend(request.endpointId, url.protocol);
      try {
        let done = await send(request, url, lent);
        if (done.isStale) {
          // The server closed the idle connection at the time of the request. The other idle connections are as old.
          lent.dropIdle();
          done = await send(request, url, lent);
        }
        const { status, address, retryAfter, heads, body, error } = done;
        if (status === undefined) return { failure: error ?? phrase("webhook.no_answer"), address, heads };
        return { status, retryAfter, heads, body, address, error };
      } catch (error) {
        request.signal.throwIfAborted();
        return { failure: failurePhrase(error) };
      } finally {
        lent.giveBack();
      }
    },
    close: async () => connections.close(),
  };
}
