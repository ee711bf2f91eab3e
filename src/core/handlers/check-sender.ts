import type { CheckSenderRequest } from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import type { VerifySender } from "../access/verify-sender.ts";
import type { HandlerContext } from "../handler-context.ts";
import type { AuthenticateSubmitter } from "../submission/authenticate-submitter.ts";
import { readMailFrom } from "../submission/read-envelope.ts";

export interface CheckSenderOptions {
  readonly authenticate: AuthenticateSubmitter;
  readonly verifySender: VerifySender;
}

/** MAIL FROM: whether the key may send as this address. */
export function createCheckSender({ authenticate, verifySender }: CheckSenderOptions) {
  return async ({ credential, address }: CheckSenderRequest, context: HandlerContext) => {
    const key = await authenticate(credential, context);
    await verifySender(readMailFrom(address), key);
    return {};
  };
}
