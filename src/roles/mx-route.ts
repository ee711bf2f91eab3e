import { hostname, networkInterfaces } from "node:os";
import { createMxRoute, type RouteDomain } from "../delivery/routing/mx-route.ts";
import { createResolver, type Resolver } from "../dns/resolver.ts";
import type { DestinationRules } from "../shared/destination-address.ts";
import type { Process } from "./process.ts";

export interface MxRouteParts {
  readonly resolver: Resolver;
  /** Returns true for permitted targets of connections. */
  readonly rules: DestinationRules;
  /** Route of mail for domains, from this machine. */
  readonly route: RouteDomain;
}

/** Finds the servers of recipients' domains for this process. */
export function composeMxRoute({ config, clock }: Pick<Process, "config" | "clock">): MxRouteParts {
  const resolver = createResolver({ servers: config.delivery.dnsServers, clock });
  const rules = {
    allowPrivate: config.delivery.allowPrivate,
    ownAddresses: Object.values(networkInterfaces()).flatMap(
      (found) => found?.map(({ address }) => address) ?? [],
    ),
  };
  const route = createMxRoute({
    ...rules,
    resolver,
    random: Math.random,
    ownNames: [config.smtp.heloName ?? hostname()],
    ipv6: config.delivery.ipv6,
  });
  return { resolver, rules, route };
}
