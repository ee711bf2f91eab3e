import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type UnsubscribeRequest,
  type UnsubscribeResponseSchema,
  UnsubscribeService,
} from "../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import type { UnsubscribeTokens } from "../message/unsubscribe/token.ts";
import { type Area, defineArea } from "../rpc/area.ts";
import { changes, unaudited } from "../rpc/audits.ts";
import { FRONT_ENDS, type HandlerContext } from "../rpc/callers.ts";
import { fault } from "../shared/fault.ts";
import type { Dependencies } from "./dependencies.ts";
import { createLeavePolicy, type LeavePolicyOptions } from "./leave-policy.ts";

type Needs = Pick<Dependencies, "store" | "unsubscribeTokens" | "clock" | "retention">;

/** Links of List-Unsubscribe. */
export const unsubscribes: Area<Needs> = defineArea(UnsubscribeService, {
  /** Checks a token of an unsubscribe link, without a change and without further information. */
  checkToken: [
    FRONT_ENDS,
    unaudited("it returns only whether a link is valid"),
    ({ unsubscribeTokens: tokens }) =>
      async ({ token }) => {
        if (!tokens.decode(token)) throw fault("unsubscribe.token_invalid");
        return {};
      },
  ],
  unsubscribe: [
    FRONT_ENDS,
    changes("suppression.unsubscribe"),
    ({ store, unsubscribeTokens: tokens, clock, retention }) =>
      createUnsubscribe({ store, tokens, clock, retentionMs: retention.messageMs }),
  ],
});

export interface UnsubscribeOptions extends LeavePolicyOptions {
  readonly tokens: UnsubscribeTokens;
}

/** Follows an unsubscribe link. */
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
