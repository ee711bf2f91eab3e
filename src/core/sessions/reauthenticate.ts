import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ReauthenticateRequest,
  ReauthenticateResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { fault } from "../../shared/fault.ts";
import type { SessionDocument, UserDocument } from "../../store/documents.ts";
import { isRecent } from "../access/session-life.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, renewSession, type SessionContext } from "./own-session.ts";

/** @throws Fault auth.reauthentication_required when the last factor was shown too long ago for a dangerous act */
export function requireRecent(
  { authenticatedAt }: Pick<SessionDocument, "authenticatedAt">,
  now: Date,
): void {
  if (!isRecent(authenticatedAt, now)) throw fault("auth.reauthentication_required");
}

/**
 * The user of a session who has shown the password again. Wrong ones count as those of signing in do.
 * @throws Fault auth.credentials_invalid, auth.throttled, service.busy
 */
export async function reenterPassword(
  { store, passwords, throttle }: Pick<SessionNeeds, "store" | "passwords" | "throttle">,
  { userId, email }: SessionDocument,
  { password, clientAddress }: { readonly password: string; readonly clientAddress: string },
): Promise<UserDocument> {
  const attempt = { email, clientAddress };
  await throttle.begin(attempt);
  const user = await store.users.findById(userId);
  if (!(await passwords.matches(password, user?.passwordHash)) || !user) {
    throw fault("auth.credentials_invalid");
  }
  await throttle.succeeded(attempt);
  return user;
}

/** Shows the password again. The session goes on under a new token. */
export function createReauthenticate(needs: SessionNeeds) {
  const { store, clock } = needs;
  return async (
    { password }: ReauthenticateRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof ReauthenticateResponseSchema>> => {
    const session = await ownSession(store, context);
    const clientAddress = context.behalf?.clientAddress ?? "";
    await reenterPassword(needs, session, { password, clientAddress });
    return { token: await renewSession(store, session, { authenticatedAt: clock.now() }) };
  };
}
