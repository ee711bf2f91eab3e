import type { Answer, Observed, Witness, ZoneFailure } from "../dns/survey.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import { NO_PHRASE, type Phrase, phrase, phrases } from "../shared/phrase.ts";
import type { FoundAt } from "../store/domain-document.ts";
import type { Finding } from "./evidence.ts";

/** Comparison of one answer with the expected record. */
export type Reading =
  | { readonly outcome: "right"; readonly note?: Phrase }
  | { readonly outcome: "wrong" | "missing"; readonly problem: Phrase };

/** Evaluates one answer. @param values empty: there is no record */
export type ReadAnswer<T> = (values: readonly T[], witness: WitnessFacts) => Reading;

/** Alias through which an answer came, if any. */
export interface WitnessFacts {
  readonly alias: string | undefined;
}

/** Combined result of all servers. */
export type Weighed = Pick<Finding, "outcome" | "authoritative" | "aliases" | "found"> & {
  readonly problem: Phrase;
  readonly note: Phrase;
};

/** Limits of the stored values of an answer, and of their length. */
const MAX_VALUES = 10;
const MAX_SHOWN = 20;

/**
 * Combines the answers of several servers. All name servers of the zone that have answered decide. If none has, the
 * resolver's answer proves an existing record but never a loss: a network may block other servers.
 */
export function weigh<T>(observed: Observed<T>, show: (value: T) => string, read: ReadAnswer<T>): Weighed {
  const { witnesses, resolver } = observed;
  const found = [...witnesses.map((one) => shown(one.server, one.answer, show)), shown("", resolver, show)];
  const common = { aliases: observed.aliases.map(safeDetail), found: found.slice(0, MAX_SHOWN) };
  const readings = witnesses.flatMap(({ server, answer, alias }) => {
    const reading = readingOf(answer, alias, read);
    return reading ? [{ server, reading }] : [];
  });
  const alias = resolver.kind === "records" ? resolver.alias : undefined;
  const atResolver = readingOf(resolver, alias, read);
  const decided =
    readings.length > 0
      ? { authoritative: true, ...decide(readings, resolver, atResolver) }
      : { authoritative: false, ...byResolver(observed, atResolver) };
  return { ...common, ...decided };
}

type Decision = Pick<Weighed, "outcome" | "problem" | "note">;

interface ServerReading {
  readonly server: string;
  readonly reading: Reading;
}

function decide(
  readings: readonly ServerReading[],
  resolver: Answer<unknown>,
  atResolver: Reading | undefined,
): Decision {
  const others = readings.filter(({ reading }) => reading.outcome !== "right");
  const problems = others.flatMap(({ reading }) => (reading.outcome === "right" ? [] : reading));
  // A wrong record is more informative than a missing one.
  const worst = problems.find(({ outcome }) => outcome === "wrong") ?? problems[0];
  if (!worst) {
    const [first] = readings.map(({ reading }) => (reading.outcome === "right" ? reading.note : undefined));
    return {
      outcome: "right",
      problem: NO_PHRASE,
      note: phrases(first, laterAtResolver(resolver, atResolver)),
    };
  }
  if (others.length === readings.length) return { ...worst, note: NO_PHRASE };
  const servers = others.map(({ server }) => safeDetail(server)).join(", ");
  const right = readings.length - others.length;
  const partial = phrase("dns.partial", { count: right, total: readings.length, servers });
  return { outcome: "partial", problem: phrases(partial, worst.problem), note: NO_PHRASE };
}

function byResolver({ witnesses, failure }: Observed<unknown>, atResolver: Reading | undefined): Decision {
  const { code, reason } = failure ?? firstFailure(witnesses);
  const silent = phrase("dns.not_queried", { detail: safeDetail(reason), cause: code });
  if (!atResolver) return { outcome: "unknown", problem: silent, note: NO_PHRASE };
  if (atResolver.outcome === "right")
    return { outcome: "right", problem: NO_PHRASE, note: phrases(silent, phrase("dns.resolver_returns")) };
  return { outcome: atResolver.outcome, problem: atResolver.problem, note: silent };
}

function readingOf<T>(
  answer: Answer<T>,
  alias: string | undefined,
  read: ReadAnswer<T>,
): Reading | undefined {
  if (answer.kind === "failed") return undefined;
  return read(answer.kind === "records" ? answer.records : [], { alias });
}

/** Resolvers cache earlier answers. */
function laterAtResolver(resolver: Answer<unknown>, reading: Reading | undefined): Phrase | undefined {
  if (resolver.kind === "failed" || !reading || reading.outcome === "right") return undefined;
  const { ttlSeconds: seconds } = resolver;
  return seconds === undefined
    ? phrase("dns.resolver_later_unknown")
    : phrase("dns.resolver_later", { seconds });
}

function shown<T>(server: string, answer: Answer<T>, show: (value: T) => string): FoundAt {
  const name = safeDetail(server);
  if (answer.kind === "failed") return { server: name, values: [], failure: safeDetail(answer.reason) };
  const records = answer.kind === "records" ? answer.records : [];
  const values = records.slice(0, MAX_VALUES).map((one) => safeDetail(show(one)));
  return { server: name, values, ...(answer.ttlSeconds !== undefined && { ttlSeconds: answer.ttlSeconds }) };
}

function firstFailure(witnesses: readonly Witness<unknown>[]): ZoneFailure {
  for (const { answer } of witnesses) if (answer.kind === "failed") return answer;
  return { code: "no_server", reason: "none of them is known" };
}
