import type { MessageFilter } from "../../message/search/filter.ts";
import { idBound } from "../../shared/ids.ts";
import type { IdSpan } from "./candidates.ts";

/** Sorts after every id. */
const BEHIND_ALL = "msg_zzzzzzzzzz";

/** Range of the requested ids. */
export function spanOf({ from, until }: MessageFilter, beforeId: string | undefined): IdSpan {
  const since = idBound("msg", from ?? new Date(0));
  const ends = [beforeId, until && idBound("msg", until)].filter((end) => end !== undefined);
  return { since, before: ends.sort()[0] ?? BEHIND_ALL };
}

/** The most selective names of a filter. The filter's other conditions apply to all messages found by them. */
export function namesIn({ messageId, traceId, query = [] }: MessageFilter) {
  const [byId, bySubmission, byHeader] = [
    query.find((condition) => condition.kind === "message"),
    query.find((condition) => condition.kind === "submission"),
    query.find((condition) => condition.kind === "header_id"),
  ];
  return {
    messageId: messageId ?? byId?.id,
    traceId: traceId ?? bySubmission?.traceId,
    headerId: byHeader?.value,
  };
}

/** The same ids in the same order, newest first, with one additional id of the range. */
export async function* including(
  ids: AsyncIterable<string>,
  { since, before }: IdSpan,
  more: string | undefined,
): AsyncGenerator<string, void> {
  let left = more !== undefined && more >= since && more < before ? more : undefined;
  for await (const id of ids) {
    if (left !== undefined && left > id) yield left;
    if (left !== undefined && left >= id) left = undefined;
    yield id;
  }
  if (left !== undefined) yield left;
}
