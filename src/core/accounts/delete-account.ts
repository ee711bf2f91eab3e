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

/** Nobody has a message in hand that is due only after this; more than clocks differ. */
const OUT_OF_REACH_MS = 5_000;
/** Whatever began before the deletion has been stored by then: requests, caches of keys, SMTP sessions. */
const GRACE_MS = 5 * 60_000;

export type DeleteAccountNeeds = Pick<Dependencies, "store" | "settings" | "authenticator" | "clock" | "log">;

/**
 * Deletes an account. It is gone with the answer, and so are its keys and members; the rest goes in the background.
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
  /** How long what was removed can be seen. */
  readonly proofMs: number;
}

/**
 * Removes what deleted accounts have left, step by step:
 *
 * 1. keys, members and invitations, if a crash has left some
 * 2. messages with their bodies and events; those in somebody's hands are withdrawn by their worker before
 * 3. everything else, once no message is there
 * 4. the index of searches, once nothing can come any more
 * 5. the deletion is over: what was removed can be seen for a while
 *
 * Several processes may do so at once, and each turn begins anew: what is gone is not found.
 */
export function createAccountDeletions({ store, clock, log, proofMs }: AccountDeletionsOptions) {
  const { accountDeletions } = store;

  /** @returns how many messages still wait for their worker */
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

  /** One turn over all of them: what keeps one from going keeps no other. */
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
