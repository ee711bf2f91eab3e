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
  const whose =
    own && own.concurrency <= concurrency && policy.limits?.concurrency !== undefined
      ? "as the policy says"
      : transport?.kind === "smtp"
        ? "for the transport has so many connections"
        : shared
          ? "as HERMOD_DESTINATION_CONCURRENCY says"
          : "for that is this installation's own store";
  const rate =
    messagesPerMinute === undefined
      ? "There is no limit of messages per minute."
      : `The policy allows ${messagesPerMinute} messages per minute.`;
  const reason = `At most ${most} deliveries to ${to} are under way at once, ${whose}; fewer while the servers ask to slow down. ${rate}`;
  return { concurrency: most, ...withoutUndefined({ messagesPerMinute }), reason };
}

export function explainPriority({
  priority = "transactional",
}: Pick<PolicyContent, "priority">): MessageInitShape<typeof PriorityExplanationSchema> {
  const reason =
    priority === "transactional"
      ? "While there is more to do than can be done, the message goes before bulk mail."
      : "While there is more to do than can be done, transactional mail goes first, without starving this.";
  return { value: priority, reason };
}

export function explainSource({
  source = {},
}: Pick<PolicyContent, "source">): MessageInitShape<typeof SourceExplanationSchema> {
  const { address = "", address6 = "", heloName = "" } = source;
  const addresses = [address, address6].filter(Boolean).join(" and ");
  const from =
    addresses === ""
      ? "The worker's machine chooses the address from which it connects."
      : `Connections are made from ${addresses}; a worker without it puts the message off.`;
  const name =
    heloName === ""
      ? "It calls itself by HERMOD_HELO_NAME, or else by the machine's name."
      : `It calls itself ${heloName}.`;
  return { address, address6, heloName, reason: `${from} ${name}` };
}

export function explainListUnsubscribe(
  policy: Pick<PolicyContent, "listUnsubscribe">,
  { operation, baseUrl }: { readonly operation: string; readonly baseUrl: string | undefined },
): MessageInitShape<typeof ListUnsubscribeExplanationSchema> {
  if (!wantsListUnsubscribe({ operation }, policy)) {
    return { added: false, reason: "The policy does not ask for List-Unsubscribe." };
  }
  const missing = unsubscribeBaseFault(baseUrl);
  if (missing !== undefined) return { added: false, reason: `The message would be put off. ${missing}` };
  const reason =
    "List-Unsubscribe with one click is added, unless the message has a List-Unsubscribe of its own.";
  return { added: true, reason };
}

export function explainTracking(
  policy: Pick<PolicyContent, "tracking">,
  { operation, baseUrl }: { readonly operation: string; readonly baseUrl: string | undefined },
): MessageInitShape<typeof TrackingExplanationSchema> {
  const { opens, clicks } = trackedOf({ operation }, policy);
  const none = { opens: false, clicks: false };
  if (!opens && !clicks) {
    return { ...none, reason: "The policy does not ask for opens or clicks; a message may do so itself." };
  }
  const missing = trackingBaseFault(baseUrl);
  if (missing !== undefined) return { ...none, reason: `The message would leave untracked. ${missing}` };
  const what = [opens && "opens", clicks && "clicks"].filter(Boolean).join(" and ");
  return {
    opens,
    clicks,
    reason: `Html tells of ${what}, unless the message says otherwise, or is signed or encrypted by its sender.`,
  };
}
