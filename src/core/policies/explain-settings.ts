import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  LimitsExplanationSchema,
  ListUnsubscribeExplanationSchema,
  PriorityExplanationSchema,
  SourceExplanationSchema,
  TrackingExplanationSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { trackingBaseFault, unsubscribeBaseFault } from "../../message/unsubscribe/base-url.ts";
import { limitsOf, trackedOf, wantsListUnsubscribe } from "../../routing/effects.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { TransportSettings } from "../../store/policy-document.ts";
import type { DeliveryFacts } from "../dependencies.ts";
import type { PolicyContent } from "./read-policy.ts";

/** Settings of a policy other than its transports, each with a sentence about the reason. */

export function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

/** @param transport first transport of the message, by which limits are counted */
export function explainLimits(
  transport: TransportSettings | undefined,
  {
    policy,
    deliveryFacts,
  }: { readonly policy: Pick<PolicyContent, "limits">; readonly deliveryFacts: DeliveryFacts },
): MessageInitShape<typeof LimitsExplanationSchema> {
  const { concurrency, shared, own } = limitsOf(policy.limits, transport, deliveryFacts.concurrency);
  const messagesPerMinute = own?.perMinute;
  const most = Math.min(concurrency, own?.concurrency ?? concurrency);
  const to =
    transport?.kind === "smtp" ? "this relay" : shared ? "one mail provider" : "the sandbox of one worker";
  const subject =
    own && own.concurrency <= concurrency && policy.limits?.concurrency !== undefined
      ? "as set by the policy"
      : transport?.kind === "smtp"
        ? "because the transport has that many connections"
        : shared
          ? "as set by HERMOD_DESTINATION_CONCURRENCY"
          : "because the sandbox writes to this installation's store";
  const rate =
    messagesPerMinute === undefined
      ? "Messages per minute are not limited."
      : `The policy allows ${messagesPerMinute} messages per minute.`;
  const reason = `At most ${most} concurrent deliveries to ${to}, ${subject}; fewer while the servers ask to slow down. ${rate}`;
  return { concurrency: most, ...withoutUndefined({ messagesPerMinute }), reason };
}

export function explainPriority({
  priority = "transactional",
}: Pick<PolicyContent, "priority">): MessageInitShape<typeof PriorityExplanationSchema> {
  const reason =
    priority === "transactional"
      ? "Under load, the message is sent before bulk mail."
      : "Under load, transactional mail is sent first, but bulk mail keeps a share.";
  return { value: priority, reason };
}

export function explainSource({
  source = {},
}: Pick<PolicyContent, "source">): MessageInitShape<typeof SourceExplanationSchema> {
  const { address = "", address6 = "", heloName = "" } = source;
  const addresses = [address, address6].filter(Boolean).join(" and ");
  const from =
    addresses === ""
      ? "The worker's machine chooses the source address."
      : `Connections are made from ${addresses}. A worker without this address defers the message.`;
  const name =
    heloName === ""
      ? "The name in EHLO is HERMOD_HELO_NAME, or the machine's name if it is not set."
      : `The name in EHLO is ${heloName}.`;
  return { address, address6, heloName, reason: `${from} ${name}` };
}

export function explainListUnsubscribe(
  policy: Pick<PolicyContent, "listUnsubscribe">,
  { operation, baseUrl }: { readonly operation: string; readonly baseUrl: string | undefined },
): MessageInitShape<typeof ListUnsubscribeExplanationSchema> {
  if (!wantsListUnsubscribe({ operation }, policy)) {
    return { added: false, reason: "The policy does not add List-Unsubscribe." };
  }
  const missing = unsubscribeBaseFault(baseUrl);
  if (missing !== undefined) return { added: false, reason: `The message would be deferred. ${missing}` };
  const reason = "One-click List-Unsubscribe is added, unless the message has its own List-Unsubscribe.";
  return { added: true, reason };
}

export function explainTracking(
  policy: Pick<PolicyContent, "tracking">,
  { operation, baseUrl }: { readonly operation: string; readonly baseUrl: string | undefined },
): MessageInitShape<typeof TrackingExplanationSchema> {
  const { opens, clicks } = trackedOf({ operation }, policy);
  const none = { opens: false, clicks: false };
  if (!opens && !clicks) {
    return {
      ...none,
      reason: "The policy does not track opens or clicks. A message can set tracking itself.",
    };
  }
  const missing = trackingBaseFault(baseUrl);
  if (missing !== undefined)
    return { ...none, reason: `The message would be sent without tracking. ${missing}` };
  const what = [opens && "opens", clicks && "clicks"].filter(Boolean).join(" and ");
  return {
    opens,
    clicks,
    reason: `Html is tracked for ${what}, unless the message sets it differently, or its sender has signed or encrypted it.`,
  };
}
