import { validationFault } from "../shared/fault.ts";
import { isMessageId } from "../shared/ids.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;

/** @throws Fault request.validation_failed */
export function pageSizeOf(asked: number): number {
  if (asked <= MAX_PAGE_SIZE) return asked || DEFAULT_PAGE_SIZE;
  const message = `A page has at most ${MAX_PAGE_SIZE} entries.`;
  throw validationFault([{ pointer: "/page_size", code: "field.invalid", message }]);
}

/**
 * Where a list goes on.
 * @param read what an earlier answer meant by its token; undefined: no answer has ever given it
 * @returns undefined at the beginning
 * @throws Fault request.validation_failed
 */
export function pageStartOf<T>(pageToken: string, read: (token: string) => T | undefined): T | undefined {
  if (pageToken === "") return undefined;
  const start = read(pageToken);
  if (start !== undefined) return start;
  const message = "A page token is the next_page_token of an earlier answer.";
  throw validationFault([{ pointer: "/page_token", code: "field.invalid", message }]);
}

/** For lists of messages: the token is the last id of the page before. */
export function messageIdIn(token: string): string | undefined {
  return isMessageId(token) ? token : undefined;
}
