import type {
  Policy,
  PolicyLimits,
  RecipientRule,
  RetrySchedule,
  Tracking,
} from "../../../gen/hermod/policy/v1/policy_service_pb.ts";
import { parseDomain } from "../../message/address/senders.ts";
import { trackingBaseFault, unsubscribeBaseFault } from "../../message/unsubscribe/base-url.ts";
import { validationFault } from "../../shared/fault.ts";
import { say } from "../../shared/fault-text.ts";
import { isResourceName } from "../../shared/resource-name.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import type * as documents from "../../store/policy-document.ts";
import type {
  PolicyAuthor,
  PolicyDocument,
  Priority,
  TrackingSettings,
} from "../../store/policy-document.ts";
import type { PolicyBounds } from "../dependencies.ts";
import { createFieldFaults, type FieldFaults, pointer } from "../field-faults.ts";
import { checkServers } from "./check-servers.ts";
import { readSource } from "./read-source.ts";
import { readTransports } from "./read-transports.ts";

const priorities: readonly Priority[] = ["transactional", "bulk"];
const DAY_SECONDS = 86_400;
const MAX_RULES = 100;
const MAX_DOMAINS = 1000;
const MAX_WAITS = 50;
const MAX_WAIT_SECONDS = 7 * DAY_SECONDS;
const MIN_AGE_SECONDS = 60;
export const MAX_AGE_SECONDS = 14 * DAY_SECONDS;

/** Content of a policy in a request. */
export type PolicyContent = Omit<
  PolicyDocument,
  "_id" | "accountId" | "updatedAt" | "revision" | "retiredAt" | "expireAt"
>;

/**
 * Reads and validates a complete policy for this author. List items beyond the limit are not read.
 * @throws Fault request.validation_failed with all errors
 */
export function readPolicy(
  policy: Policy | undefined,
  bounds: PolicyBounds,
  storedBy: PolicyAuthor = "operator",
): PolicyContent {
  const faults = createFieldFaults();
  const name = readName(policy?.name ?? "", faults);
  const transports = readTransports(policy?.transports ?? [], ["transports"], faults);
  const rules = readRules(policy?.rules ?? [], faults);
  const retryWaitsMs = readWaits(policy?.retry, faults);
  const maxAgeMs = readMaxAge(policy?.maxAgeSeconds, bounds, faults);
  checkFirstWait(retryWaitsMs?.[0], maxAgeMs, bounds, faults);
  const priority = readPriority(policy?.priority ?? "", faults);
  const limits = readLimits(policy?.limits, faults);
  const source = readSource(policy?.source, faults);
  const listUnsubscribe = policy?.listUnsubscribe ?? false;
  const baseFault = listUnsubscribe ? unsubscribeBaseFault(bounds.baseUrl) : undefined;
  if (baseFault !== undefined) faults.add("/list_unsubscribe", "field.invalid", baseFault);
  const tracking = readTracking(policy?.tracking, bounds, faults);
  const isTooLong = faults.found.some(({ code }) => code === "field.too_many");
  if (policy && storedBy === "account" && !bounds.allowPrivate && !isTooLong) checkServers(policy, faults);
  if (faults.found.length > 0) throw validationFault(faults.found);
  return {
    name,
    default: policy?.default ?? false,
    transports,
    ...(rules.length > 0 && { rules }),
    priority,
    ...withoutUndefined({ retryWaitsMs, maxAgeMs, limits, source }),
    ...(listUnsubscribe && { listUnsubscribe }),
    ...(tracking && { tracking }),
    storedBy,
  };
}

function readTracking(
  { opens = false, clicks = false }: Partial<Pick<Tracking, "opens" | "clicks">> = {},
  { baseUrl }: PolicyBounds,
  faults: FieldFaults,
): TrackingSettings | undefined {
  if (!opens && !clicks) return undefined;
  const fault = trackingBaseFault(baseUrl);
  if (fault !== undefined) faults.add("/tracking", "field.invalid", fault);
  return { opens, clicks };
}

function readName(name: string, faults: FieldFaults): string {
  if (isResourceName(name)) return name;
  faults.add("/name", "field.invalid", say("policy_name"));
  return name;
}

