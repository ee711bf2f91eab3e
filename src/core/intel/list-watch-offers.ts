import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListWatchOffersRequest,
  ListWatchOffersResponseSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { unicodeName } from "../../shared/unicode-name.ts";
import type { DomainDocument } from "../../store/domain-document.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageSizeOf } from "../page.ts";
import { isWatchable } from "./read-watch.ts";
import { resolveWorkspace } from "./resolve-workspace.ts";

/** Maximum number of domains that one request reads, most of which may be watched. */
const MAX_READ = 1_000;

/**
 * Lists sending domains of the account that a workspace does not watch, by name.
 * @throws Fault account.unknown, workspace.unknown, request.validation_failed, cursor.invalid
 */
export function createListWatchOffers(needs: Pick<Dependencies, "store" | "intel">) {
  const { cursors, allowsPrivate } = needs.intel;
  return async (
    request: ListWatchOffersRequest,
    { audit }: HandlerContext,
  ): Promise<MessageInitShape<typeof ListWatchOffersResponseSchema>> => {
    const { account, workspaceId } = await resolveWorkspace(needs, request, audit);
    const question = { list: "offers", workspaceId };
    const limit = pageSizeOf(request.pageSize);
    const after = cursors.read(question, request.pageToken)?.id;
    const read = await account.domains.list({ after, limit: MAX_READ + 1 });
    const names = read.map(({ name }) => name);
    const watched = await account.watches.findNames(workspaceId, names);
    const isEnd = read.length <= MAX_READ;
    const unwatched = read
      .slice(0, MAX_READ)
      .filter(({ name }) => !watched.has(name) && isWatchable(name, allowsPrivate));
    const offers = unwatched.slice(0, limit);
    const last = unwatched.length > limit ? offers.at(-1) : isEnd ? undefined : read.at(MAX_READ - 1);
    return {
      offers: offers.map(toOffer),
      nextPageToken: last ? cursors.write(question, { rank: "", id: last.name }) : "",
    };
  };
}

function toOffer({ name, status }: Pick<DomainDocument, "name" | "status">) {
  return { name, nameUnicode: unicodeName(name), status };
}
