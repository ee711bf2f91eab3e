import type { HandlerContext } from "../rpc/callers.ts";
import { validationFault } from "../shared/fault.ts";
import { say } from "../shared/fault-text.ts";
import { isMessageId } from "../shared/ids.ts";
import type { ListPage } from "../store/list-page.ts";
import type { AccountStore, Store } from "../store/store.ts";
import { resolveAccount } from "./resolve-account.ts";

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;
/** Room for an account's id, an address and the name of a policy. */
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
 * Where a list goes on.
 * @param read what an earlier answer meant by its token; undefined: no answer has ever given it
 * @returns undefined at the beginning
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
 * One page of what was asked for with one entry more than it has, and where the next one begins.
 * @param tokenOf what `pageStartOf` is to read
 */
export function pageOf<T>(found: readonly T[], limit: number, tokenOf: (last: T) => string): Page<T> {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextPageToken: found.length > limit && last !== undefined ? tokenOf(last) : "" };
}

/**
 * A page token of a place in what an account has. It stands for the account too, so that no other's is taken for its
 * own, and keeps addresses out of command lines and logs.
 */
function placeToken(accountId: string, place: string): string {
  return Buffer.from(`${accountId}:${place}`).toString("base64url");
}

/** Reads a `placeToken` of this account; undefined: it is none. */
function placeIn(accountId: string): (token: string) => string | undefined {
  return (token) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined;
    const text = Buffer.from(token, "base64url").toString();
    const place = text.startsWith(`${accountId}:`) ? text.slice(accountId.length + 1) : undefined;
    return place !== undefined && placeToken(accountId, place) === token ? place : undefined;
  };
}

/** What a request says of the page that it wants. */
interface PageRequest {
  readonly accountId: string;
  readonly pageSize: number;
  readonly pageToken: string;
}

interface PageOfAccount<T> {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  /** Entries in their order, behind a place. */
  readonly list: (account: AccountStore, page: ListPage) => Promise<readonly T[]>;
  /** The place of an entry in that order. */
  readonly placeOf: (entry: T) => string;
  /** See `resolveAccount`. */
  readonly context?: Pick<HandlerContext, "actor">;
}

/**
 * One page of what the account of a request has.
 * @throws Fault account.unknown, request.validation_failed
 */
export async function pageOfAccount<T>(
  request: PageRequest,
  { store, list, placeOf, context }: PageOfAccount<T>,
): Promise<Page<T>> {
  const account = await resolveAccount(store, request, context);
  const limit = pageSizeOf(request.pageSize);
  const after = pageStartOf(request.pageToken, placeIn(account.id));
  const found = await list(account, { after, limit: limit + 1 });
  return pageOf(found, limit, (last) => placeToken(account.id, placeOf(last)));
}

interface SearchOfAccount<T> extends PageOfAccount<T> {
  /** Missing: each entry of the list is meant. */
  readonly matches?: (entry: T) => boolean;
  /** Entries that one page reads at most; missing: `MOST_READ`. */
  readonly mostRead?: number;
}

/**
 * One page of those entries of a list that match. See `searchPage`.
 * @throws Fault account.unknown, request.validation_failed
 */
export async function searchOfAccount<T>(
  request: PageRequest,
  { store, list, placeOf, context, matches, mostRead }: SearchOfAccount<T>,
): Promise<Page<T>> {
  if (!matches) return pageOfAccount(request, { store, list, placeOf, ...(context && { context }) });
  const account = await resolveAccount(store, request, context);
  const limit = pageSizeOf(request.pageSize);
  const start = pageStartOf(request.pageToken, placeIn(account.id));
  const { entries, next } = await searchPage({
    read: (after, most) => list(account, { after, limit: most }),
    matches,
    placeOf,
    start,
    limit,
    ...(mostRead !== undefined && { mostRead }),
  });
  return { entries, nextPageToken: next === undefined ? "" : placeToken(account.id, next) };
}

/** Entries that one page of a search reads at most; a read that was begun is used. */
const MOST_READ = 5_000;
const READ_AT_ONCE = 500;

interface Search<T> {
  /** Entries of a list behind a place, in its order. */
  readonly read: (after: string | undefined, limit: number) => Promise<readonly T[]>;
  readonly matches: (entry: T) => boolean;
  readonly placeOf: (entry: T) => string;
  readonly start: string | undefined;
  readonly limit: number;
  /** Missing: `MOST_READ`. */
  readonly mostRead?: number;
}

/**
 * One page of those entries of a list that match, for filters that no index serves. It reads a bounded number of entries: it
 * may have fewer than its limit, or none, and yet a next one.
 * @returns the place of the last entry that was read, found or not; undefined: there are no others
 */
export async function searchPage<T>(search: Search<T>): Promise<{ entries: T[]; next: string | undefined }> {
  const { read, matches, placeOf, limit, mostRead = MOST_READ } = search;
  const entries: T[] = [];
  let last = search.start;
  for (let done = 0; done < mostRead; done += READ_AT_ONCE) {
    const found = await read(last, READ_AT_ONCE);
    for (const entry of found) {
      if (matches(entry)) {
        // The one that no longer fits says that there are others.
        if (entries.length === limit) return { entries, next: last };
        entries.push(entry);
      }
      last = placeOf(entry);
    }
    if (found.length < READ_AT_ONCE) return { entries, next: undefined };
  }
  return { entries, next: last };
}

/** For lists of messages: the token is the last id of the page before. */
export function messageIdIn(token: string): string | undefined {
  return isMessageId(token) ? token : undefined;
}
