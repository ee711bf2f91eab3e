import { LRUCache } from "lru-cache";
import type { HostAddress } from "../dns/host-addresses.ts";
import type { Phrase } from "../shared/phrase.ts";
import type { TlsPeer } from "../transport-security/tls-demand.ts";
import type { SmtpAuth } from "./authenticate.ts";
import { openSmtpConnection, type SmtpTlsMode } from "./connection.ts";
import { createSmtpPool, type SmtpPool } from "./smtp-pool.ts";
import type { SmtpTimeouts } from "./smtp-timeouts.ts";

export interface SmtpPoolsOptions {
  /** Concurrent connections to each address. */
  readonly maxConnections: number;
  /** Name for EHLO if `source` has none; undefined: the name of the machine. */
  readonly heloName: string | undefined;
  /** The machine chooses missing fields. */
  readonly source: SmtpSource | undefined;
  readonly auth?: SmtpAuth | undefined;
  readonly timeouts: SmtpTimeouts;
  /** Aborted: this process ends, and no more messages are sent. */
  readonly ending?: AbortSignal | undefined;
}

/** Local addresses and EHLO name of connections. */
interface SmtpSource {
  /** IPv4 address of this machine, for servers reached over IPv4. */
  readonly address?: string;
  /** IPv6 address of this machine, for servers reached over IPv6. */
  readonly address6?: string;
  /** Name for EHLO. */
  readonly heloName?: string;
}

/** One server at one address. */
export interface SmtpEndpoint extends HostAddress {
  readonly port: number;
  /** Name that its certificate must have. */
  readonly serverName: string;
}

/** Use of TLS for an endpoint. */
export interface TlsUse {
  readonly mode: SmtpTlsMode;
  readonly verify?: ((peer: TlsPeer) => Phrase | undefined) | undefined;
  /** Connections with the same key may be shared. */
  readonly key: string;
}

export interface SmtpPools {
  poolFor(endpoint: SmtpEndpoint, tls: TlsUse): SmtpPool;
  /** Key of an address as reached from this source, for cached data about it. */
  addressKey(endpoint: SmtpEndpoint): string;
  close(): void;
}

/** Addresses with connections at once. The least recently used one is closed. */
const MAX_POOLS = 1_000;

/** Connections of one transport, with one pool for each combination of differing settings. */
export function createSmtpPools(options: SmtpPoolsOptions): SmtpPools {
  const { maxConnections, source = {}, auth, timeouts, ending } = options;
  const heloName = source.heloName ?? options.heloName;
  const pools = new LRUCache<string, SmtpPool>({ max: MAX_POOLS, dispose: (pool) => pool.close() });

  function localAddress({ family }: SmtpEndpoint): string | undefined {
    return family === 6 ? source.address6 : source.address;
  }

  function addressKey(endpoint: SmtpEndpoint): string {
    return `${localAddress(endpoint) ?? ""} ${endpoint.address} ${endpoint.port}`;
  }

  return {
    poolFor: (endpoint, { mode, verify, key }) => {
      const { address, port, serverName } = endpoint;
      const poolKey = `${addressKey(endpoint)} ${serverName} ${mode} ${key}`;
      const known = pools.get(poolKey);
      if (known) return known;
      const open = () =>
        openSmtpConnection({
          host: address,
          port,
          localAddress: localAddress(endpoint),
          heloName,
          tls: mode,
          verify,
          serverName,
          auth,
          timeouts,
          ending,
        });
      const pool = createSmtpPool({ open, maxConnections });
      pools.set(poolKey, pool);
      return pool;
    },
    addressKey,
    close: () => pools.clear(),
  };
}
