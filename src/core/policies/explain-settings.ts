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
import { type Phrase, phrase, phrases } from "../../shared/phrase.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type { TransportSettings } from "../../store/policy-document.ts";
import type { DeliveryFacts } from "../dependencies.ts";
import { reasonFields } from "../text-parts.ts";
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
  const to = transport?.kind === "smtp" ? "relay" : shared ? "provider" : "sandbox";
  const origin =
    own && own.concurrency <= concurrency && policy.limits?.concurrency !== undefined
      ? "policy"
      : { relay: "transport", provider: "installation", sandbox: "sandbox" }[to];
  const rate =
    messagesPerMinute === undefined
      ? phrase("limits.no_rate")
      : phrase("limits.rate", { max: messagesPerMinute });
  const reason = phrases(phrase("limits.concurrency", { max: most, to, origin }), rate);
  return { concurrency: most, ...withoutUndefined({ messagesPerMinute }), ...reasonFields(reason) };
}

export function explainPriority({
  priority = "transactional",
}: Pick<PolicyContent, "priority">): MessageInitShape<typeof PriorityExplanationSchema> {
  return { value: priority, ...reasonFields(phrase(`priority.${priority}`)) };
}

export function explainSource({
  source = {},
}: Pick<PolicyContent, "source">): MessageInitShape<typeof SourceExplanationSchema> {
  const { address = "", address6 = "", heloName = "" } = source;
  const addresses = [address, address6].filter(Boolean);
  const from = addresses.length === 0 ? phrase("source.machine") : phrase("source.addresses", { addresses });
  const name = heloName === "" ? phrase("source.helo_default") : phrase("source.helo", { name: heloName });
  return { address, address6, heloName, ...reasonFields(phrases(from, name)) };
}

export function explainListUnsubscribe(
  policy: Pick<PolicyContent, "listUnsubscribe">,
  { operation, baseUrl }: { readonly operation: string; readonly baseUrl: string | undefined },
): MessageInitShape<typeof ListUnsubscribeExplanationSchema> {
  if (!wantsListUnsubscribe({ operation }, policy)) {
    return { added: false, ...reasonFields(phrase("list_unsubscribe.off")) };
  }
  const missing = unsubscribeBaseFault(baseUrl);
  if (missing !== undefined) {
    const reason = phrases(phrase("list_unsubscribe.deferred"), baseUrlPhrase("list_unsubscribe", baseUrl));
    return { added: false, ...reasonFields(reason) };
  }
  return { added: true, ...reasonFields(phrase("list_unsubscribe.on")) };
}

export function explainTracking(
  policy: Pick<PolicyContent, "tracking">,
  { operation, baseUrl }: { readonly operation: string; readonly baseUrl: string | undefined },
): MessageInitShape<typeof TrackingExplanationSchema> {
  const { opens, clicks } = trackedOf({ operation }, policy);
  const none = { opens: false, clicks: false };
  if (!opens && !clicks) {
    return { ...none, ...reasonFields(phrase("tracking.off")) };
  }
  const missing = trackingBaseFault(baseUrl);
  if (missing !== undefined) {
    const reason = phrases(phrase("tracking.without"), baseUrlPhrase("tracking", baseUrl));
    return { ...none, ...reasonFields(reason) };
  }
  const kinds = [...(opens ? ["opens"] : []), ...(clicks ? ["clicks"] : [])];
  return { opens, clicks, ...reasonFields(phrase("tracking.on", { kinds })) };
}

/** The reason why links cannot use this base URL: it is missing, or it is not https. */
function baseUrlPhrase(use: "list_unsubscribe" | "tracking", baseUrl: string | undefined): Phrase {
  return phrase(baseUrl === undefined ? `${use}.no_base_url` : `${use}.no_https`);
}
