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
  /** Asks the configured servers, and has nothing remembered. */
  readonly freshResolver: () => Pick<Resolver, "resolve">;
  /** 53, but for tests. */
  readonly port?: number;
  readonly retryMs?: number;
  readonly answerMs?: number;
  /** Of what one look asks of name servers, and to find them. */
  readonly limits?: SurveyLimits;
}

/** Begins a look at a domain. */
export type BeginZoneResolver = () => Pick<Resolver, "resolve">;

const DNS_PORT = 53;
const RETRY_MS = 700;
const ANSWER_MS = 2_000;
/** A look asks for 60 names at most; a zone takes three or four lookups to find, and each name in it one. */
const LIMITS: SurveyLimits = { lookups: 300, timeoutMs: 45_000 };
/** Of all looks. */
const MAX_CONCURRENT = 200;
const MAX_ALIASES = 4;
/** Names of hosts have fewer; the reverse names of IPv6 addresses have 34, and would cost more than they are worth. */
const MAX_LABELS = 12;
/** So many zones of which no server answers, and it is more likely that port 53 is closed on the way out. */
const MAX_SILENT_ZONES = 3;
/**
 * What is asked of a zone's own servers. DS belongs to the zone above, and what DNSSEC says is the word of the resolver that
 * validates.
 */
const TYPES: readonly RecordType[] = ["A", "AAAA", "CAA", "MX", "PTR", "TLSA", "TXT"];

interface Zone {
  /** Those that have failed come last. Changed by `askZone`. */
  servers: readonly NameServer[];
  /** None has answered. Changed by `askZone`. */
  isSilent: boolean;
}

/**
 * A resolver for a second look: what the configured servers say counts only as far as the servers of the zone do not contradict.
 * Theirs is the word where one of them can be asked, with one exception: a failure of the configured servers stays one, since
 * it may be that of a validator. `authenticated` is always what those have found.
 *
 * Names and addresses of the zone's servers come from the configured servers as well: it finds answers that are old, or wrong in
 * themselves, and not a resolver that lies about everything.
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

    /** Each name on the way up is asked for once. */
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
     * What the servers of the name's zone say. One that says the same as the resolver is enough: another one may have an older
     * version of the zone. Otherwise the first that says anything counts.
     * @returns undefined where none of them does
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

    /** @param known by the resolver, about the first name of the chain */
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
      // What a question for a type is answered by is of that type.
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
      // Where it leads to is compared at its end.
      return true;
    case "failed":
      return false;
  }
}

/** Servers turn the order round. */
function shape(records: readonly unknown[]): string {
  return JSON.stringify(records.map((record) => JSON.stringify(record)).sort());
}
