import { createSlots } from "../shared/slots.ts";
import type { FailureCode } from "./failure.ts";
import type { Lookup } from "./lookup.ts";
import {
  type Authority,
  createNameServers,
  type NameServer,
  type NameServersOptions,
} from "./name-servers.ts";
import { queryName } from "./names.ts";
import type { RecordData, RecordType } from "./records.ts";
import { createSurveyBudget, type SurveyBudget, type SurveyLimits } from "./survey-budget.ts";

/**
 * Answer about a name.
 *
 * - `records`: the name has these records
 * - `absent`: the name has none of the type; `nameExists` false: the name does not exist
 * - `failed`: unknown
 */
export type Answer<T> =
  | {
      readonly kind: "records";
      readonly records: readonly T[];
      readonly ttlSeconds: number;
      /** Target of the aliases, for a resolver. */
      readonly alias?: string;
    }
  | { readonly kind: "absent"; readonly nameExists: boolean; readonly ttlSeconds: number | undefined }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly reason: string };

/** The answer of one of the zone's own name servers. */
export interface Witness<T> {
  /** Name of the server. */
  readonly server: string;
  readonly answer: Answer<T>;
  /** An alias that the domain's own servers return instead of a record: its name and target. */
  readonly alias?: string;
}

/** The published data of a name, from all queried servers. */
export interface Observed<T> {
  /** The zone's own name servers; empty: `failure` has the reason. */
  readonly witnesses: readonly Witness<T>[];
  readonly failure: ZoneFailure | undefined;
  /** Targets of the aliases (CNAME), in order. */
  readonly aliases: readonly string[];
  /** Answer of the resolver, which may be cached. */
  readonly resolver: Answer<T>;
}

/** Reason why the name servers of a zone are unknown. */
export interface ZoneFailure {
  readonly code: FailureCode;
  readonly reason: string;
}

/** One check of a domain; repeated queries are sent once. */
export interface Survey {
  /** Names of the servers of the domain's zone; undefined: unknown. */
  nameServers(): Promise<readonly string[] | undefined>;
  /** Never rejects. The name is in A-labels, without the dot at its end. */
  observe<T extends RecordType>(name: string, type: T): Promise<Observed<RecordData[T]>>;
  /** Answer of the resolver only. Never rejects. */
  lookUp<T extends RecordType>(name: string, type: T): Promise<Answer<RecordData[T]>>;
}

/** Begins a survey of a domain. */
export type BeginSurvey = (domain: string) => Survey;

export interface SurveyOptions extends Omit<NameServersOptions, "resolve"> {
  readonly lookup: Lookup;
  readonly limits: SurveyLimits;
  /** Concurrent queries to name servers, over all surveys. */
  readonly maxConcurrent: number;
}

const MAX_ALIASES = 4;
/** Maximum of labels removed from a name on the path to its zone. */
const MAX_STEPS = 10;

interface Zone {
  readonly servers: readonly NameServer[];
  readonly failure?: ZoneFailure;
}

