import type { RequestFilter } from "../../api/requests.ts";
import { localMinute } from "../../parts/time.tsx";

const AROUND_MS = 5 * 60_000;

/**
 * The span around a given minute.
 * @param local value of a `datetime-local` field; empty: any time
 */
export function aroundMinute(local: string): Pick<RequestFilter, "from" | "until"> {
  if (local === "") return { from: undefined, until: undefined };
  const at = new Date(local).getTime();
  return {
    from: new Date(at - AROUND_MS).toISOString(),
    until: new Date(at + AROUND_MS).toISOString(),
  };
}

/** The minute in the middle of such a span, or the start of another span. */
export function middleOf({ from, until }: RequestFilter): string {
  if (!from || Number.isNaN(Date.parse(from))) return "";
  const [begin, end] = [Date.parse(from), Date.parse(until ?? from)];
  return localMinute(new Date(end - begin === 2 * AROUND_MS ? begin + AROUND_MS : begin).toISOString());
}
