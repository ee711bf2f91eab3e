import { LRUCache } from "lru-cache";
import type { HostAddress } from "../dns/host-addresses.ts";
import type { TlsPeer } from "../transport-security/tls-demand.ts";
import type { SmtpAuth } from "./authenticate.ts";
import { openSmtpConnection, type SmtpTlsMode } from "./connection.ts";
import { createSmtpPool, type SmtpPool } from "./smtp-pool.ts";
import type { SmtpTimeouts } from "./smtp-timeouts.ts";

export interface SmtpPoolsOptions {
  /** To each address at once. */
  readonly maxConnections: number;
  /** The name given in EHLO where `source` has none; undefined: the machine's. */
  readonly heloName: string | undefined;
  /** Fields that are missing are the machine's choice. */
  readonly source: SmtpSource | undefined;
  readonly auth?: SmtpAuth | undefined;
  readonly timeouts: SmtpTimeouts;
  /** Aborted: this process ends, nothing more is sent. */
  readonly ending?: AbortSignal | undefined;
}

/** Local addresses and EHLO name of connections. */
interface SmtpSource {
  /** IPv4 address of this machine, for servers that are reached over IPv4. */
  readonly address?: string;
  /** IPv6 address of this machine, for servers that are reached over IPv6. */
  readonly address6?: string;
  /** Name given in EHLO. */
  readonly heloName?: string;
}

/** One server at one address. */
export interface SmtpEndpoint extends HostAddress {
  readonly port: number;
  /** The name that its certificate has to have. */
  readonly serverName: string;
}

/** How TLS is used there. */
export interface TlsUse {
  readonly mode: SmtpTlsMode;
  readonly verify?: ((peer: TlsPeer) => string | undefined) | undefined;
  /** Connections may be shared where it is the same. */
  readonly key: string;
}

export interface SmtpPools {
  poolFor(endpoint: SmtpEndpoint, tls: TlsUse): SmtpPool;
  /** Names an address as it is reached from here, for what is remembered of it. */
  addressKey(endpoint: SmtpEndpoint): string;
  close(): void;
}

/** Addresses with connections at once; the least recently used one is let go. */
const MAX_POOLS = 1_000;

/** The connections of one transport: whatever makes them different has a pool of its own. */
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
