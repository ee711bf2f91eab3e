// A search uses the one mark that is probably rarest and reads the entries of those documents: an index for each
// combination of filters would cost more than the log.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListRequestsRequest,
  ListRequestsResponseSchema,
  RequestSchema,
} from "../../../gen/hermod/request/v1/request_service_pb.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { pageSizeOf, pageStartOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type Position, positionId, readPosition, toRequest } from "./positions.ts";
import { type RequestSearch, readFilter } from "./read-filter.ts";

/** Number of documents in one read: 1 MB if each is full. */
const DOCUMENTS_AT_ONCE = 20;
/** Maximum number of documents that one call reads; a started read is completed. */
const MOST_DOCUMENTS = 200;
const MOST_ENTRIES = 10_000;

interface Found {
  readonly requests: MessageInitShape<typeof RequestSchema>[];
  /** The last request that was read; undefined: there are no others. */
  readonly next: Position | undefined;
}

/**
 * Lists requests, newest first. A page ends at the last request that was read, matching or not. Documents never
 * change, so that later pages neither repeat nor skip a request.
 * @throws Fault account.unknown, request.validation_failed
 */
export function createListRequests({ store }: { readonly store: Pick<Store, "accounts" | "forAccount"> }) {
  return async (
    request: ListRequestsRequest,
  ): Promise<MessageInitShape<typeof ListRequestsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const limit = pageSizeOf(request.pageSize);
    const start = pageStartOf(request.pageToken, readPosition);
    const { requests, next } = await search(account, readFilter(request.filter), { limit, start });
    return { requests, nextPageToken: next ? positionId(next) : "" };
  };
}

async function search(
  account: AccountStore,
  { matches, ...within }: RequestSearch,
  { limit, start }: { readonly limit: number; readonly start: Position | undefined },
): Promise<Found> {
  const requests: Found["requests"] = [];
  let read = { documents: 0, entries: 0 };
  let last = start;
  let before: string | undefined;
  while (read.documents < MOST_DOCUMENTS && read.entries < MOST_ENTRIES) {
    const documents = await account.requests.list({
      ...within,
      // Rest of the document in which the previous page ended.
      ...(before === undefined ? { upTo: start?.documentId } : { before }),
      limit: DOCUMENTS_AT_ONCE,
    });
    for (const { _id: documentId, entries } of documents) {
      const isRest = documentId === start?.documentId;
      for (let index = (isRest ? start.index : entries.length) - 1; index >= 0; index--) {
        const entry = entries[index];
        if (!entry || !matches(entry)) continue;
        // The first request that does not fit shows that there are others.
        if (requests.length === limit) return { requests, next: last };
        last = { documentId, index };
        requests.push(toRequest(account.id, last, entry));
      }
      last = { documentId, index: 0 };
      read = { documents: read.documents + 1, entries: read.entries + entries.length };
    }
    before = documents.at(-1)?._id;
    if (documents.length < DOCUMENTS_AT_ONCE || before === undefined) return { requests, next: undefined };
  }
  return { requests, next: last };
}
