import type { Evidence } from "../check-result.ts";
import type { Look } from "./ask-list.ts";
import type { ListingCode } from "./blacklist.ts";
import type { LookState } from "./read-answer.ts";

/** A listing, from the first look that has seen it. */
export interface Listing {
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
  /** As the last look has seen them. */
  readonly codes: readonly ListingCode[];
  readonly text?: string;
}

/**
 * What is known of a subject at a list; each subject and list has one. Changed by `afterLook` alone.
 *
 * | holds | look | becomes |
 * | --- | --- | --- |
 * | unknown | clean | clean |
 * | unknown, clean | listed, twice, with time between and nothing clean between | listed: `blacklist.listed` |
 * | listed | clean, twice, in the same way | clean: `blacklist.delisted` |
 * | any | refused, error, unreliable | stays |
 */
export interface Standing {
  readonly holds: "unknown" | "clean" | "listed";
  /** The last look that told listed or clean; missing: there was none. */
  readonly known?: {
    readonly state: "clean" | "listed";
    readonly at: Date;
    readonly evidence: readonly Evidence[];
  };
  /** The present listing, or one that waits for its second look. */
  readonly listing?: Listing;
  /** The first of the looks that speak against `holds`. */
  readonly contrary?: {
    readonly state: "clean" | "listed";
    readonly at: Date;
    readonly secondLookFrom: Date;
  };
  readonly last: {
    readonly state: LookState;
    readonly at: Date;
    readonly reason?: string;
    readonly isUnasked?: true;
    readonly evidence: readonly Evidence[];
  };
  /** The looks since the last that told something; missing: that was the last one. */
  readonly failing?: { readonly since: Date; readonly looks: number };
}

export interface BlacklistEvent {
  readonly type: "blacklist.listed" | "blacklist.delisted";
  readonly listId: string;
  /** Address or name. */
  readonly subject: string;
  /** Of the look that decided. */
  readonly at: Date;
  readonly listing: Listing;
}

export interface StandingKey {
  readonly listId: string;
  readonly subject: string;
}

export const SECOND_LOOK_MS = 10 * 60_000;
/** Caches may repeat an answer for longer; nobody waits for that. */
const MAX_REPEAT_MS = 3_600_000;
/** For so long an outage does not change what is shown. */
const MAX_OUTAGE_MS = 48 * 3_600_000;

/** What is known after one more look, and what is to be announced. A look that is not the newest changes nothing. */
export function afterLook(
  key: StandingKey,
  standing: Standing | undefined,
  look: Look,
): { readonly standing: Standing; readonly event?: BlacklistEvent } {
  if (standing && look.at <= standing.last.at) return { standing };
  const { state, at, reason, isUnasked, evidence } = look;
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

  const told = { last, known: { state, at, evidence } };
  const holds = standing?.holds ?? "unknown";
  const listing = listingAfter(standing?.listing, look);
  if (state === holds || (state === "clean" && holds === "unknown"))
    return { standing: { ...told, holds: state, ...(state === "listed" && listing && { listing }) } };

  const former = standing?.contrary;
  const contrary = former ?? { state, at, secondLookFrom: secondLookFrom(look) };
  if (!former || at < former.secondLookFrom || !listing)
    return { standing: { ...told, holds, contrary, ...(listing && { listing }) } };
  const type = state === "listed" ? "blacklist.listed" : "blacklist.delisted";
  return {
    standing: { ...told, holds: state, ...(state === "listed" && { listing }) },
    event: { type, ...key, at, listing },
  };
}

/**
 * What to show.
 * @returns what holds, also through an outage of 48 h at most; then what the last look was; undefined: nothing is known yet,
 * and where the standing has a listing, that waits for its second look
 */
export function shownState(standing: Standing | undefined, now: Date): LookState | undefined {
  if (!standing) return undefined;
  const { holds, failing, last } = standing;
  const isLong = failing !== undefined && now.getTime() - failing.since.getTime() >= MAX_OUTAGE_MS;
  if (holds !== "unknown" && !isLong) return holds;
  return failing ? last.state : undefined;
}

function listingAfter(former: Listing | undefined, { state, at, codes, text }: Look): Listing | undefined {
  if (state !== "listed") return former;
  const firstSeenAt = former?.firstSeenAt ?? at;
  return { firstSeenAt, lastSeenAt: at, codes, ...(text !== undefined && { text }) };
}

function secondLookFrom({ at, repeatsUntil }: Look): Date {
  const repeatMs = Math.min(repeatsUntil.getTime() - at.getTime(), MAX_REPEAT_MS);
  return new Date(at.getTime() + Math.max(SECOND_LOOK_MS, repeatMs));
}
