// A deleted account leaves the accounts first, so every lookup fails without a condition in each query. Its note is
// where the removal resumes after a crash.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  DeleteAccountRequest,
  DeleteAccountResponseSchema,
} from "../../../gen/hermod/account/v1/account_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { Logger } from "../../shared/logger.ts";
import type { Store } from "../../store/store.ts";
import type { DeletedAccountDocument } from "../../store/user-documents.ts";
import type { Dependencies } from "../dependencies.ts";

/** No worker holds a message that is due only after this time; longer than clocks differ. */
const OUT_OF_REACH_MS = 5_000;
/** Work that began before the deletion is stored by then: requests, cached keys, SMTP sessions. */
const GRACE_MS = 5 * 60_000;

export type DeleteAccountNeeds = Pick<Dependencies, "store" | "settings" | "authenticator" | "clock" | "log">;

/**
 * Deletes an account. The account, its keys and its members are removed when the call returns; all other data is
 * removed in the background.
 *
 * @throws Fault account.unknown, account.first, auth.reauthentication_required
 */
export function createDeleteAccount({ store, settings, authenticator, clock, log }: DeleteAccountNeeds) {
  return async (
    { accountId }: DeleteAccountRequest,
    { principal, audit }: Pick<HandlerContext, "principal" | "audit">,
  ): Promise<MessageInitShape<typeof DeleteAccountResponseSchema>> => {
    const now = clock.now();
    const deletedBy = principal?.name ?? "";
    const outcome = await store.accountDeletions.begin(accountId, { deletedAt: now, deletedBy }, audit);
    if (outcome === "first") throw fault("account.first");
    if (outcome === "unknown") {
      throw fault("account.unknown", { public: say("account_not_deleted", { id: accountId }) });
    }
    await store.accountDeletions.removeAccess(accountId);
    authenticator.forget();
    settings.forget();
    log.warn({ accountId, deletedBy }, "an account was deleted");
    return {};
  };
}

export interface AccountDeletionsOptions {
  readonly store: Pick<Store, "accountDeletions">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Time for which the proof of the removal is stored. */
  readonly proofMs: number;
}

/**
 * Removes the data of deleted accounts, step by step:
 *
 * 1. keys, members and invitations that remain after a crash
 * 2. messages with their bodies and events; a worker that holds a message cancels it first
 * 3. all other data, after the last message
 * 4. the search index, when no further data can be added
 * 5. the deletion is complete: its proof is stored for a limited time
 *
 * Several processes may run this at the same time, and each run starts from the beginning: removed data is not found
 * again.
 */
export function createAccountDeletions({ store, clock, log, proofMs }: AccountDeletionsOptions) {
  const { accountDeletions } = store;

  /** @returns number of messages that a worker still holds */
  async function removeMessages(id: string): Promise<number> {
    let waiting = 0;
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const now = clock.now();
      const reachable = new Date(now.getTime() + OUT_OF_REACH_MS);
      const step = await accountDeletions.removeMessages(id, after, now, reachable);
      waiting += step.waiting;
      after = step.after;
    }
    return waiting;
  }

  async function remove({
    _id: id,
    deletedAt,
  }: Pick<DeletedAccountDocument, "_id" | "deletedAt">): Promise<void> {
    await accountDeletions.removeAccess(id);
    if ((await removeMessages(id)) > 0) return;
    await accountDeletions.removeSettings(id);
    const now = clock.now();
    if (now.getTime() - deletedAt.getTime() < GRACE_MS) return;
    if (!(await accountDeletions.forgetInIndex(id, now))) return;
    await accountDeletions.finish(id, now, new Date(now.getTime() + proofMs));
    log.info({ accountId: id }, "all data of a deleted account was removed");
  }

  /** One run over all deletions. An error in one does not stop the others. */
  return async (): Promise<void> => {
    let after: string | undefined;
    for (;;) {
      const deletion = await accountDeletions.next(after);
      if (!deletion) return;
      await remove(deletion);
      after = deletion._id;
    }
  };
}
