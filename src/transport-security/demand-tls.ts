import type { DemandTls, RecipientDemand, TlsDemand } from "./tls-demand.ts";
import { verifiedDemand } from "./tls-demand.ts";

export interface DemandTlsOptions {
  /** Demand of the routing policy for every server. */
  readonly setting: "opportunistic" | "required" | "verified";
  /** undefined: DANE is not used. */
  readonly dane?: RecipientDemand | undefined;
  /** undefined: MTA-STS is not used. */
  readonly mtaSts?: RecipientDemand | undefined;
}

const settingDemands: Readonly<Record<DemandTlsOptions["setting"], TlsDemand>> = {
  opportunistic: { level: "opportunistic", key: "opportunistic" },
  required: { level: "required", key: "required" },
  verified: verifiedDemand,
};

/**
 * Combines the demands of the operator, DANE and MTA-STS. All apply, except MTA-STS if DANE already names the certificate (RFC
 * 8461 section 2).
 */
export function createDemandTls({ setting, dane, mtaSts }: DemandTlsOptions): DemandTls {
  return async (domain, host) => {
    let demand = settingDemands[setting];
    const byDane = await dane?.(domain, host);
    if (byDane && "refused" in byDane) return byDane;
    if (byDane) demand = both(demand, byDane);
    if (byDane?.verify) return demand;
    const byMtaSts = await mtaSts?.(domain, host);
    if (byMtaSts && "refused" in byMtaSts) return byMtaSts;
    return byMtaSts ? both(demand, byMtaSts) : demand;
  };
}

function both(a: TlsDemand, b: TlsDemand): TlsDemand {
  const checks = [...new Set([a.verify, b.verify])].filter((check) => check !== undefined);
  const level = a.level === "required" ? a.level : b.level;
  const verify: TlsDemand["verify"] = (peer) => {
    for (const check of checks) {
      const fault = check(peer);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const words = new Set([a, b].flatMap(({ key }) => key.split(" ").slice(1)));
  return { level, key: [level, ...[...words].sort()].join(" "), ...(checks.length > 0 && { verify }) };
}
