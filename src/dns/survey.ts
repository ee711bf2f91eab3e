import { createSlots } from "../shared/slots.ts";
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
 * What somebody says of a name.
 *
 * - `records`: it has these
 * - `absent`: it has none of the type; `nameExists` false: there is no such name
 * - `failed`: nothing is known
 */
export type Answer<T> =
  | {
      readonly kind: "records";
      readonly records: readonly T[];
      readonly ttlSeconds: number;
      /** Of a resolver: where aliases have led to in the end. */
      readonly alias?: string;
    }
  | { readonly kind: "absent"; readonly nameExists: boolean; readonly ttlSeconds: number | undefined }
  | { readonly kind: "failed"; readonly reason: string };

/** What one of a zone's own name servers says. */
export interface Witness<T> {
  /** Its name. */
  readonly server: string;
  readonly answer: Answer<T>;
  /** What the domain's own servers have in place of a record: an alias of this name, of which it speaks. */
  readonly alias?: string;
}

/** What is published at a name, by the account of everybody who was asked. */
export interface Observed<T> {
  /** The zone's own name servers; empty: `failure` says why none could be asked. */
  readonly witnesses: readonly Witness<T>[];
  readonly failure: string | undefined;
  /** Where aliases (CNAME) lead to, the first one first. */
  readonly aliases: readonly string[];
  /** What the resolver says, which may still be an answer of before. */
  readonly resolver: Answer<T>;
}

/** One look at a domain: what is asked for twice is asked once. */
export interface Survey {
  /** Names of the servers of the domain's zone; undefined: they are not known now. */
  nameServers(): Promise<readonly string[] | undefined>;
  /** Never rejects. The name is in A-labels, without the dot at its end. */
  observe<T extends RecordType>(name: string, type: T): Promise<Observed<RecordData[T]>>;
  /** As the resolver alone has it. Never rejects. */
  lookUp<T extends RecordType>(name: string, type: T): Promise<Answer<RecordData[T]>>;
}

/** Begins a survey of a domain. */
export type BeginSurvey = (domain: string) => Survey;

export interface SurveyOptions extends Omit<NameServersOptions, "resolve"> {
  readonly lookup: Lookup;
  readonly limits: SurveyLimits;
  /** Questions to name servers under way at once, of all surveys. */
  readonly maxConcurrent: number;
}

const MAX_ALIASES = 4;
/** Labels that may be taken off a name on the way to its zone. */
const MAX_STEPS = 10;

interface Zone {
  readonly servers: readonly NameServer[];
  readonly failure?: string;
}

/** Asks what is published for a domain: at its own name servers, where a change is seen at once, and at the resolver. */
export function createBeginSurvey({ lookup, limits, maxConcurrent, ...options }: SurveyOptions): BeginSurvey {
  const nameServers = createNameServers({
    ...options,
    resolve: async (name, type) => (await lookup(name, type)).result,
  });
  const inSlot = createSlots(maxConcurrent);

  return (domain) => {
    const budget = createSurveyBudget(limits);
    const zones = new Map<string, Promise<Zone>>();
    const looked = new Map<string, Promise<Answer<unknown>>>();
    const observed = new Map<string, Promise<Observed<unknown>>>();

    function remember<T>(known: Map<string, Promise<T>>, key: string, find: () => Promise<T>): Promise<T> {
      const found = known.get(key) ?? find();
      known.set(key, found);
      return found;
    }

    const zoneAt = (name: string) => remember(zones, name, () => findZone(name, budget, nameServers));

    async function lookUp(name: string, type: RecordType): Promise<Answer<unknown>> {
      const asked = queryName(name);
      if (asked === undefined) return { kind: "failed", reason: "not a name to ask for" };
      if (budget.take(1) === 0) return { kind: "failed", reason: "too much to look up" };
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
      remember(looked, `${type} ${name}`, () => lookUp(name, type));

    /** Each server of the zone in turn of its own: one that is slow keeps none of the others waiting. */
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

    /** Where all that are heard of an alias name one target, its own zone is asked; it is the same for all of them. */
    async function followAliases(
      heard: readonly { readonly server: NameServer; readonly answer: Authority<unknown> }[],
      failure: string | undefined,
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
          answer: { kind: "failed", reason } as const,
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
      if (asked === undefined)
        return { witnesses: [], failure: "not a name to ask for", aliases: [], resolver };
      const heard = await askAll(asked, type, [asked]);
      const alias = resolver.kind === "records" ? resolver.alias : undefined;
      // Where nobody else could be asked, the resolver has followed them.
      const aliases = heard.witnesses.length === 0 && alias !== undefined ? [alias] : heard.aliases;
      return { ...heard, aliases, resolver };
    }

    return {
      nameServers: async () => {
        const { servers, failure } = await zoneAt(domain);
        return failure === undefined ? servers.map(({ name }) => name) : undefined;
      },
      // What is kept under a key that begins with a type was asked for that type.
      observe: ((name: string, type: RecordType) =>
        remember(observed, `${type} ${name}`, () => observe(name, type))) as Survey["observe"],
      lookUp: lookUpOnce as Survey["lookUp"],
    };
  };
}

type Heard = Omit<Observed<unknown>, "resolver">;

/** Where to begin to look for the zone of a name: what stands below the domain is as a rule in its zone. */
function parentIn(domain: string, name: string): string {
  return name === domain || name.endsWith(`.${domain}`) ? domain : name;
}

/** Goes up from a name to the zone that it is in. */
async function findZone(
  name: string,
  budget: SurveyBudget,
  nameServers: ReturnType<typeof createNameServers>,
): Promise<Zone> {
  const labels = name.split(".");
  for (let step = 0; step < Math.min(labels.length, MAX_STEPS); step++) {
    if (budget.take(1) === 0) break;
    const named = await nameServers.named(labels.slice(step).join("."));
    if (named.kind === "failed") return { servers: [], failure: named.reason };
    if (named.kind === "records") return { servers: await nameServers.locate(named.records, budget) };
  }
  return { servers: [], failure: "no name servers were found for it" };
}
