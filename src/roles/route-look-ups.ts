import { createLookUpRoute } from "../delivery/look-up-route.ts";
import type { LookUpRoute } from "../routing/found-route.ts";
import type { Store } from "../store/store.ts";
import { createDaneDemand } from "../transport-security/dane/dane-demand.ts";
import { createMtaStsDemand } from "../transport-security/mta-sts/mta-sts-demand.ts";
import { composeMxRoute } from "./mx-route.ts";
import type { Process } from "./process.ts";

/** A user waits for it. */
const POLL_MS = 10_000;
const CHECKS_AT_ONCE = 20;
const CHECKS_OF_ONE_ACCOUNT = 6;

/** Finds the DNS route of a domain like a delivery from this machine, without connecting. */
export function composeRouteLookUps(
  process: Pick<Process, "config" | "clock" | "log">,
  { mtaStsPolicies }: Pick<Store, "mtaStsPolicies">,
): LookUpRoute {
  const { config, clock, log } = process;
  const { resolver, route } = composeMxRoute(process);
  const known = async (domain: string) => {
    const policy = await mtaStsPolicies.find(domain);
    return policy && policy.expireAt > clock.now() ? policy : undefined;
  };
  // Only deliveries fetch unknown policies.
  const mtaSts = { policyFor: known, freshPolicyFor: known, close: async () => undefined };
  return createLookUpRoute({
    resolver,
    route,
    dane: config.delivery.dane
      ? createDaneDemand({ resolver, port: config.delivery.mxPort, clock })
      : undefined,
    mtaSts: config.delivery.mtaSts ? { demand: createMtaStsDemand({ mtaSts, log }), known } : undefined,
    timeoutMs: POLL_MS,
    mostAtOnce: CHECKS_AT_ONCE,
    mostOfOneAccount: CHECKS_OF_ONE_ACCOUNT,
  });
}
