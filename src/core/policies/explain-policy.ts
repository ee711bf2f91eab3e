import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  ExplainPolicyRequest,
  ExplainPolicyResponseSchema,
  RetryExplanationSchema,
  RuleExplanationSchema,
  SuppressionExplanationSchema,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { domainOf, parseAddress } from "../../message/address/addresses.ts";
import type { LookUpRoute } from "../../routing/found-route.ts";
import { planAttempts, WAITS_MS } from "../../routing/retry-schedule.ts";
import { ruleReason } from "../../routing/rule-reason.ts";
import { type Addressed, decisiveEntry, describeSuppression, scopesOf } from "../../routing/suppression.ts";
import { type Decision, decide } from "../../routing/transports-for.ts";
import type { HandlerContext } from "../../rpc/callers.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault, fault, validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { phrase, phrases } from "../../shared/phrase.ts";
import type { PolicyDocument } from "../../store/policy-document.ts";
import type { AccountStore, Store } from "../../store/store.ts";
import type { DeliveryFacts, PolicyBounds } from "../dependencies.ts";
import { resolveAccount } from "../resolve-account.ts";
import { reasonFields } from "../text-parts.ts";
import { noSuchPolicy } from "./delete-policy.ts";
import { type Explain, explainMessage } from "./explain-message.ts";
import {
  explainLimits,
  explainListUnsubscribe,
  explainPriority,
  explainSource,
  explainTracking,
  seconds,
} from "./explain-settings.ts";
import { explainTransports } from "./explain-transports.ts";
import { withPasswords } from "./kept-passwords.ts";
import { type PolicyContent, readPolicy } from "./read-policy.ts";

export interface ExplainPolicyOptions {
  readonly store: Pick<Store, "accounts" | "forAccount">;
  readonly clock: Clock;
  readonly bounds: PolicyBounds;
  readonly deliveryFacts: DeliveryFacts;
  readonly lookUpRoute: LookUpRoute;
}

/** The retention of messages that are sent over HTTP. */
const OPERATION = "email.send";
const MAX_ATTEMPTS = 50;

/**
 * Explains how a message would be sent, with the functions of `src/routing` that deliveries use.
 *
 * @throws Fault account.unknown, policy.not_found, message.unknown, auth.permission_missing, request.validation_failed
 */
export function createExplainPolicy(options: ExplainPolicyOptions) {
  const { store, bounds } = options;
  const explain = createExplain(options);
  return async (
    request: ExplainPolicyRequest,
    { actor, principal }: Pick<HandlerContext, "actor" | "principal">,
  ): Promise<MessageInitShape<typeof ExplainPolicyResponseSchema>> => {
    const { lookUp, messageId } = request;
    const account = await resolveAccount(store, request, { actor });
    if (messageId !== "") {
      if (request.recipient !== "" || request.by.value)
        throw validationFault([
          { pointer: "/message_id", code: "field.conflict", message: say("message_or_recipient") },
        ]);
      if (principal && !principal.permissions.has("messages.read"))
        throw fault("auth.permission_missing", { public: say("messages_read_missing") });
      return explainMessage(account, messageId, { explain, lookUp });
    }
    const recipient = readRecipient(request.recipient);
    const policy = await policyOf(account, request, { bounds, actor });
    return explain(account, { recipient, policy, lookUp, stored: request.by.case !== "policy" });
  };
}

/** Explains one policy for one recipient. */
function createExplain({ clock, bounds, deliveryFacts, lookUpRoute }: ExplainPolicyOptions): Explain {
  return async (account, { recipient, policy, stored, lookUp }) => {
    const domain = domainOf(recipient);
    const now = clock.now();
    const decision = decide(policy, domain);
    const addressed = { accountId: account.id, operation: OPERATION, recipient, policy: policy.name };
    const context = { domain, policy, bounds, deliveryFacts };
    return {
      recipient,
      domain,
      policy: policy.name,
      stored,
      rule: explainRule(decision, { domain, policy }),
      transports: await explainTransports(decision.transports, {
        ...context,
        lookUp: lookUp ? (...asked) => lookUpRoute(...asked, account.id) : undefined,
      }),
      limits: explainLimits(decision.transports[0], context),
      retry: explainRetry(policy, now, bounds),
      priority: explainPriority(policy),
      source: explainSource(policy),
      listUnsubscribe: explainListUnsubscribe(policy, { operation: OPERATION, baseUrl: bounds.baseUrl }),
      tracking: explainTracking(policy, { operation: OPERATION, baseUrl: bounds.baseUrl }),
      suppression: await explainSuppression(account, addressed, now),
    };
  };
}

