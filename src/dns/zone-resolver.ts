import { createSlots } from "../shared/slots.ts";
import {
  type Authority,
  createNameServers,
  type NameServer,
  type NameServersOptions,
  type Statement,
} from "./name-servers.ts";
import { queryName } from "./names.ts";
import type { DnsResult, RecordType } from "./records.ts";
import type { Resolver } from "./resolver.ts";
import { createSurveyBudget, type SurveyLimits } from "./survey-budget.ts";

export interface ZoneResolverOptions
  extends Omit<NameServersOptions, "resolve" | "port" | "retryMs" | "answerMs"> {
  /** Queries the configured servers without a cache. */
  readonly freshResolver: () => Pick<Resolver, "resolve">;
  /** Port 53, except in tests. */
  readonly port?: number;
  readonly retryMs?: number;
  readonly answerMs?: number;
  /** Budget of one check for queries to name servers, including the search for them. */
  readonly limits?: SurveyLimits;
}

/** Begins a check of a domain. */
export type BeginZoneResolver = () => Pick<Resolver, "resolve">;

const DNS_PORT = 53;
const RETRY_MS = 700;
const ANSWER_MS = 2_000;
/** A check queries at most 60 names; a zone takes three or four lookups to find, and each name in it one. */
const LIMITS: SurveyLimits = { lookups: 300, timeoutMs: 45_000 };
/** Limit over all checks. */
const MAX_CONCURRENT = 200;
const MAX_ALIASES = 4;
/** Host names have fewer labels; the reverse names of IPv6 addresses have 34, and would cost too much. */
const MAX_LABELS = 12;
/** After this many zones without any answering server, port 53 is probably blocked on the way out. */
const MAX_SILENT_ZONES = 3;
/**
 * Types that are queried at a zone's own servers. DS belongs to the parent zone, and DNSSEC is the task of the validating
 * resolver.
 */
const TYPES: readonly RecordType[] = ["A", "AAAA", "CAA", "MX", "PTR", "TLSA", "TXT"];

interface Zone {
  /** Failed servers come last. Changed by `askZone`. */
  servers: readonly NameServer[];
  /** None has answered. Changed by `askZone`. */
  isSilent: boolean;
}

/**
 * A resolver for confirmation checks: an answer of the configured servers counts only if the servers of the zone do not
 * contradict it. If one of them can be queried, its answer counts, with one exception: a failure of the configured servers
 * stays a failure, because it may come from a validator. `authenticated` is always the value of the configured servers.
 *
 * Names and addresses of the zone's servers also come from the configured servers, so it detects outdated or wrong answers, but
 * not a resolver that forges everything.
 */
export function createZoneResolver(options: ZoneResolverOptions): BeginZoneResolver {
  const { freshResolver, limits = LIMITS, ...rest } = options;
  const asking = { port: DNS_PORT, retryMs: RETRY_MS, answerMs: ANSWER_MS, ...rest };
  const inSlot = createSlots(MAX_CONCURRENT);

  return () => {
    const resolver = freshResolver();
    const nameServers = createNameServers({ ...asking, resolve: resolver.resolve });
    const budget = createSurveyBudget(limits);
    const zones = new Map<string, Promise<Zone | undefined>>();
    let silentZones = 0;

    /** Each name on the path up is queried once. */
    function zoneOf(name: string): Promise<Zone | undefined> {
      const zone = zones.get(name) ?? findZone(name);
      zones.set(name, zone);
      return zone;
    }

    async function findZone(name: string): Promise<Zone | undefined> {
      if (budget.take(1) === 0) return undefined;
      const found = await nameServers.named(name);
      if (found.kind === "failed") return undefined;
      if (found.kind === "records")
        return { servers: await nameServers.locate(found.records, budget), isSilent: false };
      const [, ...above] = name.split(".");
      return above.length > 0 ? zoneOf(above.join(".")) : undefined;
    }

    /**
     * Answer of the servers of the name's zone. One that agrees with the resolver is enough, because another one may have an
     * older version of the zone. Otherwise the first answer counts.
     * @returns undefined if none of them answers
     */
    async function askZone(
      name: string,
      type: RecordType,
      agrees: (answer: Authority<unknown>) => boolean,
    ): Promise<Statement<unknown> | undefined> {
      const zone = name.split(".").length > MAX_LABELS ? undefined : await zoneOf(name);
      if (!zone || zone.isSilent || silentZones >= MAX_SILENT_ZONES) return undefined;
      let first: Statement<unknown> | undefined;
      for (const server of zone.servers) {
        const statement = await inSlot(() => nameServers.ask(server, name, type, budget));
        if (statement.answer.kind === "failed") {
          zone.servers = [...zone.servers.filter((one) => one !== server), server];
          continue;
        }
        if (agrees(statement.answer)) return statement;
        first ??= statement;
      }
      if (first === undefined && !zone.isSilent) {
        zone.isSilent = true;
        silentZones++;
      }
      return first;
    }

    /** @param known answer of the resolver, about the first name of the chain */
    async function follow(
      name: string,
      type: RecordType,
      known: DnsResult<unknown>,
      path: readonly string[],
    ): Promise<DnsResult<unknown> | undefined> {
      const authenticated = known.kind !== "failed" && known.authenticated;
      const statement = await askZone(name, type, (answer) => isSame(answer, known));
      if (statement === undefined) return undefined;
      const { answer } = statement;
      const server = `${statement.server.name} (${statement.server.address})`;
      switch (answer.kind) {
        case "records": {
          const { records, ttlSeconds } = answer;
          return { kind: "records", records, ttlSeconds, authenticated, canonicalName: name, server };
        }
        case "absent":
          return { kind: answer.nameExists ? "no_data" : "no_domain", authenticated, server };
        case "alias": {
          const target = queryName(answer.target);
          if (target === undefined || path.includes(target) || path.length > MAX_ALIASES) return undefined;
          return follow(target, type, known, [...path, target]);
        }
        case "failed":
          return undefined;
      }
    }

    async function resolve(name: string, type: RecordType): Promise<DnsResult<unknown>> {
      const known = await resolver.resolve<RecordType>(name, type);
      const asked = queryName(name);
      if (asked === undefined || known.kind === "failed" || !TYPES.includes(type)) return known;
      return (await follow(asked, type, known, [asked])) ?? known;
    }

    return {
      // An answer to a query for a type has records of that type.
      resolve: resolve as Resolver["resolve"],
    };
  };
}

function isSame(answer: Authority<unknown>, known: DnsResult<unknown>): boolean {
  switch (answer.kind) {
    case "records":
      return known.kind === "records" && shape(answer.records) === shape(known.records);
    case "absent":
      return known.kind === (answer.nameExists ? "no_data" : "no_domain");
    case "alias":
      // The target is compared at its end.
      return true;
    case "failed":
      return false;
  }
}

/** Servers rotate the order. */
function shape(records: readonly unknown[]): string {
  return JSON.stringify(records.map((record) => JSON.stringify(record)).sort());
}