function readRules(given: readonly RecipientRule[], faults: FieldFaults): documents.RecipientRule[] {
  if (given.length > MAX_RULES) faults.add("/rules", "field.too_many", say("most_rules", { max: MAX_RULES }));
  const count = given.reduce((sum, { domains }) => sum + domains.length, 0);
  if (count > MAX_DOMAINS) {
    faults.add(
      "/rules",
      "field.too_many",
      say("rules_name_domains_most", { actual: count, max: MAX_DOMAINS }),
    );
    return [];
  }
  const positionOf = new Map<string, string>();
  return given.slice(0, MAX_RULES).map((rule, index) => {
    if (rule.domains.length === 0) {
      faults.add(pointer("rules", index, "domains"), "field.required", say("rule_names_least_one_domain"));
    }
    const domains = rule.domains.flatMap((input, n) => {
      const at = pointer("rules", index, "domains", n);
      const domain = readRuleDomain(input, at, faults);
      const earlier = domain === undefined ? undefined : positionOf.get(domain);
      if (earlier !== undefined)
        faults.add(at, "field.invalid", say("stands_already", { given: domain ?? "", pointer: earlier }));
      else if (domain !== undefined) positionOf.set(domain, at);
      return domain ?? [];
    });
    return { domains, transports: readTransports(rule.transports, ["rules", index, "transports"], faults) };
  });
}

function readRuleDomain(input: string, at: string, faults: FieldFaults): string | undefined {
  if (input === "*") {
    const message = say("recipients_no_rule_what_policy_own");
    faults.add(at, "field.invalid", message);
    return undefined;
  }
  const isWildcard = input.startsWith("*.");
  // A wildcard may match a whole top-level domain, although the top-level domain itself receives no mail.
  const result = parseDomain(isWildcard ? `x${input.slice(1)}` : input);
  if (result.ok) return isWildcard ? `*${result.domain.slice(1)}` : result.domain;
  faults.add(at, result.code, result.message);
  return undefined;
}

function readWaits(retry: RetrySchedule | undefined, faults: FieldFaults): number[] | undefined {
  if (!retry) return undefined;
  const waits = retry.waitsSeconds;
  if (waits.length === 0) {
    faults.add("/retry/waits_seconds", "field.required", say("schedule_least_one_wait"));
  }
  if (waits.length > MAX_WAITS)
    faults.add("/retry/waits_seconds", "field.too_many", say("most_waits", { max: MAX_WAITS }));
  for (const [index, seconds] of waits.slice(0, MAX_WAITS).entries()) {
    if (seconds >= 1 && seconds <= MAX_WAIT_SECONDS) continue;
    const message = say("wait_range", { max: MAX_WAIT_SECONDS });
    faults.add(pointer("retry", "waits_seconds", index), "field.invalid", message);
  }
  return waits.map((seconds) => seconds * 1000);
}

function readMaxAge(
  seconds: number | undefined,
  { longestAgeMs = Number.POSITIVE_INFINITY }: PolicyBounds,
  faults: FieldFaults,
): number | undefined {
  if (seconds === undefined) return undefined;
  if (seconds < MIN_AGE_SECONDS || seconds > MAX_AGE_SECONDS) {
    const message = say("max_age_range", { max: MAX_AGE_SECONDS });
    faults.add("/max_age_seconds", "field.invalid", message);
  } else if (seconds * 1000 > longestAgeMs) {
    const most = Math.floor(longestAgeMs / 1000);
    const message = say("bodies_kept_hermod_content_retention_days", { max: most });
    faults.add("/max_age_seconds", "field.conflict", message);
  }
  return seconds * 1000;
}

/** A message that expires before the first wait is over would have only one attempt. */
function checkFirstWait(
  firstWaitMs = 0,
  maxAgeMs: number | undefined,
  bounds: PolicyBounds,
  faults: FieldFaults,
): void {
  if (firstWaitMs <= (maxAgeMs ?? bounds.maxAgeMs)) return;
  if (maxAgeMs !== undefined) {
    const message = say("maximum_age_shorter_than_first_wait");
    faults.add("/max_age_seconds", "field.conflict", message);
    return;
  }
  const message = say("wait_longer_than_hermod_max_age");
  faults.add("/retry/waits_seconds/0", "field.conflict", message);
}

function readPriority(given: string, faults: FieldFaults): Priority {
  const priority = priorities.find((one) => one === (given || "transactional"));
  if (priority === undefined) {
    faults.add("/priority", "field.invalid", say("none_of", { given, allowed: priorities }));
  }
  return priority ?? "transactional";
}

function readLimits(
  given: PolicyLimits | undefined,
  faults: FieldFaults,
): documents.PolicyLimits | undefined {
  const { concurrency, messagesPerMinute } = given ?? {};
  const read = [
    ["concurrency", concurrency],
    ["messages_per_minute", messagesPerMinute],
  ] as const;
  for (const [field, value] of read) {
    if (value !== 0) continue;
    faults.add(pointer("limits", field), "field.invalid", say("limit_least_1_without_one_leave"));
  }
  if (concurrency === undefined && messagesPerMinute === undefined) return undefined;
  return withoutUndefined({ concurrency, messagesPerMinute });
}
