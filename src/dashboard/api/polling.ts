import { hasEnded } from "./client.ts";

/** The part of a query that decides its next poll. */
interface Polled<Data> {
  readonly state: { readonly data: Data | undefined; readonly error: Error | null };
}

/**
 * Time to the next poll of a query in milliseconds; false if there is none. After the session has ended, polls do not ask the
 * user to sign in again: the user may have closed the dialog to read the page. The next action asks.
 */
export function pollEvery(ms: number | false): (query: Polled<unknown>) => number | false;
export function pollEvery<Data>(
  msFor: (data: Data | undefined) => number | false,
): (query: Polled<Data>) => number | false;
export function pollEvery<Data>(msFor: number | false | ((data: Data | undefined) => number | false)) {
  return ({ state }: Polled<Data>): number | false => {
    if (hasEnded(state.error)) return false;
    return typeof msFor === "function" ? msFor(state.data) : msFor;
  };
}
