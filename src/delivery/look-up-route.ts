import type { Resolver } from "../dns/resolver.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import type { FoundHost, FoundRoute, FoundTls, LookUpRoute } from "../routing/found-route.ts";
import { LATE, unlessLate } from "../shared/unless-late.ts";
import type { DirectTransportSettings } from "../store/policy-document.ts";
import { createDemandTls } from "../transport-security/demand-tls.ts";
import { policyId } from "../transport-security/mta-sts/policy-id.ts";
import type { RecipientDemand } from "../transport-security/tls-demand.ts";
import type { MxHost, RouteDomain } from "./routing/mx-route.ts";

export interface LookUpRouteOptions {
  readonly resolver: Resolver;
  readonly route: RouteDomain;
  /** undefined: DANE is not used. */
  readonly dane: RecipientDemand | undefined;
  /** MTA-STS with the known policies only; undefined: MTA-STS is not used. */
  readonly mtaSts:
    | { readonly demand: RecipientDemand; readonly known: (domain: string) => Promise<object | undefined> }
    | undefined;
  readonly timeoutMs: number;
  readonly mostAtOnce: number;
  readonly mostOfOneAccount: number;
}

/**
 * Finds the route of a direct transport without connecting: the servers of the domain by `createMxRoute`, and their TLS
 * demand by `createDemandTls`.
 */
export function createLookUpRoute(options: LookUpRouteOptions): LookUpRoute {
  const { resolver, route, dane, mtaSts, timeoutMs, mostAtOnce, mostOfOneAccount } = options;
  /** Description of each host. */
  const underWay: string[] = [];

  async function tlsOf(
    domain: string,
    host: MxHost,
    setting: DirectTransportSettings["tls"],
  ): Promise<FoundTls> {
    const askedBy = new Set<FoundTls["askedBy"][number]>(setting === "opportunistic" ? [] : ["policy"]);
    const noting = (demand: RecipientDemand | undefined, who: "dane" | "mta_sts") =>
      demand &&
      (async (...asked: Parameters<RecipientDemand>) => {
        const found = await demand(...asked);
        // A check that only observes demands nothing.
        if (found && !("level" in found && found.level === "opportunistic")) askedBy.add(who);
        return found;
      });
    const demandTls = createDemandTls({
      setting,
      dane: noting(dane, "dane"),
      mtaSts: noting(mtaSts?.demand, "mta_sts"),
    });
    const demand = await demandTls(domain, host);
    if ("refused" in demand) {
      return {
        level: "refused",
        certificate: [],
        askedBy: [...askedBy],
        refusal: safeDetail(demand.refused.text),
      };
    }
    // The key has a word for each check.
    const words = demand.key.split(" ").slice(1);
    return {
      level: demand.level,
      certificate: [
        ...(words.includes("verified") ? (["authority"] as const) : []),
        ...(words.some((word) => word.startsWith("dane:")) ? (["dane"] as const) : []),
      ],
      askedBy: [...askedBy],
      refusal: "",
    };
  }

  async function hasUnknownMtaSts(domain: string): Promise<boolean> {
    if (!mtaSts || (await mtaSts.known(domain))) return false;
    const announced = await resolver.resolve(`_mta-sts.${domain}`, "TXT");
    return announced.kind === "records" && policyId(announced.records) !== undefined;
  }

  async function find(domain: string, setting: DirectTransportSettings["tls"]): Promise<FoundRoute> {
    const found = await route(domain);
    if (found.kind !== "hosts") return { ...nowhere, kind: found.kind, reason: safeDetail(found.reason) };
    const [unknown, ...hosts] = await Promise.all([
      hasUnknownMtaSts(domain),
      ...found.hosts.map(
        async (host): Promise<FoundHost> => ({
          exchange: host.exchange,
          preference: host.preference,
          addresses: host.addresses.map(({ address }) => address),
          tls: await tlsOf(domain, host, setting),
        }),
      ),
    ]);
    return {
      kind: "hosts",
      reason: "",
      isImplicit: found.implicit,
      hosts,
      // The reason is omitted, because it may name addresses of this network.
      unusable: found.dropped.map(({ exchange }) => exchange),
      hasUnknownMtaSts: unknown,
    };
  }

  return async (domain, setting, accountId) => {
    const ofAccount = underWay.filter((other) => other === accountId).length;
    if (underWay.length >= mostAtOnce || ofAccount >= mostOfOneAccount) {
      return unanswered("too many others are looked up just now");
    }
    underWay.push(accountId);
    const finding = find(domain, setting)
      .catch((error) => unanswered(safeDetail(error instanceof Error ? error.message : String(error))))
      .finally(() => underWay.splice(underWay.indexOf(accountId), 1));
    const found = await unlessLate(timeoutMs, finding);
    return found === LATE ? unanswered("the DNS did not answer in time") : found;
  };
}

const nowhere = { isImplicit: false, hosts: [], unusable: [], hasUnknownMtaSts: false } as const;

function unanswered(reason: string): FoundRoute {
  return { ...nowhere, kind: "temporary", reason };
}