function readRecipient(input: string): string {
  const parsed = parseAddress(input);
  if (parsed.ok) return parsed.address;
  throw validationFault([{ pointer: "/recipient", code: parsed.code, message: parsed.message }]);
}

async function policyOf(
  account: AccountStore,
  { by }: ExplainPolicyRequest,
  { bounds, actor }: Pick<ExplainPolicyOptions, "bounds"> & Pick<HandlerContext, "actor">,
): Promise<PolicyContent> {
  if (by.case === "policy") {
    // The explanation does not depend on a password.
    const given = withPasswords(by.value, () => "unsaid");
    return inField("policy", () => readPolicy(given, bounds, actor));
  }
  const name = by.value ?? "";
  const policy = name === "" ? await account.policies.findDefault() : await account.policies.find(name);
  if (!policy && name === "") {
    throw fault("policy.not_found", { public: say("no_default_policy") });
  }
  if (!policy) throw noSuchPolicy(name);
  return policy;
}

/** Adds the name of the field to the pointers of a fault. */
function inField<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Fault) || error.errors.length === 0) throw error;
    throw validationFault(error.errors.map((one) => ({ ...one, pointer: `/${field}${one.pointer}` })));
  }
}

function explainRule(
  { rule }: Decision,
  { domain, policy }: { readonly domain: string; readonly policy: Pick<PolicyDocument, "rules"> },
): MessageInitShape<typeof RuleExplanationSchema> {
  const reason = ruleReason({ rule, rules: policy.rules?.length ?? 0 }, domain);
  return { pattern: "", ...rule, ...reasonFields(reason) };
}

function explainRetry(
  policy: PolicyContent,
  now: Date,
  bounds: PolicyBounds,
): MessageInitShape<typeof RetryExplanationSchema> {
  const { attemptsAt, hasMore, expiresAt } = planAttempts(policy, { now, bounds, most: MAX_ATTEMPTS });
  const waits = policy.retryWaitsMs ?? WAITS_MS;
  const schedule = policy.retryWaitsMs ? "policy" : "installation";
  const origin = policy.maxAgeMs === undefined ? "installation" : "policy";
  const reason = phrases(
    phrase("retry.schedule", { schedule }),
    phrase("retry.expiry", { at: expiresAt.toISOString(), origin }),
  );
  return {
    waitsSeconds: waits.map(seconds),
    attempts: attemptsAt.map((at, index) => ({
      number: index + 1,
      at: timestampFromDate(at),
      waitSeconds: seconds(at.getTime() - (attemptsAt[index - 1] ?? at).getTime()),
    })),
    more: hasMore,
    expiresAt: timestampFromDate(expiresAt),
    ...reasonFields(reason),
  };
}

async function explainSuppression(
  account: AccountStore,
  addressed: Addressed,
  now: Date,
): Promise<MessageInitShape<typeof SuppressionExplanationSchema>> {
  const { documents, unreadable } = await account.suppressions.findAmong(scopesOf(addressed), now);
  const entry = decisiveEntry(documents, addressed);
  if (entry) return { suppressed: true, ...reasonFields(describeSuppression(entry, "stops")) };
  const [doubt] = unreadable;
  if (doubt) return { suppressed: true, ...reasonFields(phrase("suppression.unreadable", { id: doubt.id })) };
  return { suppressed: false, ...reasonFields(phrase("suppression.none")) };
}
