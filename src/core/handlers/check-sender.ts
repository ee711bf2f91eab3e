import type { CheckSenderRequest } from "../../../gen/hermod/submission/v1/submission_service_pb.ts";
import type { AuthenticateSubmitter } from "../authenticate-submitter.ts";
import type { HandlerContext } from "../handler-context.ts";
import { readMailFrom } from "../read-envelope.ts";
import type { VerifySender } from "../verify-sender.ts";

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
