import { createResolver, type ResolverOptions } from "../../src/dns/resolver.ts";
import { createProbeDns, type ProbeDns } from "../../src/intel/probe-dns.ts";
import { systemClock } from "../../src/shared/clock.ts";
import type { DnsServer, DnsZones } from "./dns-server.ts";

export interface ProbeZonesOptions extends Partial<Pick<ResolverOptions, "retryMs" | "tries" | "timeoutMs">> {
  readonly maxLookups?: number | undefined;
}

/** For zones in which a server does not answer. */
export const IMPATIENT = { retryMs: 20, tries: 2, timeoutMs: 500 } as const;

/** DNS of one check of a domain, from a server with zones and without results of earlier checks. */
export function probeServer(
  server: Pick<DnsServer, "address">,
  { maxLookups, ...patience }: ProbeZonesOptions = {},
): ProbeDns {
  const resolver = createResolver({ servers: [server.address], clock: systemClock, ...patience });
  return createProbeDns({ resolver, clock: systemClock, ...(maxLookups !== undefined && { maxLookups }) });
}

/** DNS of one check of a domain, after the server has received these zones and no others. */
export function probeZones(server: DnsServer, zones: DnsZones, options?: ProbeZonesOptions): ProbeDns {
  server.serve(zones);
  return probeServer(server, options);
}
