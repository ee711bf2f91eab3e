import type { HandlerContext } from "../rpc/callers.ts";
import { validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { isMessageId } from "../shared/ids.ts";
import type { ListPage } from "../store/list-page.ts";
import type { AccountStore, Store } from "../store/store.ts";
import { resolveAccount } from "./resolve-account.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;
/** Sufficient for an account's id, an address and the name of a policy. */
const MAX_TOKEN_LENGTH = 2_000;

export interface Page<T> {
  readonly entries: readonly T[];
  /** Empty: this is the last page. */
  readonly nextPageToken: string;
}

/** @throws Fault request.validation_failed */
export function pageSizeOf(asked: number): number {
  if (asked <= MAX_PAGE_SIZE) return asked || DEFAULT_PAGE_SIZE;
  const message = say("page_entries_at_most", { max: MAX_PAGE_SIZE });
  throw validationFault([{ pointer: "/page_size", code: "field.invalid", message }]);
}

/**
 * Start of a page.
 * @param read parses the token of an earlier answer; undefined: the token is invalid
 * @returns undefined for the first page
 * @throws Fault request.validation_failed
 */
export function pageStartOf<T>(pageToken: string, read: (token: string) => T | undefined): T | undefined {
  if (pageToken === "") return undefined;
  const start = read(pageToken);
  if (start !== undefined) return start;
  const message = say("page_token");
  throw validationFault([{ pointer: "/page_token", code: "field.invalid", message }]);
}

/**
 * One page of a result that was requested with one additional entry, and the token of the next page.
 * @param tokenOf creates the token that `pageStartOf` reads
 */
export function pageOf<T>(found: readonly T[], limit: number, tokenOf: (last: T) => string): Page<T> {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextPageToken: found.length > limit && last !== undefined ? tokenOf(last) : "" };
}

/**
 * Page token of a position in an account's list. It contains the account, so that a token of another account is
 * invalid, and keeps addresses out of command lines and logs.
 */
function cursorToken(accountId: string, cursor: string): string {
  return Buffer.from(`${accountId}:${cursor}`).toString("base64url");
}

/** Reads a `placeToken` of this account; undefined: it is not one. */
function cursorIn(accountId: string): (token: string) => string | undefined {
  return (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const text = Buffer.from(token, "base64url").toString();
    const cursor = text.startsWith(`${accountId}:`) ? text.slice(accountId.length + 1) : undefined;
    return cursor !== undefined && cursorToken(accountId, cursor) === token ? cursor : undefined;
  };
}

/** Page parameters of a request. */
interface PageRequest {
  readonly accountId: string;
  readonly pageSize: number;
  readonly pageToken: string;
}

interface PageOfAccount<T> {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  /** Entries in order, after a position. */
  readonly list: (account: AccountStore, page: ListPage) => Promise<readonly T[]>;
  /** Position of an entry in that order. */
  readonly cursorOf: (entry: T) => string;
  /** See `resolveAccount`. */
  readonly context?: Pick<HandlerContext, "actor">;
}

/**
 * One page of a list of the request's account.
 * @throws Fault account.unknown, request.validation_failed
 */
export async function pageOfAccount<T>(
  request: PageRequest,
  { store, list, cursorOf, context }: PageOfAccount<T>,
): Promise<Page<T>> {
  const account = await resolveAccount(store, request, context);
  const limit = pageSizeOf(request.pageSize);
  const after = pageStartOf(request.pageToken, cursorIn(account.id));
  const found = await list(account, { after, limit: limit + 1 });
  return pageOf(found, limit, (last) => cursorToken(account.id, cursorOf(last)));
}

interface SearchOfAccount<T> extends PageOfAccount<T> {
  /** Missing: all entries match. */
  readonly matches?: (entry: T) => boolean;
  /** Maximum number of entries that one page reads; missing: `MOST_READ`. */
  readonly mostRead?: number;
}

/**
 * One page of the matching entries of a list. See `searchPage`.
 * @throws Fault account.unknown, request.validation_failed
 */
export async function searchOfAccount<T>(
  request: PageRequest,
  { store, list, cursorOf, context, matches, mostRead }: SearchOfAccount<T>,
): Promise<Page<T>> {
  if (!matches) return pageOfAccount(request, { store, list, cursorOf, ...(context && { context }) });
  const account = await resolveAccount(store, request, context);
  const limit = pageSizeOf(request.pageSize);
  const start = pageStartOf(request.pageToken, cursorIn(account.id));
  const { entries, next } = await searchPage({
    read: (after, most) => list(account, { after, limit: most }),
    matches,
    cursorOf,
    start,
    limit,
    ...(mostRead !== undefined && { mostRead }),
  });
  return { entries, nextPageToken: next === undefined ? "" : cursorToken(account.id, next) };
}

/** Maximum number of entries that one page of a search reads; a started read is completed. */
const MOST_READ = 5_000;
const READ_AT_ONCE = 500;

interface Search<T> {
  /** Entries of a list after a position, in order. */
  readonly read: (after: string | undefined, limit: number) => Promise<readonly T[]>;
  readonly matches: (entry: T) => boolean;
  readonly cursorOf: (entry: T) => string;
  readonly start: string | undefined;
  readonly limit: number;
  /** Missing: `MOST_READ`. */
  readonly mostRead?: number;
}

/**
 * One page of the matching entries of a list, for filters without an index. It reads a limited number of entries: it
 * can have fewer entries than its limit, or none, although a next page exists.
 * @returns the position of the last entry that was read, matching or not; undefined: there are no others
 */
export async function searchPage<T>(search: Search<T>): Promise<{ entries: T[]; next: string | undefined }> {
  const { read, matches, cursorOf, limit, mostRead = MOST_READ } = search;
  const entries: T[] = [];
  let last = search.start;
  for (let done = 0; done < mostRead; done += READ_AT_ONCE) {
    const found = await read(last, READ_AT_ONCE);
    for (const entry of found) {
      if (matches(entry)) {
        // The first entry that does not fit shows that there are others.
        if (entries.length === limit) return { entries, next: last };
        entries.push(entry);
      }
      last = cursorOf(entry);
    }
    if (found.length < READ_AT_ONCE) return { entries, next: undefined };
  }
  return { entries, next: last };
}

/** For lists of messages: the token is the last id of the previous page. */
export function messageIdIn(token: string): string | undefined {
  return isMessageId(token) ? token : undefined;
}

/** Version by its number as callers write it, also as a page token. Undefined: it is not a number of a version. */
export function versionIn(token: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(token) ? Number(token) : undefined;
}
