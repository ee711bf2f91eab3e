import { domainToASCII } from "node:url";
import { getDomain } from "tldts";
import { type DroppedExchange, type MailExchange, orderExchanges } from "../../dns/mail-exchanges.ts";
import { hostName } from "../../dns/names.ts";
import type { DnsResult } from "../../dns/records.ts";
import type { Resolver } from "../../dns/resolver.ts";
import { isAscii } from "../../message/characters.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import {
  createRefuseDestination,
  type DestinationRefusal,
  type DestinationRules,
} from "../../shared/destination-address.ts";
import type { FoundExchange } from "../../transport-security/tls-demand.ts";

export interface MxAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** A server that takes mail for a domain; its name is in lower case, never empty, never an address. */
export interface MxHost extends FoundExchange {
  /** In the order in which to try them; there is one at least. */
  readonly addresses: readonly MxAddress[];
}

/** Why a domain has no hosts: what a report to the sender needs. */
interface NoHosts {
  /** RFC 3463. */
  readonly enhancedStatusCode: string;
  /** Safe to show. */
  readonly reason: string;
}

/**
 * Where mail for a domain goes.
 *
 * - `hosts`: to these, in this order; `implicit`: the domain has no MX, so it is its own host (RFC 5321 section 5.1)
 * - `null_mx`: the domain says that it takes no mail (RFC 7505): final
 * - `no_domain`: the domain does not exist: final
 * - `no_route`: the DNS names no host that may be used: final
 * - `temporary`: the DNS did not answer: try again later
 */
export type MxRoute =
  | {
      readonly kind: "hosts";
      readonly hosts: readonly MxHost[];
      readonly implicit: boolean;
      readonly dropped: readonly DroppedExchange[];
    }
  | ({ readonly kind: "null_mx" } & NoHosts)
  | ({ readonly kind: "no_domain" } & NoHosts)
  | ({ readonly kind: "no_route" } & NoHosts)
  | ({ readonly kind: "temporary" } & NoHosts);

export interface MxRouteOptions extends DestinationRules {
  readonly resolver: Resolver;
  /** Our names as mail servers: mail is never sent to them, nor to exchanges that are preferred less. */
  readonly ownNames: readonly string[];
  /** IPv6 first, IPv4 first, or IPv4 alone. */
  readonly ipv6: "prefer" | "allow" | "never";
  /** 0 to 1, for the order of exchanges with the same preference. */
  readonly random: () => number;
}

/** Finds out where mail for a domain goes; never rejects. */
export type RouteDomain = (domain: string) => Promise<MxRoute>;

const MAX_HOSTS = 20;
const MAX_ADDRESSES = 8;

/** A host with what the DNS knows of its addresses. */
interface FoundHost extends MxHost {
  readonly refused: readonly { readonly address: string; readonly refusal: DestinationRefusal }[];
  /** Why an address lookup failed. */
  readonly failure: string | undefined;
}

export function createMxRoute(options: MxRouteOptions): RouteDomain {
  const { resolver, ipv6, random } = options;
  const refuse = createRefuseDestination(options);
  const ownNames = new Set(options.ownNames.map(readDomain));

  async function find(mail: MailExchange, authenticated: boolean): Promise<FoundHost> {
    const [v4, v6] = await Promise.all([
      resolver.resolve(mail.exchange, "A"),
      ipv6 === "never" ? undefined : resolver.resolve(mail.exchange, "AAAA"),
    ]);
    const refused: { address: string; refusal: DestinationRefusal }[] = [];
    const permitted = (addresses: readonly string[], family: 4 | 6): MxAddress[] =>
      [...new Set(addresses)].flatMap((address) => {
        const refusal = refuse(address);
        if (refusal === undefined) return [{ address, family }];
        refused.push({ address, refusal });
        return [];
      });
    const families = [permitted(recordsOf(v4), 4), permitted(recordsOf(v6), 6)];
    return {
      ...mail,
      addresses: alternate(ipv6 === "prefer" ? families.reverse() : families).slice(0, MAX_ADDRESSES),
      authenticated:
        authenticated && [v4, v6].every((found) => found?.kind !== "records" || found.authenticated),
      refused,
      failure: [v4, v6].find((found) => found?.kind === "failed")?.reason,
    };
  }

  /** The route over these exchanges, the most preferred first. */
  async function routeOver(
    exchanges: readonly MailExchange[],
    implicit: boolean,
    authenticated: boolean,
  ): Promise<MxRoute> {
    const named = beforeUs(exchanges, ({ exchange }) => ownNames.has(exchange));
    const tried = named.slice(0, MAX_HOSTS);
    const found = await Promise.all(tried.map((mail) => find(mail, authenticated)));
    const usable = beforeUs(found, ({ refused }) => refused.some(({ refusal }) => refusal === "own"));
    if (usable.length === 0) {
      const reason = "mail for the domain leads back to this server";
      return { kind: "no_route", enhancedStatusCode: "5.4.6", reason };
    }
    const hosts = usable.filter(({ addresses }) => addresses.length > 0);
    if (hosts.length === 0) return nowhere(usable, implicit);
    const behindUs = exchanges.filter((mail) => !named.includes(mail));
    return {
      kind: "hosts",
      hosts: hosts.map(({ refused: _, failure: __, ...host }) => host),
      implicit,
      dropped: [
        ...usable.filter((host) => !hosts.includes(host)).map((host) => drop(host, whyUnusable(host))),
        ...named.slice(MAX_HOSTS).map((mail) => drop(mail, `comes after ${MAX_HOSTS} others`)),
        ...[...found.filter((host) => !usable.includes(host)), ...behindUs].map((mail) =>
          drop(mail, "is this server, or not preferred to it"),
        ),
      ],
    };
  }

  return async (text) => {
    const domain = readDomain(text);
    if (domain === undefined) return noDomain("that is not the name of a domain");
    const mx = await resolver.resolve(domain, "MX");
    if (mx.kind === "failed") return temporary(mx.reason);
    if (mx.kind === "no_domain") return noDomain(`the domain ${domain} does not exist`);
    // Only then: a domain with MX records that lead nowhere has chosen so.
    if (mx.kind === "no_data")
      return routeOver([{ exchange: domain, preference: 0 }], true, mx.authenticated);
    const ordered = orderExchanges(mx.records, random);
    if (!ordered) {
      return { kind: "null_mx", enhancedStatusCode: "5.1.10", reason: `the domain ${domain} takes no mail` };
    }
    if (ordered.exchanges.length === 0) return noRoute(`no MX of ${domain} names a host`);
    const route = await routeOver(ordered.exchanges, false, mx.authenticated);
    return route.kind === "hosts" ? { ...route, dropped: [...ordered.dropped, ...route.dropped] } : route;
  };
}

