import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type CheckTokenRequest,
  type CheckTokenResponseSchema,
  type UnsubscribeRequest,
  type UnsubscribeResponseSchema,
  UnsubscribeService,
} from "../../gen/hermod/unsubscribe/v1/unsubscribe_service_pb.ts";
import { messageEvent } from "../events/message-event.ts";
import { addressKey } from "../message/address/addresses.ts";
import type { UnsubscribeTokens } from "../message/unsubscribe/token.ts";
import { defineArea } from "../rpc/area.ts";
import { changes, unaudited } from "../rpc/audits.ts";
import { FRONT_ENDS, type HandlerContext } from "../rpc/callers.ts";
import type { Clock } from "../shared/clock.ts";
import { fault } from "../shared/fault.ts";
import type { Store } from "../store/store.ts";
import type { Dependencies } from "./dependencies.ts";

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

export interface UnsubscribeOptions {
  readonly store: Pick<Store, "forAccount">;
  readonly tokens: UnsubscribeTokens;
  readonly clock: Clock;
  /** How long events are kept. */
  readonly retentionMs: number;
}

/** Stops mail of one policy to one recipient: other mail, a receipt or a new password, is not what was left. */
export function createUnsubscribe({ store, tokens, clock, retentionMs }: UnsubscribeOptions) {
  return async (
    { token }: UnsubscribeRequest,
    { audit }: Pick<HandlerContext, "audit">,
  ): Promise<MessageInitShape<typeof UnsubscribeResponseSchema>> => {
    const subscription = tokens.decode(token);
    if (!subscription) throw fault("unsubscribe.token_invalid");
    const { accountId, policy, recipient, messageId } = subscription;
    const at = clock.now();
    const [message] = await store.forAccount(accountId).messages.findByIds([messageId]);
    // What happened is written before what it leads to: again for the same message is no second event.
    if (message) {
      const expireAt = new Date(at.getTime() + retentionMs);
      const facts = { kind: "unsubscribed", attempt: 0, at, expireAt, reply: { detail: "" } } as const;
      await store.forAccount(accountId).events.insertMissing([messageEvent(message, facts)]);
    }
    const entry = {
      addressKey: addressKey(recipient),
      address: recipient,
      reason: "unsubscribe",
      policy,
      messageId,
      createdAt: at,
    } as const;
    const actor = { kind: "recipient", id: entry.addressKey, name: recipient } as const;
    await store.forAccount(accountId).suppressions.add(entry, { ...audit, actor });
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
