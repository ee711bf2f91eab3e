import type { Evidence } from "../check-result.ts";
import type { ListCheck } from "./ask-list.ts";
import type { ListingCode } from "./blacklist.ts";
import type { AnswerState } from "./read-answer.ts";

/** A listing, from the first check that found it. */
export interface Listing {
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** Codes of the last check. */
  readonly codes: readonly ListingCode[];
  readonly text?: string;
}

/**
 * State of a subject at a list. Each pair of subject and list has one. Only `afterCheck` changes it.
 *
 * | current state | new result | next state |
 * | --- | --- | --- |
 * | unknown | clean | clean |
 * | unknown, clean | listed, twice with a delay and no clean result in between | listed: `blacklist.listed` |
 * | listed | clean, twice in the same way | clean: `blacklist.delisted` |
 * | any | refused, error, unreliable | unchanged |
 */
export interface Standing {
  readonly holds: "unknown" | "clean" | "listed";
  /** The last conclusive check (listed or clean). Missing: none. */
  readonly known?: {
    readonly state: "clean" | "listed";
    readonly at: Date;
    readonly evidence: readonly Evidence[];
  };
  /** The current listing, or one that waits for its confirmation check. */
  readonly listing?: Listing;
  /** The first of the checks that contradict `holds`. */
  readonly contrary?: {
    readonly state: "clean" | "listed";
    readonly at: Date;
    readonly secondLookFrom: Date;
  };
  readonly last: {
    readonly state: AnswerState;
    readonly at: Date;
    readonly reason?: string;
    readonly isUnasked?: true;
    readonly evidence: readonly Evidence[];
  };
  /** The checks since the last conclusive one. Missing: the last check was conclusive. */
  readonly failing?: { readonly since: Date; readonly looks: number };
}

export interface BlacklistEvent {
  readonly type: "blacklist.listed" | "blacklist.delisted";
  readonly listId: string;
  /** Address or domain name. */
  readonly subject: string;
  /** Time of the deciding check. */
  readonly at: Date;
  readonly listing: Listing;
}

export interface StandingKey {
  readonly listId: string;
  readonly subject: string;
}

export const CONFIRMATION_MS = 10 * 60_000;
/** Caches may repeat an answer for longer. The confirmation check does not wait for that. */
const MAX_REPEAT_MS = 3_600_000;
/** During an outage, the last known state is shown for this long. */
const MAX_OUTAGE_MS = 48 * 3_600_000;

/**
 * Updates the state with one more result, and returns the event to publish. A result older than the newest one
 * changes nothing.
 */
export function afterCheck(
  key: StandingKey,
  standing: Standing | undefined,
  check: ListCheck,
): { readonly standing: Standing; readonly event?: BlacklistEvent } {
  if (standing && check.at <= standing.last.at) return { standing };
  const { state, at, reason, isUnasked, evidence } = check;
  const last = {
    state,
    at,
    ...(reason !== undefined && { reason }),
    ...(isUnasked && { isUnasked }),
    evidence,
  };
  if (state !== "listed" && state !== "clean") {
    const { since = at, looks = 0 } = standing?.failing ?? {};
    const failing = { since, looks: looks + 1 };
    return { standing: { ...(standing ?? { holds: "unknown" }), last, failing } };
  }

  const texts = { last, known: { state, at, evidence } };
  const holds = standing?.holds ?? "unknown";
  const listing = listingAfter(standing?.listing, check);
  if (state === holds || (state === "clean" && holds === "unknown"))
    return { standing: { ...texts, holds: state, ...(state === "listed" && listing && { listing }) } };

  const former = standing?.contrary;
  const contrary = former ?? { state, at, secondLookFrom: confirmationFrom(check) };
  if (!former || at < former.secondLookFrom || !listing)
    return { standing: { ...texts, holds, contrary, ...(listing && { listing }) } };
  const type = state === "listed" ? "blacklist.listed" : "blacklist.delisted";
  return {
    standing: { ...texts, holds: state, ...(state === "listed" && { listing }) },
    event: { type, ...key, at, listing },
  };
}

/**
 * State to display.
 * @returns the held state, also during an outage of up to 48 h; then the state of the last check. Undefined: nothing
 * is known yet; if the standing has a listing, it waits for its confirmation check
 */
export function shownState(standing: Standing | undefined, now: Date): AnswerState | undefined {
  if (!standing) return undefined;
  const { holds, failing, last } = standing;
  const isLong = failing !== undefined && now.getTime() - failing.since.getTime() >= MAX_OUTAGE_MS;
  if (holds !== "unknown" && !isLong) return holds;
  return failing ? last.state : undefined;
}

function listingAfter(
  former: Listing | undefined,
  { state, at, codes, text }: ListCheck,
): Listing | undefined {
  if (state !== "listed") return former;
  const firstSeenAt = former?.firstSeenAt ?? at;
  return { firstSeenAt, lastSeenAt: at, codes, ...(text !== undefined && { text }) };
}

function confirmationFrom({ at, repeatsUntil }: ListCheck): Date {
  const repeatMs = Math.min(repeatsUntil.getTime() - at.getTime(), MAX_REPEAT_MS);
  return new Date(at.getTime() + Math.max(CONFIRMATION_MS, repeatMs));
}
