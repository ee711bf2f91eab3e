import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SwitchAccountRequest,
  SwitchAccountResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, renewSession, type SessionContext } from "./own-session.ts";

/**
 * Switches the session to another account of the user. An account without a membership is unknown, as if it did not
 * exist. Once a member of the account has ended the user's sessions there, older sessions must show a factor again.
 * @throws Fault account.unknown, auth.reauthentication_required
 */
export function createSwitchAccount({ store }: Pick<SessionNeeds, "store">) {
  return async (
    { toAccountId }: SwitchAccountRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof SwitchAccountResponseSchema>> => {
    const session = await ownSession(store, context);
    const member = toAccountId && (await store.forAccount(toAccountId).members.find(session.userId));
    if (!member) throw fault("account.unknown", { public: say("no_account", { id: toAccountId }) });
    if (member.signedOutAt && session.authenticatedAt < member.signedOutAt) {
      throw fault("auth.reauthentication_required");
    }
    return { token: await renewSession(store, session, { accountId: toAccountId }, context) };
  };
}
