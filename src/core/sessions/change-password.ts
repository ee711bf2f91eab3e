import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ChangePasswordRequest,
  ChangePasswordResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { securityNotice } from "../system-mail/notices.ts";
import { passwordResetId } from "../users/reset-password-by-mail.ts";
import { wordsOfEmail } from "../users/user-email.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, renewSession, type SessionContext } from "./own-session.ts";
import { createProveFactor } from "./prove-factor.ts";

/**
 * Replaces the password of the user, and ends all other sessions.
 *
 * @throws Fault request.validation_failed, auth.credentials_invalid, auth.throttled, service.busy
 */
export function createChangePassword(needs: SessionNeeds) {
  const { store, passwords, throttle, clock, systemMail } = needs;
  const proveFactor = createProveFactor(needs);
  return async (
    { currentPassword, newPassword }: ChangePasswordRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof ChangePasswordResponseSchema>> => {
    const session = await ownSession(store, context);
    const clientAddress = context.identity?.clientAddress ?? "";
    // The new password is evaluated only for the user, and attempts are counted, because an evaluation is costly.
    await proveFactor({ factor: "password", password: currentPassword }, { session, clientAddress });
    await throttle.countNewPassword({ email: session.email, clientAddress });
    const wrong =
      newPassword === currentPassword
        ? { code: "field.invalid" as const, message: say("password_present_one") }
        : await passwords.evaluate(newPassword, wordsOfEmail(session.email));
    if (wrong) throw validationFault([{ pointer: "/new_password", ...wrong }]);
    const user = await store.users.findById(session.userId);
    if (!user) throw fault("auth.session_invalid");
    const passwordHash = await passwords.hash(newPassword);
    const { accountId, email, _id: exceptId } = session;
    const { audit } = context;
    const next = { passwordHash, mustChangePassword: false };
    if (!(await store.users.setPassword(user, next, { accountId, audit }))) {
      throw fault("auth.credentials_invalid");
    }
    await store.mailLinks.remove(passwordResetId(user));
    await store.sessions.endAll({ userId: user._id, email, accountId, exceptId }, audit);
    const at = clock.now();
    const changes = { authenticatedAt: at, mustChangePassword: false } as const;
    const token = await renewSession(store, session, changes, context);
    const what = "Your password was changed, and all your other sessions ended.";
    await systemMail.notify(user.email, securityNotice({ what, at, identity: context.identity }));
    return { token };
  };
}
