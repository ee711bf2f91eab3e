import { isIP, type LookupFunction } from "node:net";
import { checkedAddresses } from "../dns/checked-addresses.ts";
import type { HostsFile } from "../dns/hosts-file.ts";
import type { Resolver } from "../dns/resolver.ts";
import type { RefuseDestination } from "../shared/destination-address.ts";
import { hostOf } from "../shared/get-https.ts";
import { createConnections, type LentAgent } from "./connections.ts";
import { type Exchanged, exchange } from "./exchange.ts";

export interface WebhookRequest {
  /** Connections are those of this endpoint alone. */
  readonly endpointId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** An answer whose status line arrived. */
export interface WebhookAnswer {
  readonly status: number;
  /** Value of `Retry-After`. */
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly body: string;
  /** Address of the connection. */
  readonly address: string | undefined;
  /** Why the rest of the answer was not read, for people. */
  readonly trouble: string | undefined;
}

/** No answer. */
export interface WebhookFailure {
  /** The reason, for people. */
  readonly failure: string;
  /** Address of the connection; undefined if there was none. */
  readonly address?: string | undefined;
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
  /** Asked where the DNS has no address. */
  readonly hostsFile?: HostsFile | undefined;
  /** From the moment when the request is written until the status line (15 s). */
  readonly timeoutMs?: number;
  /** PEM of an authority that is trusted besides those of Node. */
  readonly extraCa?: string;
}

const TIMEOUT_MS = 15_000;
const CONNECT_MS = 10_000;
const REST_MS = 2_000;
const IDLE_MS = 4_000;
/** As many as requests that a worker sends to an endpoint at once. */
const PER_ENDPOINT = 10;
/** Twice as many as requests that a worker sends at once: the other half is idle. */
const IN_ALL = 1_000;

/**
 * Posts webhooks: no redirects, no proxies, no compression, and no connection to an address that strangers must not reach,
 * whatever a name means the next time (the address that is checked is the one that is connected to).
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
      // No lookup precedes a connection to an address.
      if (isIP(host) !== 0 && refuse(host) !== undefined)
        return { failure: `${host} may not be connected to` };
      const lent = connections.lend(request.endpointId, url.protocol);
      try {
        let done = await send(request, url, lent);
        if (done.isStale) {
          // The server closed the kept connection at the moment of the request; the others are as old.
          lent.dropIdle();
          done = await send(request, url, lent);
        }
        const { status, address, retryAfter, body, trouble } = done;
        if (status === undefined) return { failure: trouble ?? "it did not answer", address };
        return { status, retryAfter, body, address, trouble };
      } catch (error) {
        request.signal.throwIfAborted();
        return { failure: error instanceof Error ? error.message : String(error) };
      } finally {
        lent.giveBack();
      }
    },
    close: async () => connections.close(),
  };
}
