import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CheckTokenRequest,
  type CheckTokenResponseSchema,
  type UnsubscribeRequest,
  type UnsubscribeResponseSchema,
  UnsubscribeService,
} from "../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import type { UnsubscribeTokens } from "../message/unsubscribe/token.ts";
import { defineArea } from "../rpc/area.ts";
import { changes, unaudited } from "../rpc/audits.ts";
import { FRONT_ENDS, type HandlerContext } from "../rpc/callers.ts";
import { fault } from "../shared/fault.ts";
import type { Dependencies } from "./dependencies.ts";
import { createLeavePolicy, type LeavePolicyOptions } from "./leave-policy.ts";

/** Links of List-Unsubscribe. */
export const unsubscribes = defineArea({
  service: UnsubscribeService,
  callers: { checkToken: FRONT_ENDS, unsubscribe: FRONT_ENDS },
  audits: {
    checkToken: unaudited("it says whether a link is good"),
    unsubscribe: changes("suppression.unsubscribe"),
  },
  handlers: ({
    store,
    unsubscribeTokens: tokens,
    clock,
    retention,
  }: Pick<Dependencies, "store" | "unsubscribeTokens" | "clock" | "retention">) => ({
    unsubscribe: createUnsubscribe({ store, tokens, clock, retentionMs: retention.messageMs }),
    checkToken: createCheckToken({ tokens }),
  }),
});

export interface UnsubscribeOptions extends LeavePolicyOptions {
  readonly tokens: UnsubscribeTokens;
}

/** Follows a link. */
export function createUnsubscribe({ tokens, ...options }: UnsubscribeOptions) {
  const leavePolicy = createLeavePolicy(options);
  return async (
    { token }: UnsubscribeRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof UnsubscribeResponseSchema>> => {
    const subscription = tokens.decode(token);
    if (!subscription) throw fault("unsubscribe.token_invalid");
    await leavePolicy(subscription, audit);
    return {};
  };
}

/** Whether a token for unsubscribing is good; nothing else is told or done. */
function createCheckToken({ tokens }: { readonly tokens: UnsubscribeTokens }) {
  return async ({ token }: CheckTokenRequest): Promise<MessageInitShape<typeof CheckTokenResponseSchema>> => {
    if (!tokens.decode(token)) throw fault("unsubscribe.token_invalid");
    return {};
  };
}
