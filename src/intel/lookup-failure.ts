import { type Phrase, phrase, phrases } from "../shared/phrase.ts";

/** A failed lookup, as params of the sentences that report it. */
export interface LookupFailure {
  /** Queried name. */
  readonly name: string;
  readonly reason: string;
}

const MAX_SHOWN = 5;

/** Reports failed lookups, the first ones of many. */
export function lookupsFailed(failures: readonly LookupFailure[]): Phrase {
  const shown = failures.slice(0, MAX_SHOWN);
  const last = shown.pop();
  return phrases(
    phrase("lookup.some_failed"),
    ...shown.map((failure) => phrase("lookup.failed", failure)),
    last && phrase("lookup.last_failed", last),
  );
}
