import type { Resolver } from "../dns/resolver.ts";
import { createRefuseDestination, type DestinationRules } from "../shared/destination-address.ts";
import type { Store } from "../store/store.ts";
import { createDaneDemand } from "../transport-security/dane/dane-demand.ts";
import type { DemandTlsOptions } from "../transport-security/demand-tls.ts";
import { createFetchPolicy } from "../transport-security/mta-sts/fetch-policy.ts";
import { createMtaSts } from "../transport-security/mta-sts/mta-sts.ts";
import { createMtaStsDemand } from "../transport-security/mta-sts/mta-sts-demand.ts";
import type { RecipientDemand } from "../transport-security/tls-demand.ts";
import type { Process } from "./process.ts";

export interface RecipientDemandsOptions {
  readonly resolver: Resolver;
  readonly store: Store;
  readonly rules: DestinationRules;
}

/** Transport security demands of recipients' domains, as far as the settings enable them. */
export function composeRecipientDemands(
  process: Process,
  options: RecipientDemandsOptions,
): Pick<DemandTlsOptions, "dane" | "mtaSts"> {
  const { config, clock } = process;
  const { resolver } = options;
  return {
    dane: config.delivery.dane
      ? createDaneDemand({ resolver, port: config.delivery.mxPort, clock })
      : undefined,
    mtaSts: config.delivery.mtaSts ? composeMtaSts(process, options) : undefined,
  };
}

function composeMtaSts(
  { config, clock, log, lifecycle }: Process,
  { resolver, store, rules }: RecipientDemandsOptions,
): RecipientDemand {
  const mtaSts = createMtaSts({
    resolver,
    fetchPolicy: createFetchPolicy({
      resolver,
      refuse: createRefuseDestination(rules),
      ipv6: config.delivery.ipv6 !== "never",
      port: config.delivery.mtaStsPort,
    }),
    store: store.mtaStsPolicies,
    clock,
    log,
  });
  lifecycle.defer("MTA-STS", mtaSts.close);
  return createMtaStsDemand({ mtaSts, log });
}
