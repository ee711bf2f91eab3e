import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  ListMutesRequest,
  ListMutesResponseSchema,
  MuteSchema,
} from "../../../gen/hermod/insight/v1/insight_service_pb.ts";
import { createEntryOf } from "../../intel/assess-domain.ts";
import type { CheckId } from "../../intel/catalogue.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { MutedDomain } from "../../store/find-findings.ts";
import type { CheckMute } from "../../store/intel-documents.ts";
import type { Dependencies } from "../dependencies.ts";
import { pageOf, pageSizeOf } from "../page.ts";
import { resolveScope } from "./resolve-scope.ts";

interface Found {
  readonly domain: MutedDomain;
  readonly mute: CheckMute;
  /** Position among mutes with the same end. */
  readonly id: string;
}

/**
 * Lists the mutes of a scope that have not ended, by their end.
 * @throws Fault account.unknown, workspace.unknown, client.unknown, watched_domain.unknown,
 *   request.validation_failed, cursor.invalid
 */
export function createListMutes(needs: Pick<Dependencies, "store" | "intel" | "clock">) {
  const { cursors, lists } = needs.intel;
  const entryOf = createEntryOf(lists);
  const toMute = ({ domain, mute }: Found): MessageInitShape<typeof MuteSchema> => ({
    domainId: domain._id,
    domain: domain.name,
    clientId: domain.clientId,
    checkId: mute.checkId,
    title: entryOf(mute.checkId as CheckId)?.title ?? mute.checkId,
    until: timestampFromDate(mute.until),
    ...withoutUndefined({
      reason: mute.reason,
      by: mute.by && { ...mute.by },
      at: mute.at && timestampFromDate(mute.at),
    }),
  });
  return async (
    request: ListMutesRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof ListMutesResponseSchema>> => {
    const limit = pageSizeOf(request.pageSize);
    const { account, workspaceId, clientId, domain: only } = await resolveScope(needs, request, audit);
    const question = { list: "mutes", workspaceId, clientId: clientId ?? "", domainId: only?._id ?? "" };
    const after = cursors.read(question, request.pageToken);
    const now = needs.clock.now();
    const domains: readonly MutedDomain[] = only
      ? [only]
      : await account.watches.listMuted({ workspaceId, clientId }, now);
    const found = domains.flatMap((domain) =>
      domain.mutes
        .filter(({ until }) => until > now)
        .map((mute): Found => ({ domain, mute, id: `${domain.name} ${mute.checkId}` })),
    );
    const start = after && { id: after.id, rank: Number(after.rank) };
    const left = start ? found.filter((one) => compare(one, start) > 0) : found;
    left.sort((one, other) => compare(one, positionOf(other)));
    const { entries, nextPageToken } = pageOf(left, limit, (last) =>
      cursors.write(question, positionOf(last)),
    );
    return { mutes: entries.map(toMute), nextPageToken };
  };
}

const positionOf = ({ mute, id }: Found) => ({ rank: mute.until.getTime(), id });

function compare({ mute, id }: Found, other: { readonly rank: number; readonly id: string }): number {
  return mute.until.getTime() - other.rank || (id === other.id ? 0 : id < other.id ? -1 : 1);
}
