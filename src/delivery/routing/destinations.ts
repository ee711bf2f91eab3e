import { limitsOf } from "../../routing/effects.ts";
import { transportsFor } from "../../routing/transports-for.ts";
import type { Clock } from "../../shared/clock.ts";
import { createLru } from "../../shared/lru.ts";
import type { MessageDocument } from "../../store/message-documents.ts";
import type { PolicyDocument, TransportSettings } from "../../store/policy-document.ts";
import { allOf, createDestinationLimits, type Destination } from "./destination-limits.ts";
import { mxProvider, type RouteDomain } from "./mx-route.ts";
import type { Shares } from "./shares.ts";

export interface Destinations {
  /** Destination of a message; never rejects. */
  of(message: MessageDocument): Promise<Destination>;
  /** From memory only. */
  peek(message: MessageDocument): Destination | undefined;
  /** Shares of this worker of the limits of all workers. */
  readonly shares: Shares;
}

export interface DestinationsOptions {
  readonly findPolicy: (accountId: string, name: string) => Promise<PolicyDocument | undefined>;
  readonly route: RouteDomain;
  /** Default of concurrent deliveries to one provider, of all workers together. */
  readonly concurrency: number;
  /** An attempt that takes longer is slow. */
  readonly slowAfterMs?: number;
  readonly clock: Clock;
}

/** Time after which the route of a domain is queried again. */
const REMEMBERED_MS = 15_000;
const MAX_REMEMBERED = 50_000;

/**
 * Finds the destination with which a message shares limits: one mail provider (the registrable domain of the servers of its
 * domain), or one upstream relay.
 */
export function createDestinations(options: DestinationsOptions): Destinations {
  const { findPolicy, route, clock } = options;
  const limits = createDestinationLimits(options.slowAfterMs, clock);
  const remembered = createLru<Destination>(MAX_REMEMBERED, {
    ttl: REMEMBERED_MS,
    perf: { now: clock.monotonicMs },
    ttlResolution: 0,
  });
  const lookups = new Map<string, Promise<Destination>>();

  async function find(message: MessageDocument): Promise<Destination> {
    const policy = await findPolicy(message.accountId, message.policy).catch(() => undefined);
    const [transport] = policy ? transportsFor(policy, message.recipientDomain) : [];
    const name = await siteOf(transport, message.recipientDomain);
    const { concurrency, shared, own: permits } = limitsOf(policy?.limits, transport, options.concurrency);
    const source = policy?.source?.address ?? "";
    const site = limits.at(`${source} ${name}`, { concurrency, perMinute: undefined, shared });
    if (!policy || !permits) return site;
    const own = `${policy._id} ${source} ${name}`;
    const permitted = limits.at(own, { ...permits, shared: true });
    return allOf(own, [site, permitted]);
  }

  async function siteOf(transport: TransportSettings | undefined, domain: string): Promise<string> {
    switch (transport?.kind) {
      case "sandbox":
        return "sandbox";
      case "smtp": {
        const servers = transport.servers.map(({ host, port }) => `${host}:${port}`).join(",");
        return `relay ${servers} ${transport.username ?? ""}`;
      }
      default: {
        const found = await route(domain);
        const provider = found.kind === "hosts" ? mxProvider(found.hosts) : undefined;
        return provider === undefined ? `domain ${domain}` : `provider ${provider}`;
      }
    }
  }

  function keyOf({ accountId, policy, recipientDomain }: MessageDocument): string {
    return `${accountId} ${policy} ${recipientDomain}`;
  }

  return {
    shares: limits.shares,
    peek: (message) => remembered.get(keyOf(message)),
    of: (message) => {
      const key = keyOf(message);
      const known = remembered.get(key);
      if (known) return Promise.resolve(known);
      const lookup =
        lookups.get(key) ??
        find(message)
          // The attempt reports messages that cannot be routed.
          .catch(() => limits.at(`unknown ${key}`, { concurrency: 1, perMinute: undefined }))
          .then((destination) => {
            remembered.set(key, destination);
            return destination;
          })
          .finally(() => lookups.delete(key));
      lookups.set(key, lookup);
      return lookup;
    },
  };
}
