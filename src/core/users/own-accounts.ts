import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CreateOwnAccountRequest,
  CreateOwnAccountResponseSchema,
  LeaveAccountRequest,
  LeaveAccountResponseSchema,
} from "../../../gen/hermod/user/v1/user_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { newId } from "../../shared/ids.ts";
import { memberId } from "../../store/member-store.ts";
import { readAccountName } from "../accounts/account-name.ts";
import { sandboxPolicy } from "../policies/sandbox-policy.ts";
import { ownSession, renewSession, type SessionContext } from "../sessions/own-session.ts";
import type { UserNeeds } from "./needs.ts";
import { requireOpenSignUp } from "./sign-up.ts";

/** Maximum number of accounts that a user may own to create another one. */
const MOST_OWNED = 20;

/**
 * Ends the user's own membership of an account. A session of this account continues with another account.
 *
 * @throws Fault account.unknown, member.last_owner, auth.reauthentication_required, auth.session_invalid
 */
export function createLeaveAccount({ store }: UserNeeds) {
  return async (
    { leftAccountId }: LeaveAccountRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof LeaveAccountResponseSchema>> => {
    const session = await ownSession(store, context);
    const { userId } = session;
    const removed =
      leftAccountId === ""
        ? "unknown"
        : await store.forAccount(leftAccountId).members.remove(userId, context.audit);
    if (removed === "unknown") {
      throw fault("account.unknown", { public: say("no_account", { id: leftAccountId }) });
    }
    if (removed === "last_owner") throw fault("member.last_owner");
    const left = await store.acrossAccounts.members.ofUser(userId);
    const stays = left.some(({ accountId }) => accountId === session.accountId);
    const accountId = stays ? session.accountId : (left[0]?.accountId ?? "");
    return { sessionToken: await renewSession(store, session, { accountId }, context) };
  };
}

/**
 * Creates another account that the user owns. Its mail is captured until it has another policy.
 *
 * @throws Fault sign_up.closed, account.too_many, request.validation_failed
 */
export function createCreateOwnAccount(needs: UserNeeds) {
  const { store, clock } = needs;
  /** The last creation of each user. At the same time, each would repeat its transaction after every other. */
  const last = new Map<string, Promise<boolean>>();

  async function oneByOne(userId: string, open: () => Promise<boolean>): Promise<boolean> {
    const own = (last.get(userId) ?? Promise.resolve(true)).then(open, open);
    last.set(userId, own);
    try {
      return await own;
    } finally {
      if (last.get(userId) === own) last.delete(userId);
    }
  }

  return async (
    request: CreateOwnAccountRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof CreateOwnAccountResponseSchema>> => {
    requireOpenSignUp(needs);
    const { userId } = await ownSession(store, context);
    const name = readAccountName(request.name);
    const now = clock.now();
    const accountId = newId("acc", now);
    const policy = sandboxPolicy(now);
    const own = {
      account: { _id: accountId, name, createdAt: now },
      member: { _id: memberId(accountId, userId), accountId, userId, role: "owner", createdAt: now },
      policy: { ...policy, _id: `${accountId}.${policy.name}`, accountId },
    } as const;
    const isOpen = await oneByOne(userId, () => store.accounts.open(own, MOST_OWNED, context.audit));
    if (!isOpen) throw fault("account.too_many");
    return { accountId };
  };
}
