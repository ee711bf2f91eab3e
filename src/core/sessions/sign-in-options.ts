import type { MessageShape } from "@bufbuild/protobuf";
import type { GetSignInOptionsResponseSchema } from "../../../gen/hermod/session/v1/session_service_pb.ts";
import type { Dependencies } from "../dependencies.ts";

type SignInOptionNeeds = Pick<Dependencies, "oidc" | "webauthn" | "systemMail" | "isSignUpOpen">;
type SignInOptions = Omit<MessageShape<typeof GetSignInOptionsResponseSchema>, "$typeName" | "$unknown">;

/** Lists the sign-in methods for the sign-in page. */
export function createGetSignInOptions({ oidc, webauthn, systemMail, isSignUpOpen }: SignInOptionNeeds) {
  return async (): Promise<SignInOptions> => {
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
