import type { TextPart } from "../shared/phrase.ts";
import type { FoundAt, RecordEvidence, RecordOutcome } from "../store/domain-document.ts";

/** Result of one check of one record. */
export interface Finding {
  readonly key: string;
  readonly outcome: RecordOutcome;
  /** The zone's own servers have answered. Otherwise only the resolver has, which never lowers the status. */
  readonly authoritative: boolean;
  /** The problem, for the person who can repair it. Empty: none. */
  readonly problem: string;
  /** Parts of `problem`. Missing or empty: none. */
  readonly problemParts?: readonly TextPart[];
  readonly note: string;
  readonly noteParts?: readonly TextPart[];
  readonly suggestion?: string | undefined;
  readonly aliases: readonly string[];
  readonly found: readonly FoundAt[];
}

/** Minimum delay between two checks that confirm a loss. */
export const CONFIRM_MS = 15 * 60_000;

/**
 * Merges the result of another check into the evidence of a record. An inconclusive check keeps the known result with
 * its age. A result older than the known one changes nothing, so the order in which checks end does not matter.
 */
export function mergeFinding(known: RecordEvidence | undefined, finding: Finding, at: Date): RecordEvidence {
  if (known?.learnedAt && known.learnedAt >= at) return known;
  const { key, outcome, authoritative, problem, problemParts = [], suggestion, aliases, found } = finding;
  const { note, noteParts = [] } = finding;
  const texts = {
    problem,
    ...(problemParts.length > 0 && { problemParts }),
    note,
    ...(noteParts.length > 0 && { noteParts }),
  };
  if (outcome === "unknown") {
    const failure = { at, reason: problem, ...(problemParts.length > 0 && { reasonParts: problemParts }) };
    if (!known || known.outcome === "unknown") return { key, outcome, ...texts, aliases, found, failure };
    return { ...known, failure };
  }
  const seen = {
    key,
    outcome,
    ...texts,
    ...(suggestion !== undefined && { suggestion }),
    aliases,
    found,
    learnedAt: at,
  };
  if (outcome === "right") return { ...seen, rightAt: at };
  const { rightAt, against } = known ?? {};
  const isDenial = authoritative && outcome !== "partial";
  const next = isDenial ? denied(against, at) : against;
  return { ...seen, ...(rightAt && { rightAt }), ...(next && { against: next }) };
}

function denied(against: RecordEvidence["against"], at: Date): NonNullable<RecordEvidence["against"]> {
  if (!against) return { firstAt: at, lastAt: at };
  const isFarApart = at.getTime() - against.firstAt.getTime() >= CONFIRM_MS;
  const confirmedAt = against.confirmedAt ?? (isFarApart ? at : undefined);
  return { firstAt: against.firstAt, lastAt: at, ...(confirmedAt && { confirmedAt }) };
}
