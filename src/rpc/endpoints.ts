import { isIP } from "node:net";
import { formatHostPort, type HostPort } from "../shared/host-port.ts";

/** One core of possibly several behind a name. */
export interface CoreEndpoint {
  /** IP address and port. */
  readonly address: string;
  /** Name that resolved to it; undefined: it was given as an address. */
  readonly name: string | undefined;
}

export interface CoreEndpointsOptions {
  readonly addresses: readonly HostPort[];
  /** Returns all IP addresses of a name. */
  readonly lookup: (name: string) => Promise<readonly string[]>;
  /** Called with all current endpoints, by address. */
  readonly onChange: (endpoints: ReadonlyMap<string, CoreEndpoint>) => void;
  /** Called when a name could not be resolved. */
  readonly onFailure: (name: string, error: unknown) => void;
}

export interface CoreEndpoints {
  start(): void;
  stop(): void;
}

/** Cores are added and removed under one name, so the name is resolved regularly. */
const REFRESH_MS = 10_000;
const RETRY_MS = 1_000;

/** Watches the cores behind the addresses. */
export function createCoreEndpoints({
  addresses,
  lookup,
  onChange,
  onFailure,
}: CoreEndpointsOptions): CoreEndpoints {
  /** Last result for each name: a temporary failure of the name server removes no core. */
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
