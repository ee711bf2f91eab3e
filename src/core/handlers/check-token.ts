import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  CheckTokenRequest,
  CheckTokenResponseSchema,
} from "../../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import type { UnsubscribeTokens } from "../../message/unsubscribe/token.ts";
import { fault } from "../../shared/fault.ts";

/** Whether a token for unsubscribing is good; nothing else is told or done. */
export function createCheckToken({ tokens }: { readonly tokens: UnsubscribeTokens }) {
  return async ({ token }: CheckTokenRequest): Promise<MessageInitShape<typeof CheckTokenResponseSchema>> => {
    if (!tokens.decode(token)) throw fault("unsubscribe.token_invalid");
    return {};
  };
}
