import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ListEntriesRequest,
  ListEntriesResponseSchema,
  ListOwnEntriesRequest,
  ListOwnEntriesResponseSchema,
} from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { isId } from "../../shared/ids.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { pageOf, pageSizeOf, pageStartOf } from "../page.ts";
import { resolveAccount } from "../resolve-account.ts";
import { type FilterNeeds, readFilter } from "./read-filter.ts";
import { toEntry } from "./to-entry.ts";

export interface AuditNeeds extends FilterNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount" | "audit">;
}

/** @throws Fault account.unknown, auth.caller_forbidden, request.validation_failed */
export function createListEntries({ store, auditActions }: AuditNeeds) {
  return async (
    request: ListEntriesRequest,
    context: Pick<HandlerContext, "actor">,
  ): Promise<MessageInitShape<typeof ListEntriesResponseSchema>> => {
    const log = await logOf(store, request, context);
    const limit = pageSizeOf(request.pageSize);
    const beforeId = pageStartOf(request.pageToken, entryIdIn);
    const filter = readFilter(request.filter, { auditActions });
    const found = await log.list({ ...filter, beforeId, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { entries: entries.map(toEntry), nextPageToken };
  };
}

/** @throws Fault auth.session_missing for a call without one, as the operator's; request.validation_failed */
export function createListOwnEntries({ store }: { readonly store: Pick<Store, "audit"> }) {
  return async (
    request: ListOwnEntriesRequest,
    { principal }: Pick<HandlerContext, "principal">,
  ): Promise<MessageInitShape<typeof ListOwnEntriesResponseSchema>> => {
    if (!principal) throw fault("auth.session_missing");
    const limit = pageSizeOf(request.pageSize);
    const beforeId = pageStartOf(request.pageToken, entryIdIn);
    const found = await store.audit.listOfUser(principal.userId, { beforeId, limit: limit + 1 });
    const { entries, nextPageToken } = pageOf(found, limit, ({ _id }) => _id);
    return { entries: entries.map(toEntry), nextPageToken };
  };
}

/**
 * The log that a request asks for.
 * @throws Fault account.unknown; auth.caller_forbidden for the installation's, unless the operator asks
 */
export async function logOf(
  store: AuditNeeds["store"],
  request: Pick<ListEntriesRequest, "accountId" | "installation">,
  { actor }: Pick<HandlerContext, "actor">,
): Promise<AccountStore["audit"]> {
  if (!request.installation) {
    // The log of an account is kept when that is deleted: for the operator, who names it.
    const kept =
      actor === "operator" && isId("acc", request.accountId) && store.forAccount(request.accountId);
    if (kept && (await kept.audit.list({ limit: 1 })).length > 0) return kept.audit;
    return (await resolveAccount(store, request, { actor })).audit;
  }
  if (actor === "operator") return store.audit.installation;
  throw fault("auth.caller_forbidden", { public: "The log of the installation is the operator's alone." });
}

const entryIdIn = (token: string) => (isId("aud", token) ? token : undefined);