/**
 * What the domains of one mail provider have in common: the registrable domain of their most preferred exchange, as
 * `google.com`, for limits that the provider applies to all of them together. Undefined: no hosts.
 */
export function mxProvider(hosts: readonly MxHost[]): string | undefined {
  const best = Math.min(...hosts.map(({ preference }) => preference));
  // Exchanges of the same preference come in any order; the key must not change with it.
  return hosts
    .filter(({ preference }) => preference === best)
    .map(({ exchange }) => getDomain(exchange) ?? exchange)
    .sort()[0];
}

/** A name as people write it, internationalised or not, in the spelling of the DNS. */
function readDomain(text: string): string | undefined {
  return hostName(isAscii(text) ? text : domainToASCII(text));
}

function recordsOf(result: DnsResult<string> | undefined): readonly string[] {
  return result?.kind === "records" ? result.records : [];
}

/** One of each list in turn, so that whichever family does not work here is left after one attempt (RFC 8305). */
function alternate<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

/** Cuts the list before our own place in it (RFC 5321 section 5.1): from behind it, mail would come back. */
function beforeUs<T extends MailExchange>(list: readonly T[], isOurs: (one: T) => boolean): readonly T[] {
  const ours = Math.min(...list.filter(isOurs).map(({ preference }) => preference));
  return list.filter(({ preference }) => preference < ours);
}

function drop({ exchange }: MailExchange, reason: string): DroppedExchange {
  return { exchange, reason };
}

function whyUnusable({ refused, failure }: FoundHost): string {
  if (failure !== undefined) return safeDetail(failure);
  if (refused.length === 0) return "has no address";
  const addresses = refused.map(({ address, refusal }) => `${address}: ${refusal}`);
  return `has no address that may be connected to (${addresses.slice(0, MAX_ADDRESSES).join(", ")})`;
}

/**
 * What to say when no host has an address that may be connected to. That is an error to report (RFC 5321 section 5.1),
 * unless the DNS did not answer for one of them: other servers, Postfix for one, return such mail at once too.
 */
function nowhere(hosts: readonly FoundHost[], implicit: boolean): MxRoute {
  const failure = hosts.find((host) => host.failure !== undefined)?.failure;
  if (failure !== undefined) return temporary(failure);
  if (hosts.every(({ refused }) => refused.length > 0)) {
    return noRoute("the domain's servers have only addresses that mail may not be sent to");
  }
  if (implicit) return noRoute("the domain has neither MX nor address records");
  return noRoute("no MX of the domain leads to a usable address");
}

function noRoute(reason: string): MxRoute {
  return { kind: "no_route", enhancedStatusCode: "5.4.4", reason };
}

function noDomain(reason: string): MxRoute {
  return { kind: "no_domain", enhancedStatusCode: "5.1.2", reason };
}

function temporary(reason: string): MxRoute {
  return { kind: "temporary", enhancedStatusCode: "4.4.3", reason: safeDetail(reason) };
}
