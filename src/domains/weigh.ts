import type { Answer, Observed, Witness } from "../dns/survey.ts";
import { safeDetail } from "../message/replies/outcome.ts";
import type { FoundAt } from "../store/domain-document.ts";
import type { Finding } from "./evidence.ts";

/** Comparison of one answer with the expected record; `problem` is a sentence. */
export type Reading =
  | { readonly outcome: "right"; readonly note?: string }
  | { readonly outcome: "wrong" | "missing"; readonly problem: string };

/** Evaluates one answer. @param values empty: there is no record */
export type ReadAnswer<T> = (values: readonly T[], witness: WitnessFacts) => Reading;

/** Alias through which an answer came, if any. */
export interface WitnessFacts {
  readonly alias: string | undefined;
}

/** Combined result of all servers. */
export type Weighed = Pick<Finding, "outcome" | "authoritative" | "problem" | "note" | "aliases" | "found">;

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

type Decision = Pick<Finding, "outcome" | "problem" | "note">;

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
    const notes = readings.map(({ reading }) => (reading.outcome === "right" ? reading.note : ""));
    const note = [notes[0], laterAtResolver(resolver, atResolver)].filter(Boolean).join(" ");
    return { outcome: "right", problem: "", note };
  }
  if (others.length === readings.length) return { ...worst, note: "" };
  const servers = others.map(({ server }) => safeDetail(server)).join(", ");
  const right = readings.length - others.length;
  const problem = `It is correct at ${right} of ${readings.length} name servers, but not yet at ${servers}: ${worst.problem}`;
  return { outcome: "partial", problem, note: "" };
}

function byResolver({ witnesses, failure }: Observed<unknown>, atResolver: Reading | undefined): Decision {
  const silent = `The domain's own name servers could not be queried (${safeDetail(failure ?? firstFailure(witnesses))}).`;
  if (!atResolver) return { outcome: "unknown", problem: silent, note: "" };
  if (atResolver.outcome === "right")
    return { outcome: "right", problem: "", note: `${silent} The resolver returns it.` };
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
function laterAtResolver(resolver: Answer<unknown>, reading: Reading | undefined): string {
  if (resolver.kind === "failed" || !reading || reading.outcome === "right") return "";
  const wait = resolver.ttlSeconds === undefined ? "a while" : `up to ${resolver.ttlSeconds} seconds`;
  return `The name servers return it, but the resolver still has the earlier answer for ${wait}.`;
}

function shown<T>(server: string, answer: Answer<T>, show: (value: T) => string): FoundAt {
  const name = safeDetail(server);
  if (answer.kind === "failed") return { server: name, values: [], failure: safeDetail(answer.reason) };
  const records = answer.kind === "records" ? answer.records : [];
  const values = records.slice(0, MAX_VALUES).map((one) => safeDetail(show(one)));
  return { server: name, values, ...(answer.ttlSeconds !== undefined && { ttlSeconds: answer.ttlSeconds }) };
}

function firstFailure(witnesses: readonly Witness<unknown>[]): string {
  for (const { answer } of witnesses) if (answer.kind === "failed") return answer.reason;
  return "none of them is known";
}
