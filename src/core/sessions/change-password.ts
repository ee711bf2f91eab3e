import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ChangePasswordRequest,
  ChangePasswordResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { fault, validationFault } from "../../shared/fault.ts";
import { judgeNewPassword } from "../access/passwords.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, renewSession, type SessionContext } from "./own-session.ts";
import { reenterPassword } from "./reauthenticate.ts";

/**
 * Replaces the password of the user, and ends all other sessions.
 *
 * @throws Fault request.validation_failed, auth.credentials_invalid, auth.throttled, service.busy
 */
export function createChangePassword(needs: SessionNeeds) {
  const { store, passwords, clock } = needs;
  return async (
    { currentPassword, newPassword }: ChangePasswordRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof ChangePasswordResponseSchema>> => {
    const session = await ownSession(store, context);
    const wrong =
      newPassword === currentPassword
        ? { code: "field.invalid" as const, message: "The new password is the present one." }
        : await judgeNewPassword(newPassword, [session.email, ...session.email.split("@")]);
    if (wrong) throw validationFault([{ pointer: "/new_password", ...wrong }]);
    const clientAddress = context.behalf?.clientAddress ?? "";
    const user = await reenterPassword(needs, session, { password: currentPassword, clientAddress });
    const passwordHash = await passwords.hash(newPassword);
    if (!(await store.users.setPassword(user, { passwordHash, mustChangePassword: false }))) {
      throw fault("auth.credentials_invalid");
    }
    await store.sessions.endAll(user._id, session._id);
    const changes = { authenticatedAt: clock.now(), mustChangePassword: false } as const;
    return { token: await renewSession(store, session, changes) };
  };
}
