import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AuthenticateRequest,
  AuthenticateResponseSchema,
} from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import type { HandlerContext } from "../handler-context.ts";
import type { AuthenticateSubmitter } from "../submission/authenticate-submitter.ts";

/** SMTP AUTH: whether a sending key and its password are right. */
export function createAuthenticate({ authenticate }: { readonly authenticate: AuthenticateSubmitter }) {
  return async (
    { credential }: AuthenticateRequest,
    context: HandlerContext,
  ): Promise<MessageInitShape<typeof AuthenticateResponseSchema>> => {
    const key = await authenticate(credential, context);
    return { accountId: key.accountId, keyId: key._id };
  };
}
