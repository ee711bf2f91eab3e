import type { FoundAt, RecordEvidence, RecordOutcome } from "../store/domain-document.ts";

/** What one look at one record has found. */
export interface Finding {
  readonly key: string;
  readonly outcome: RecordOutcome;
  /** The zone's own servers have said so; otherwise it is the resolver's word, which lowers nothing. */
  readonly authoritative: boolean;
  /** What is wrong, as somebody who can repair it is told; empty: nothing. */
  readonly problem: string;
  readonly note: string;
  readonly suggestion?: string | undefined;
  readonly aliases: readonly string[];
  readonly found: readonly FoundAt[];
}

/** Two looks that lie so far apart tell a slip from a loss. */
export const CONFIRM_MS = 15 * 60_000;

/**
 * What is known of a record after another look. A look that has learned nothing takes nothing away: what was known stays, with
 * its age. One that is older than what is known changes nothing, so that it does not matter which of two ends first.
 */
export function mergeFinding(known: RecordEvidence | undefined, finding: Finding, at: Date): RecordEvidence {
  if (known?.learnedAt && known.learnedAt >= at) return known;
  const { key, outcome, authoritative, problem, note, suggestion, aliases, found } = finding;
  if (outcome === "unknown") {
    const failure = { at, reason: problem };
    if (!known || known.outcome === "unknown")
      return { key, outcome, problem, note, aliases, found, failure };
    return { ...known, failure };
  }
  const seen = {
    key,
    outcome,
    problem,
    note,
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
