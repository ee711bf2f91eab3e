import type { LiveChanges } from "../../api/live.ts";
import type { Message, MessagePage } from "../../api/messages.ts";
import { MAX_TOP_ROWS, unknownIn, withRows } from "../../api/page-rows.ts";
import { t } from "../../texts/texts.ts";

type Pages = readonly MessagePage[];
type Change = LiveChanges["changes"][number];

/**
 * The pages with the states that events report. Rows keep their places, even if they no longer match the filter.
 * @returns the same pages if nothing has changed
 */
export function withChanges(pages: Pages, changes: readonly Change[]): Pages {
  const byId = latestById(
    changes.filter(({ kind }) => kind in t.messages.states),
    ({ message_id }) => message_id,
    ({ at }) => at,
  );
  return withRows(pages, byId, (row, change) => {
    if (change.kind === row.state || isOlder(change.at, row.updated_at)) return row;
    const { kind: state, at: updated_at, category } = change;
    const { next_attempt_at: _, last_reply: __, ...others } = row;
    return { ...others, state, updated_at, category, attempts: Math.max(row.attempts, change.attempt) };
  });
}

/** The pages with the current rows of the API, unless an event has reported a later state. */
export function withFreshRows(pages: Pages, fresh: readonly Message[]): Pages {
  const byId = latestById(
    fresh,
    ({ id }) => id,
    ({ updated_at }) => updated_at,
  );
  return withRows(pages, byId, (row, found) => {
    if (isOlder(found.updated_at, row.updated_at)) return row;
    return JSON.stringify(found) === JSON.stringify(row) ? row : found;
  });
}

/**
 * The pages with the new rows of a fresh first page, in its order. If it does not connect to the first page, or that page is
 * already long, the fresh page replaces all pages.
 */
export function withNewest(pages: Pages, fresh: MessagePage): Pages {
  const [first, ...others] = pages;
  const unknown = unknownIn(pages, fresh.data);
  const end = first?.data.at(-1)?.id ?? "";
  const joins = first && unknown.length < fresh.data.length && unknown.every(({ id }) => id > end);
  if (!joins || first.data.length + unknown.length > MAX_TOP_ROWS) return [fresh];
  const data = [...unknown, ...first.data].sort((a, b) => (a.id < b.id ? 1 : -1));
  return withFreshRows([{ ...first, data }, ...others], fresh.data);
}

/** Keeps the latest change of each id, and the last of changes at the same time. */
function latestById<T>(all: readonly T[], idOf: (one: T) => string, atOf: (one: T) => string) {
  const byId = new Map<string, T>();
  for (const one of all) {
    const former = byId.get(idOf(one));
    if (!former || !isOlder(atOf(one), atOf(former))) byId.set(idOf(one), one);
  }
  return byId;
}

const isOlder = (a: string, b: string) => Date.parse(a) < Date.parse(b);
