import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  BeginPasskeyProofRequest,
  BeginPasskeyProofResponseSchema,
  BeginPasskeySignInRequest,
  BeginPasskeySignInResponseSchema,
  SignInWithPasskeyRequest,
  SignInWithPasskeyResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import { fault } from "../../shared/fault.ts";
import { createBeginSession } from "./begin-session.ts";
import type { SessionNeeds } from "./needs.ts";
import { ownSession, type SessionContext, toSession } from "./own-session.ts";

type Context = Pick<HandlerContext, "identity">;

/** Returns the options for a signature by any passkey. @throws Fault passkey.not_available, auth.throttled */
export function createBeginPasskeySignIn({ webauthn, throttle }: SessionNeeds) {
  return async (
    _request: BeginPasskeySignInRequest,
    { identity }: Context,
  ): Promise<MessageInitShape<typeof BeginPasskeySignInResponseSchema>> => {
    await throttle.countChallenge(identity?.clientAddress ?? "");
    return { optionsJson: await webauthn.beginProof(undefined) };
  };
}

/**
 * Starts a session with a passkey alone, which counts as two factors.
 *
 * @throws Fault auth.factor_invalid, passkey.not_available
 */
export function createSignInWithPasskey(needs: SessionNeeds) {
  const { store, clock, webauthn } = needs;
  const beginSession = createBeginSession({ store, clock });
  return async (
    { responseJson }: SignInWithPasskeyRequest,
    context: Pick<HandlerContext, "identity" | "audit">,
  ): Promise<MessageInitShape<typeof SignInWithPasskeyResponseSchema>> => {
    const passkey = await webauthn.finishProof(undefined, responseJson);
    const user = passkey && (await store.users.findById(passkey.userId));
    if (!user) throw fault("auth.factor_invalid");
    const { token, session } = await beginSession(user, ["passkey"], context);
    return { token, session: toSession(session, session._id) };
  };
}

/**
 * Returns the options for a signature by a passkey of the session's user, as a second factor or to verify one again.
 * @throws Fault passkey.not_available
 */
export function createBeginPasskeyProof({ store, webauthn }: SessionNeeds) {
  return async (
    _request: BeginPasskeyProofRequest,
    context: SessionContext,
  ): Promise<MessageInitShape<typeof BeginPasskeyProofResponseSchema>> => {
    const { userId } = await ownSession(store, context);
    return { optionsJson: await webauthn.beginProof(userId) };
  };
}
