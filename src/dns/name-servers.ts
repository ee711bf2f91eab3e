import type { RefuseDestination } from "../shared/destination-address.ts";
import { formatDnsServer } from "../shared/dns-server-address.ts";
import { type AskServers, createAskServers } from "./ask-servers.ts";
import type { FailureCode } from "./failure.ts";
import { type DnsAnswer, NXDOMAIN } from "./message.ts";
import { hostName } from "./names.ts";
import type { DnsResult, RecordData, RecordType } from "./records.ts";
import type { Resolver } from "./resolver.ts";
import type { SurveyBudget } from "./survey-budget.ts";

/** A name server of a zone, and its address. */
export interface NameServer {
  /** In A-labels and lower case. */
  readonly name: string;
  /** Address and port; empty: `failure` has the reason. */
  readonly address: string;
  readonly ask: AskServers;
}

/** The answer of a zone's own server; the caller follows aliases. */
export type Authority<T> =
  | { readonly kind: "records"; readonly records: readonly T[]; readonly ttlSeconds: number }
  | { readonly kind: "absent"; readonly nameExists: boolean; readonly ttlSeconds: number | undefined }
  | { readonly kind: "alias"; readonly target: string }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly reason: string };

/** The answer and the answering server, which differs from the queried one if the zone is delegated. */
export interface Statement<T> {
  readonly server: NameServer;
  readonly answer: Authority<T>;
}

interface Referral {
  readonly kind: "referral";
  readonly zone: string;
  readonly servers: readonly string[];
}

export interface NameServersOptions {
  /** Resolving servers, for names of servers and their addresses. */
  readonly resolve: Resolver["resolve"];
  /** Returns true for addresses that must not be queried, because a zone may name any address. */
  readonly refuse: RefuseDestination;
  /** True if this machine has IPv6. */
  readonly ipv6: boolean;
  readonly port: number;
  /** Silence after which a query is repeated. */
  readonly retryMs: number;
  /** Timeout of one query to one server. */
  readonly answerMs: number;
}

/** Zones usually have two to four servers; more are not worth the number of queries. */
const MAX_SERVERS = 4;
/** The second try is for a lost datagram, the third (TCP) for a server that drops UDP. */
const TRIES = 3;
const MAX_REFERRALS = 2;

/** Finds the name servers of zones, and queries them. */
export function createNameServers(options: NameServersOptions) {
  const { resolve, refuse, ipv6, port, retryMs, answerMs } = options;

  /** Never rejects: a server without an address fails every query. */
  async function locateOne(name: string, budget: SurveyBudget): Promise<NameServer> {
    const host = hostName(name);
    const found: string[] = [];
    let failure = "it has no address";
    for (const type of ipv6 ? (["A", "AAAA"] as const) : (["A"] as const)) {
      if (host === undefined || found.length > 0 || budget.take(answerMs) === 0) break;
      const result = await resolve<"A" | "AAAA">(host, type);
      if (result.kind === "failed") failure = "its address could not be looked up";
      if (result.kind !== "records") continue;
      const allowed = result.records.filter((address) => refuse(address) === undefined);
      if (allowed.length === 0) failure = "its address is not a public one";
      found.push(...allowed.slice(0, 1));
    }
    const [address] = found;
    if (address === undefined)
      return { name, address: "", ask: async () => ({ code: "no_server", failure }) };
    const server = { address, port };
    const ask = createAskServers({ servers: [server], retryMs, tries: TRIES, authorities: true });
    return { name, address: formatDnsServer(server), ask };
  }

  /** The servers of these names, always the same few. */
  function locate(names: readonly string[], budget: SurveyBudget): Promise<NameServer[]> {
    const chosen = [...new Set(names)].sort().slice(0, MAX_SERVERS);
    return Promise.all(chosen.map((name) => locateOne(name, budget)));
  }

  async function ask<T extends RecordType>(
    server: NameServer,
    name: string,
    type: T,
    budget: SurveyBudget,
    referrals = 0,
  ): Promise<Statement<RecordData[T]>> {
    const failed = (code: FailureCode, reason: string) => ({
      server,
      answer: { kind: "failed", code, reason } as const,
    });
    const timeMs = budget.take(answerMs);
    if (timeMs === 0) return failed("budget", "too many servers and aliases to ask them all");
    const message = await server.ask(name, type, timeMs);
    if ("failure" in message) return failed(message.code, message.failure);
    const answer = authorityOf(name, message);
    if (answer.kind !== "referral") return { server, answer };
    const isBelow = name === answer.zone || name.endsWith(`.${answer.zone}`);
    if (!isBelow || referrals >= MAX_REFERRALS)
      return failed("not_resolved", "the server knows nothing of the zone, and refers to others");
    const [next] = await locate(answer.servers, budget);
    return next
      ? ask(next, name, type, budget, referrals + 1)
      : failed("not_resolved", "the server refers to nobody");
  }

  return {
    locate,

    /** Name servers of the zone that begins at this name, from the resolver. */
    named: async (name: string): Promise<DnsResult<string>> => {
      const result = await resolve(name, "NS");
      // An alias has the name servers of another zone.
      const isAlias = result.kind === "records" && result.canonicalName !== name;
      return isAlias ? { kind: "no_data", authenticated: false } : result;
    },

    /** Queries a server, or the servers of the zone of the name if it is delegated. Never rejects. */
    ask: <T extends RecordType>(server: NameServer, name: string, type: T, budget: SurveyBudget) =>
      ask(server, name, type, budget),
  };
}

function authorityOf<T>(name: string, answer: DnsAnswer<T>): Authority<T> | Referral {
  const [referral] = answer.nameServers;
  if (referral) {
    const servers = answer.nameServers.filter(({ owner }) => owner === referral.owner);
    return { kind: "referral", zone: referral.owner, servers: servers.map(({ data }) => data) };
  }
  if (!answer.authoritative) {
    const reason = "the server is not responsible for the zone (lame delegation)";
    return { kind: "failed", code: "not_resolved", reason };
  }
  const records = answer.records.filter(({ owner }) => owner === name);
  if (records.length > 0) {
    const ttlSeconds = Math.min(...records.map((record) => record.ttlSeconds));
    return { kind: "records", records: records.map(({ data }) => data), ttlSeconds };
  }
  const alias = answer.aliases.find(({ owner }) => owner === name);
  if (alias) return { kind: "alias", target: alias.data };
  return { kind: "absent", nameExists: answer.rcode !== NXDOMAIN, ttlSeconds: answer.negativeTtlSeconds };
}
