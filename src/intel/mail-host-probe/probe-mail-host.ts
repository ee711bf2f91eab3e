import type { RefuseDestination } from "../../shared/destination-address.ts";
import type { AddressProbe, MailHostProbe } from "./mail-host-probe.ts";
import { createProbeAddress, type ProbeAddressOptions } from "./probe-address.ts";

export interface ProbeMailHostOptions extends Omit<ProbeAddressOptions, "port"> {
  /** Default 25; set by tests. */
  readonly port?: number;
  /** Whether IPv6 addresses are probed: this machine can reach them. */
  readonly ipv6: boolean;
  readonly refuse: RefuseDestination;
  /** Time limit of the whole probe. */
  readonly timeoutMs?: number;
}

/** A host and its addresses in DNS. */
export interface ProbedHost {
  readonly name: string;
  readonly ipv4: readonly string[];
  readonly ipv6: readonly string[];
}

/**
 * Probes one host over one connection at a time, and ends each with QUIT. Never rejects.
 * @param ending aborted: the probe ends at once, and its result is meaningless
 */
export type ProbeMailHost = (host: ProbedHost, ending?: AbortSignal) => Promise<MailHostProbe>;

const SMTP_PORT = 25;
const TIMEOUT_MS = 30_000;
const MAX_ADDRESSES = 2;

export function createProbeMailHost(options: ProbeMailHostOptions): ProbeMailHost {
  const { port = SMTP_PORT, timeoutMs = TIMEOUT_MS, refuse, clock } = options;
  const probeAddress = createProbeAddress({ ...options, port });

  return async ({ name, ipv4, ipv6 }, ending) => {
    const host = name.toLowerCase();
    const at = clock.now();
    const endMs = performance.now() + timeoutMs;
    const families = [ipv4, options.ipv6 ? ipv6 : []].map(inOrder);
    const allowed = families.map((family) => family.filter((address) => refuse(address) === undefined));
    const tried = chosen(allowed);
    // With a single family, the second address is a fallback for the first.
    const isOneEnough = allowed.some((family) => family.length === 0);
    const addresses: AddressProbe[] = [];
    for (const [index, address] of tried.entries()) {
      if (isOneEnough && addresses.some(({ outcome }) => outcome === "answered")) break;
      const share = (endMs - performance.now()) / (tried.length - index);
      addresses.push(await probeAddress({ host, address, timeoutMs: share, ending }));
    }
    if (addresses.length === 0) addresses.push(...families.flat().slice(0, MAX_ADDRESSES).map(forbidden));
    return { name: host, at, addresses };
  };
}

/** DNS rotates addresses. Sorting selects the same ones each time, so that results are stable. */
function inOrder(addresses: readonly string[]): string[] {
  return [...new Set(addresses)].sort();
}

/** One address of each family, or two of the only family. */
function chosen(families: readonly (readonly string[])[]): string[] {
  const used = families.filter((family) => family.length > 0);
  return used.flatMap((family) => family.slice(0, MAX_ADDRESSES / used.length));
}

function forbidden(address: string): AddressProbe {
  return {
    address,
    outcome: "forbidden",
    reason: "the address is not usable for mail servers on the Internet",
  };
}
