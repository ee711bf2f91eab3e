import { isIP } from "node:net";
import { formatHostPort, type HostPort } from "../shared/host-port.ts";

/** One core among those that a name may stand for. */
export interface CoreEndpoint {
  /** IP address and port. */
  readonly address: string;
  /** The name that it was found by; undefined: it was given as an address. */
  readonly name: string | undefined;
}

export interface CoreEndpointsOptions {
  readonly addresses: readonly HostPort[];
  /** All IP addresses of a name. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
  /** All endpoints there are now, by address. */
  readonly onChange: (endpoints: ReadonlyMap<string, CoreEndpoint>) => void;
  /** Told when a name could not be looked up. */
  readonly onFailure: (name: string, error: unknown) => void;
}

export interface CoreEndpoints {
  start(): void;
  stop(): void;
}

/** Cores come and go under one name: it is looked up again and again. */
const REFRESH_MS = 10_000;
const RETRY_MS = 1_000;

/** Watches which cores there are behind some addresses. */
export function createCoreEndpoints({
  addresses,
  lookup,
  onChange,
  onFailure,
}: CoreEndpointsOptions): CoreEndpoints {
  /** What each name led to last: a name server that is away for a moment takes no core away. */
  const known = new Map<string, readonly string[]>();
  const names = addresses.some(({ host }) => isIP(host) === 0);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function ipAddresses(host: string): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    try {
      known.set(host, await lookup(host));
    } catch (error) {
      onFailure(host, error);
    }
    return known.get(host) ?? [];
  }

  async function refresh(): Promise<void> {
    const endpoints = new Map<string, CoreEndpoint>();
    for (const { host, port } of addresses) {
      for (const ip of await ipAddresses(host)) {
        const address = formatHostPort({ host: ip, port });
        endpoints.set(address, { address, name: isIP(host) === 0 ? host : undefined });
      }
    }
    if (stopped) return;
    onChange(endpoints);
    if (names) timer = setTimeout(refresh, endpoints.size > 0 ? REFRESH_MS : RETRY_MS).unref();
  }

  return {
    start: () => void refresh(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
