import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetSignInOptionsRequest,
  GetSignInOptionsResponseSchema,
} from "../../../gen/hermod/session/v1/session_service_pb.ts";
import type { SessionNeeds } from "./needs.ts";

/** In which ways people come in, for the page that they do so on. */
export function createGetSignInOptions({ oidc, webauthn, systemMail, isSignUpOpen }: SessionNeeds) {
  return async (
    _request: GetSignInOptionsRequest,
  ): Promise<MessageInitShape<typeof GetSignInOptionsResponseSchema>> => {
    const hasMail = await systemMail.requireSetUp().then(
      () => true,
      () => false,
    );
    return {
      passkeys: webauthn.isAvailable,
      oidcName: oidc?.settings.name ?? "",
      passwordReset: hasMail,
      signUp: isSignUpOpen && hasMail,
    };
  };
}
