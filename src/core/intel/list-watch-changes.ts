import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  ListWatchChangesRequest,
  ListWatchChangesResponseSchema,
} from "../../../gen/hermod/watch/v1/watch_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { type WatchChangeKind, watchChangeKinds } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults, pointer } from "../field-faults.ts";
import { pageOf, pageSizeOf, searchPage } from "../page.ts";
import { resolveScope } from "./resolve-scope.ts";
import { toWatchChange } from "./watch-to-proto.ts";

/**
 * Lists the changes of domains, newest first.
 * @throws Fault account.unknown, workspace.unknown, client.unknown, request.validation_failed, cursor.invalid
 */
export function createListWatchChanges(needs: Pick<Dependencies, "store" | "intel">) {
  const { cursors } = needs.intel;
  return async (
    request: ListWatchChangesRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof ListWatchChangesResponseSchema>> => {
    const { accountId, domainId, clientId } = request;
    const [since, until] = [request.from, request.until].map((time) => time && timestampDate(time));
    const kinds = readKinds(request.kinds);
    if (since && until && since >= until) {
      const message = say("until_after_from");
      throw validationFault([{ pointer: "/until", code: "field.invalid", message }]);
    }
    const limit = pageSizeOf(request.pageSize);
    // A removed domain has no changes: its id needs no check.
    const asked = { accountId, scope: { workspaceId: request.workspaceId, clientId, domainId: "" } };
    const { account, workspaceId } = await resolveScope(needs, asked, audit);
    const question = {
      list: "changes",
      workspaceId,
      domainId,
      // Only if given: cursors of earlier releases stay valid.
      ...(clientId !== "" && { clientId }),
      ...(kinds.size > 0 && { kinds: [...kinds].sort() }),
      ...(since && { since }),
      ...(until && { until }),
    };
    const filter = {
      domainId: domainId === "" ? undefined : domainId,
      clientId: clientId === "" ? undefined : clientId,
      since,
      until,
    };
    const start = cursors.read(question, request.pageToken)?.id;
    const cursorOf = (id: string) => cursors.write(question, { rank: "", id });
    const read = (after: string | undefined, most: number) =>
      account.watches.listChanges(workspaceId, filter, { after, limit: most });
    if (kinds.size === 0) {
      const page = pageOf(await read(start, limit + 1), limit, ({ _id }) => cursorOf(_id));
      return { changes: page.entries.map(toWatchChange), nextPageToken: page.nextPageToken };
    }
    const { entries, next } = await searchPage({
      read,
      matches: ({ kind }) => kinds.has(kind),
      cursorOf: ({ _id }) => _id,
      start,
      limit,
    });
    return {
      changes: entries.map(toWatchChange),
      nextPageToken: next === undefined ? "" : cursorOf(next),
    };
  };
}

/** @throws Fault request.validation_failed */
function readKinds(given: readonly string[]): ReadonlySet<string> {
  const faults = createFieldFaults();
  for (const [index, kind] of given.entries())
    if (!watchChangeKinds.includes(kind as WatchChangeKind))
      faults.add(pointer("kinds", index), "field.invalid", say("one_of", { allowed: watchChangeKinds }));
  if (faults.found.length > 0) throw validationFault(faults.found);
  return new Set(given);
}
