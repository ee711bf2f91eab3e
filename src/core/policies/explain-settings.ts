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

/** What a policy says beside its transports, each with a sentence of why. */

export function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

/** @param transport the first of the message's: by it limits are counted */
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
  const whose =
    own && own.concurrency <= concurrency && policy.limits?.concurrency !== undefined
      ? "the limit of the policy"
      : transport?.kind === "smtp"
        ? "the number of connections of the transport"
        : shared
          ? "the limit of HERMOD_DESTINATION_CONCURRENCY"
          : "the limit for the store of this installation";
  const rate =
    messagesPerMinute === undefined
      ? "There is no limit of messages per minute."
      : `The policy allows ${messagesPerMinute} messages per minute.`;
  const reason = `At most ${most} deliveries to ${to} run at once, ${whose}. Fewer run while the servers ask to slow down. ${rate}`;
  return { concurrency: most, ...withoutUndefined({ messagesPerMinute }), reason };
}

export function explainPriority({
  priority = "transactional",
}: Pick<PolicyContent, "priority">): MessageInitShape<typeof PriorityExplanationSchema> {
  const reason =
    priority === "transactional"
      ? "Under high load, the message is sent before bulk mail."
      : "Under high load, transactional mail is sent first, but this mail still makes progress.";
  return { value: priority, reason };
}

export function explainSource({
  source = {},
}: Pick<PolicyContent, "source">): MessageInitShape<typeof SourceExplanationSchema> {
  const { address = "", address6 = "", heloName = "" } = source;
  const addresses = [address, address6].filter(Boolean).join(" and ");
  const from =
    addresses === ""
      ? "The machine of the worker chooses the source address."
      : `Connections are made from ${addresses}. A worker without this address defers the message.`;
  const name =
    heloName === ""
      ? "The HELO name is HERMOD_HELO_NAME, or otherwise the name of the machine."
      : `The HELO name is ${heloName}.`;
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
  const reason = "One-click List-Unsubscribe is added unless the message has its own List-Unsubscribe.";
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
      reason: "The policy tracks neither opens nor clicks. A message can request tracking itself.",
    };
  }
  const missing = trackingBaseFault(baseUrl);
  if (missing !== undefined)
    return { ...none, reason: `The message would be sent without tracking. ${missing}` };
  const what = [opens && "opens", clicks && "clicks"].filter(Boolean).join(" and ");
  return {
    opens,
    clicks,
    reason: `The HTML body tracks ${what}, unless the message turns it off or its sender has signed or encrypted it.`,
  };
}
