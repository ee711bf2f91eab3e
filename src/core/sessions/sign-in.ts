import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  SignInRequest,
  SignInResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import { addressKey } from "../../message/address/address-key.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { createBeginSession } from "./begin-session.ts";
import type { SessionNeeds } from "./needs.ts";
import { toSession } from "./own-session.ts";

/** An address or a password with more octets does not exist, and is not searched for. */
const MAX_INPUT_LENGTH = 1_000;

/**
 * Starts a session. An unknown address gets the same answer as a wrong password, after the same amount of work.
 *
 * @throws Fault auth.credentials_invalid, auth.throttled, service.busy
 */
export function createSignIn({ store, passwords, throttle, clock }: SessionNeeds) {
  const beginSession = createBeginSession({ store, clock });

  return async (
    { email: given, password }: SignInRequest,
    { identity, audit }: Pick<HandlerContext, "identity" | "audit">,
  ): Promise<MessageInitShape<typeof SignInResponseSchema>> => {
    if (given.length > MAX_INPUT_LENGTH || password.length > MAX_INPUT_LENGTH) {
      throw fault("auth.credentials_invalid");
    }
    const email = addressKey(given.trim());
    const attempt = { email, clientAddress: identity?.clientAddress ?? "" };
    await throttle.begin(attempt);
    const user = await store.users.findByEmail(email);
    if (!(await passwords.matches(password, user?.passwordHash || undefined)) || !user) {
      throw fault("auth.credentials_invalid");
    }
    await store.users.settleFormer(user);
    const { token, session } = await beginSession(user, ["password"], { identity, audit });
    // Otherwise an attacker who knows the password could reset the count of guessed codes.
    if (!session.secondFactorPending) await throttle.succeeded(attempt);
    return { token, session: toSession(session, session._id) };
  };
}
