import type { CheckId } from "../catalogue.ts";
import type { Outcome } from "../score/outcomes.ts";
import { type Need, type Provider, type ProviderRule, providerRules } from "./rules.ts";

/** Facts about the mail that is sent in the domain's name. Missing: unknown. */
export interface SendingFacts {
  /** Highest number of messages in any 24 hours, ever. Gmail keeps the bulk sender status permanently. */
  readonly peakPerDay?: Readonly<Partial<Record<Provider, number>>>;
  /** 0 to 1, as the provider counts it: share of the mail in inboxes. */
  readonly complaintRate?: Readonly<Partial<Record<Provider, number>>>;
  /** Some of the mail is marketing or other subscribed mail. */
  readonly hasMarketing?: boolean;
  /** All such mail has the header fields for one-click unsubscription. */
  readonly hasOneClick?: boolean;
  /** Longest time for which an unsubscribed recipient continued to receive mail. */
  readonly unsubscribeHours?: number;
  /** All mail is sent over TLS. */
  readonly usesTls?: boolean;
}

/** A fact about own sending on which a verdict is based. */
export type SendingEvidence = `sending.${"complaints" | "one_click" | "unsubscribe" | "tls"}`;

export interface RuleVerdict extends Omit<ProviderRule, "need" | "fromPerDay"> {
  readonly status: "met" | "not_met" | "unknown";
  readonly evidence: readonly (CheckId | SendingEvidence)[];
}

/**
 * Judges each rule that applies to a sending domain. Rules for bulk senders are left out if the known volume is
 * lower, and rules for marketing mail if there is none.
 * @param outcomes of the sending domain
 */
export function evaluateRules(outcomes: readonly Outcome[], facts: SendingFacts): RuleVerdict[] {
  return providerRules
    .filter((rule) => mayApply(rule, facts))
    .map(({ need, fromPerDay: _, ...rule }) => {
      const { evidence, isMet } = evaluate(rule.provider, need, outcomes, facts);
      const status = isMet === undefined ? "unknown" : isMet ? "met" : "not_met";
      return { ...rule, status, evidence };
    });
}

function mayApply({ provider, need, fromPerDay = 0 }: ProviderRule, facts: SendingFacts): boolean {
  const isOfMarketing = need.kind === "one_click" || need.kind === "unsubscribe";
  if (isOfMarketing && facts.hasMarketing === false) return false;
  return (facts.peakPerDay?.[provider] ?? Number.POSITIVE_INFINITY) >= fromPerDay;
}

interface Evaluation {
  readonly evidence: RuleVerdict["evidence"];
  /** undefined: unknown. */
  readonly isMet: boolean | undefined;
}

function evaluate(
  provider: Provider,
  need: Need,
  outcomes: readonly Outcome[],
  facts: SendingFacts,
): Evaluation {
  switch (need.kind) {
    case "checks":
      return { evidence: need.anyOf.flat(), isMet: isAnyMet(need.anyOf, outcomes) };
    case "complaints": {
      const rate = facts.complaintRate?.[provider];
      return { evidence: ["sending.complaints"], isMet: rate === undefined ? undefined : rate < need.below };
    }
    case "unsubscribe": {
      const hours = facts.unsubscribeHours;
      return {
        evidence: ["sending.unsubscribe"],
        isMet: hours === undefined ? undefined : hours <= need.withinHours,
      };
    }
    case "one_click":
      return { evidence: ["sending.one_click"], isMet: hasOneClick(facts) };
    case "tls":
      return { evidence: ["sending.tls"], isMet: facts.usesTls };
  }
}

/** A missing header is no fault while all mail may be transactional. */
function hasOneClick({ hasOneClick: isSeen, hasMarketing }: SendingFacts): boolean | undefined {
  return isSeen === false && hasMarketing !== true ? undefined : isSeen;
}

function isAnyMet(sets: readonly (readonly CheckId[])[], outcomes: readonly Outcome[]): boolean | undefined {
  const verdicts = sets.map((set) => isSetMet(set, outcomes));
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function isSetMet(ids: readonly CheckId[], outcomes: readonly Outcome[]): boolean | undefined {
  const kinds = ids.map((id) => outcomes.find((outcome) => outcome.id === id)?.kind ?? "unmeasured");
  if (kinds.some((kind) => kind === "fail" || kind === "blocked")) return false;
  return kinds.includes("unmeasured") ? undefined : true;
}