/** Queries the published data of a domain: at its own name servers, which show changes at once, and at the resolver. */
export function createBeginSurvey({ lookup, limits, maxConcurrent, ...options }: SurveyOptions): BeginSurvey {
  const nameServers = createNameServers({
    ...options,
    resolve: async (name, type) => (await lookup(name, type)).result,
  });
  const inSlot = createSlots(maxConcurrent);

  return (domain) => {
    const budget = createSurveyBudget(limits);
    const zones = new Map<string, Promise<Zone>>();
    const answers = new Map<string, Promise<Answer<unknown>>>();
    const observed = new Map<string, Promise<Observed<unknown>>>();

    function remember<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
      const found = known.get(key) ?? find();
      known.set(key, found);
      return found;
    }

    const zoneAt = (name: string) => remember(zones, name, () => findZone(name, budget, nameServers));

    async function lookUp(name: string, type: RecordType): Promise<Answer<unknown>> {
      const asked = queryName(name);
      if (asked === undefined) return { kind: "failed", ...NOT_A_NAME };
      if (budget.take(1) === 0) return { kind: "failed", code: "budget", reason: "too much to look up" };
      const { result, ttlSeconds } = await lookup<RecordType>(asked, type);
      if (result.kind === "failed") return result;
      if (result.kind === "records")
        return {
          kind: "records",
          records: result.records,
          ttlSeconds: ttlSeconds ?? 0,
          ...(result.canonicalName !== asked && { alias: result.canonicalName }),
        };
      return { kind: "absent", nameExists: result.kind === "no_data", ttlSeconds };
    }

    const lookUpOnce = (name: string, type: RecordType) =>
      remember(answers, `${type} ${name}`, () => lookUp(name, type));

    /** Each server of the zone has its own queue, so that a slow one does not delay the others. */
    async function askAll(name: string, type: RecordType, path: readonly string[]): Promise<Heard> {
      const zone = await zoneAt(parentIn(domain, name));
      const heard = await Promise.all(
        zone.servers.map(async (server) => {
          const { answer } = await inSlot(() => nameServers.ask(server, name, type, budget));
          return { server, answer };
        }),
      );
      return followAliases(heard, zone.failure, type, path);
    }

    /**
     * If all servers return an alias with the same target, the zone of the target is queried; the result is the same for all of
     * them.
     */
    async function followAliases(
      heard: readonly { readonly server: NameServer; readonly answer: Authority<unknown> }[],
      failure: ZoneFailure | undefined,
      type: RecordType,
      path: readonly string[],
    ): Promise<Heard> {
      const targets = new Set(heard.flatMap(({ answer }) => (answer.kind === "alias" ? answer.target : [])));
      const [target] = targets;
      const direct = heard.flatMap(({ server, answer }) =>
        answer.kind === "alias" ? [] : { server: server.name, answer },
      );
      if (target === undefined) return { witnesses: direct, failure, aliases: [] };
      const refuse = (reason: string): Heard => {
        const those = heard.filter(({ answer }) => answer.kind === "alias");
        const failed = those.map(({ server }) => ({
          server: server.name,
          answer: { kind: "failed", code: "not_resolved", reason } as const,
        }));
        return { witnesses: [...direct, ...failed], failure, aliases: [...targets] };
      };
      if (targets.size > 1) return refuse("the name servers name different targets of the alias");
      if (path.includes(target)) return refuse("the aliases lead in a circle");
      if (path.length >= MAX_ALIASES) return refuse(`there are more than ${MAX_ALIASES} aliases in a row`);
      if (queryName(target) === undefined) return refuse("the alias leads to no usable name");
      const beyond = await askAll(target, type, [...path, target]);
      return {
        witnesses: [...direct, ...beyond.witnesses.map((witness) => ({ ...witness, alias: target }))],
        failure: failure ?? beyond.failure,
        aliases: [target, ...beyond.aliases],
      };
    }

    async function observe(name: string, type: RecordType): Promise<Observed<unknown>> {
      const asked = queryName(name);
      const resolver = await lookUpOnce(name, type);
      if (asked === undefined) return { witnesses: [], failure: NOT_A_NAME, aliases: [], resolver };
      const heard = await askAll(asked, type, [asked]);
      const alias = resolver.kind === "records" ? resolver.alias : undefined;
      // If no zone could be queried, the resolver has followed them.
      const aliases = heard.witnesses.length === 0 && alias !== undefined ? [alias] : heard.aliases;
      return { ...heard, aliases, resolver };
    }

    return {
      nameServers: async () => {
        const { servers, failure } = await zoneAt(domain);
        return failure === undefined ? servers.map(({ name }) => name) : undefined;
      },
      // A key that begins with a type holds a result of that type.
      observe: ((name: string, type: RecordType) =>
        remember(observed, `${type} ${name}`, () => observe(name, type))) as Survey["observe"],
      lookUp: lookUpOnce as Survey["lookUp"],
    };
  };
}

const NOT_A_NAME = { code: "not_a_name", reason: "not a name to ask for" } as const;

type Heard = Omit<Observed<unknown>, "resolver">;

/** Start of the search for the zone of a name: names below the domain are usually in its zone. */
function parentIn(domain: string, name: string): string {
  return name === domain || name.endsWith(`.${domain}`) ? domain : name;
}

/** Walks up from a name to its zone. */
async function findZone(
  name: string,
  budget: SurveyBudget,
  nameServers: ReturnType<typeof createNameServers>,
): Promise<Zone> {
  const labels = name.split(".");
  for (let step = 0; step < Math.min(labels.length, MAX_STEPS); step++) {
    if (budget.take(1) === 0) break;
    const named = await nameServers.named(labels.slice(step).join("."));
    if (named.kind === "failed") return { servers: [], failure: { code: named.code, reason: named.reason } };
    if (named.kind === "records") return { servers: await nameServers.locate(named.records, budget) };
  }
  return { servers: [], failure: { code: "no_server", reason: "no name servers were found for it" } };
}
