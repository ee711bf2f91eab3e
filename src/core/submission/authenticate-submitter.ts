import type { Credential } from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import { Fault, fault } from "../../shared/fault.ts";
import type { KeyDocument } from "../../store/documents.ts";
import type { KeyAuthenticator } from "../access/authenticate-key.ts";
import type { HandlerContext } from "../handler-context.ts";

/**
 * The sending key that a credential opens: asked with every call, so that a revoked one stops inside open sessions.
 * @throws Fault auth.* or store.unavailable
 */
export type AuthenticateSubmitter = (
  credential: Credential | undefined,
  context: Pick<HandlerContext, "peerAddress">,
) => Promise<KeyDocument>;

export function createAuthenticateSubmitter(authenticator: KeyAuthenticator): AuthenticateSubmitter {
  return async (credential, { peerAddress }) => {
    const { username = "", password = "", clientAddress = "" } = credential ?? {};
    try {
      return await authenticator.authenticate(username, {
        kind: "smtp",
        scope: "email.send",
        clientAddress: clientAddress || peerAddress,
        password,
      });
    } catch (error) {
      // One answer for both: which of them is wrong is nobody's business.
      if (!(error instanceof Fault) || error.code !== "auth.key_invalid") throw error;
      throw fault("auth.key_invalid", {
        public: "The sending key or its password is not right, or the key is revoked.",
      });
    }
  };
}
