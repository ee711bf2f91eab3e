import { domainToASCII } from "node:url";
import { getDomain } from "tldts";
import { type DroppedExchange, type MailExchange, orderExchanges } from "../../dns/mail-exchanges.ts";
import { hostName } from "../../dns/names.ts";
import type { DnsFailure, DnsResult } from "../../dns/records.ts";
import type { Resolver } from "../../dns/resolver.ts";
import { isAscii } from "../../message/characters.ts";
import { safeDetail } from "../../message/replies/outcome.ts";
import {
  createRefuseDestination,
  type DestinationRefusal,
  type DestinationRules,
} from "../../shared/destination-address.ts";
import { type Phrase, phrase, type TextPart } from "../../shared/phrase.ts";
import type { FoundExchange } from "../../transport-security/tls-demand.ts";

export interface MxAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** A server that accepts mail for a domain; its name is in lower case, never empty, never an address. */
export interface MxHost extends FoundExchange {
  /** In the order of attempts; at least one. */
  readonly addresses: readonly MxAddress[];
}

/** Reason why a domain has no hosts, for a report to the sender. */
interface NoHosts {
  /** RFC 3463. */
  readonly enhancedStatusCode: string;
  /** Safe to show. */
  readonly reason: string;
  /** Parts of the reason. Missing: it has none. */
  readonly reasonParts?: readonly TextPart[] | undefined;
}

/**
 * Route of mail for a domain.
 *
 * - `hosts`: to these, in this order; `implicit`: the domain has no MX, so it is its own host (RFC 5321 section 5.1)
 * - `null_mx`: the domain accepts no mail (RFC 7505): permanent
 * - `no_domain`: the domain does not exist: permanent
 * - `no_route`: the DNS names no usable host: permanent
 * - `temporary`: the DNS did not answer: retry later
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
  /** Names of this installation as a mail server: mail is never sent to them, nor to less preferred exchanges. */
  readonly ownNames: readonly string[];
  /** IPv6 first, IPv4 first, or only IPv4. */
  readonly ipv6: "prefer" | "allow" | "never";
  /** 0 to 1, for the order of exchanges with the same preference. */
  readonly random: () => number;
}

/** Finds the route of mail for a domain; never rejects. */
export type RouteDomain = (domain: string) => Promise<MxRoute>;

const MAX_HOSTS = 20;
const MAX_ADDRESSES = 8;

/** A host and the addresses in the DNS. */
interface FoundHost extends MxHost {
  readonly refused: readonly { readonly address: string; readonly refusal: DestinationRefusal }[];
  /** Reason why an address lookup failed. */
  readonly failure: DnsFailure | undefined;
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
      failure: [v4, v6].find((found) => found?.kind === "failed"),
    };
  }

  /** The route over these exchanges, most preferred first. */
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
      return { kind: "no_route", enhancedStatusCode: "5.4.6", ...reasonOf(phrase("route.leads_back")) };
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
    if (domain === undefined) return noDomain(phrase("route.not_a_domain"));
    const mx = await resolver.resolve(domain, "MX");
    if (mx.kind === "failed") return temporary(mx);
    if (mx.kind === "no_domain") return noDomain(phrase("route.no_domain", { domain }));
    // Only then: a domain with MX records without targets has chosen so.
    if (mx.kind === "no_data")
      return routeOver([{ exchange: domain, preference: 0 }], true, mx.authenticated);
    const ordered = orderExchanges(mx.records, random);
    if (!ordered) {
      const wording = phrase("route.null_mx", { domain });
      return { kind: "null_mx", enhancedStatusCode: "5.1.10", ...reasonOf(wording) };
    }
    if (ordered.exchanges.length === 0) return noRoute(phrase("route.no_host", { domain }));
    const route = await routeOver(ordered.exchanges, false, mx.authenticated);
    return route.kind === "hosts" ? { ...route, dropped: [...ordered.dropped, ...route.dropped] } : route;
  };
}

/**
 * Key of a mail provider: the registrable domain of the most preferred exchange, for example `google.com`, for limits that the
 * provider applies to all of its domains together. Undefined: no hosts.
 */
export function mxProvider(hosts: readonly MxHost[]): string | undefined {
  const best = Math.min(...hosts.map(({ preference }) => preference));
  // Exchanges of the same preference come in any order, which must not change the key.
  return hosts
    .filter(({ preference }) => preference === best)
    .map(({ exchange }) => getDomain(exchange) ?? exchange)
    .sort()[0];
}

/** Converts a name as people write it, internationalized or not, to the spelling of the DNS. */
function readDomain(text: string): string | undefined {
  return hostName(isAscii(text) ? text : domainToASCII(text));
}

function recordsOf(result: DnsResult<string> | undefined): readonly string[] {
  return result?.kind === "records" ? result.records : [];
}

/** Alternates the address families, so that a broken family costs only one attempt (RFC 8305). */
function alternate<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}

/** Cuts the list before this server's own entry (RFC 5321 section 5.1): less preferred servers would send the mail back. */
function beforeUs<T extends MailExchange>(list: readonly T[], isOurs: (one: T) => boolean): readonly T[] {
  const ours = Math.min(...list.filter(isOurs).map(({ preference }) => preference));
  return list.filter(({ preference }) => preference < ours);
}

function drop({ exchange }: MailExchange, reason: string): DroppedExchange {
  return { exchange, reason };
}

function whyUnusable({ refused, failure }: FoundHost): string {
  if (failure !== undefined) return safeDetail(failure.reason);
  if (refused.length === 0) return "has no address";
  const addresses = refused.map(({ address, refusal }) => `${address}: ${refusal}`);
  return `has no address that may be connected to (${addresses.slice(0, MAX_ADDRESSES).join(", ")})`;
}

/**
 * Result when no host has a permitted address. This is an error to report (RFC 5321 section 5.1), unless the DNS did not answer
 * for one of them. Other servers, for example Postfix, also return such mail at once.
 */
function nowhere(hosts: readonly FoundHost[], implicit: boolean): MxRoute {
  const failure = hosts.find((host) => host.failure !== undefined)?.failure;
  if (failure !== undefined) return temporary(failure);
  if (hosts.every(({ refused }) => refused.length > 0)) {
    return noRoute(phrase("route.forbidden"));
  }
  if (implicit) return noRoute(phrase("route.no_records"));
  return noRoute(phrase("route.no_address"));
}

function noRoute(wording: Phrase): MxRoute {
  return { kind: "no_route", enhancedStatusCode: "5.4.4", ...reasonOf(wording) };
}

function noDomain(wording: Phrase): MxRoute {
  return { kind: "no_domain", enhancedStatusCode: "5.1.2", ...reasonOf(wording) };
}

function temporary({ reason, code }: DnsFailure): MxRoute {
  const wording = phrase("dns.failure", { detail: safeDetail(reason), cause: code });
  return { kind: "temporary", enhancedStatusCode: "4.4.3", ...reasonOf(wording) };
}

const reasonOf = ({ text, parts }: Phrase) => ({ reason: text, reasonParts: parts });
