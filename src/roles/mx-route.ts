import { hostname, networkInterfaces } from "node:os";
import { createMxRoute, type RouteDomain } from "../delivery/routing/mx-route.ts";
import { createResolver, type Resolver } from "../dns/resolver.ts";
import type { DestinationRules } from "../shared/destination-address.ts";
import type { Process } from "./process.ts";

export interface MxRouteParts {
  readonly resolver: Resolver;
  /** Where connections may lead. */
  readonly rules: DestinationRules;
  /** Where mail for domains goes, as this machine sees it. */
  readonly route: RouteDomain;
}

/** How this process finds the servers of recipients' domains. */
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
