import type { ListEntriesRequest } from "../../../gen/hermod/audit/v1/audit_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isId } from "../../shared/ids.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import { resolveAccount } from "../resolve-account.ts";
import type { FilterNeeds } from "./read-filter.ts";

export interface AuditNeeds extends FilterNeeds {
  readonly store: Pick<Store, "accounts" | "forAccount" | "audit">;
}

/**
 * The log that a request reads.
 * @throws Fault account.unknown; auth.caller_forbidden for the installation's log, unless the operator asks
 */
export async function logOf(
  store: AuditNeeds["store"],
  request: Pick<ListEntriesRequest, "accountId" | "installation">,
  { actor }: Pick<HandlerContext, "actor">,
): Promise<AccountStore["audit"]> {
  if (!request.installation) {
    // The log of a deleted account is kept for the operator, who names the account.
    const kept =
      actor === "operator" && isId("acc", request.accountId) && store.forAccount(request.accountId);
    if (kept && (await kept.audit.list({ limit: 1 })).length > 0) return kept.audit;
    return (await resolveAccount(store, request, { actor })).audit;
  }
  if (actor === "operator") return store.audit.installation;
  throw fault("auth.caller_forbidden", { public: say("log_installation_operator_alone") });
}
