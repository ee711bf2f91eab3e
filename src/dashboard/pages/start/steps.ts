import type { StartFacts } from "../../api/start.ts";

/** A step of the checklist, with the time when it was done. */
export interface Step {
  readonly name: "sent" | "key" | "domain" | "delivered" | "webhook" | "rule" | "watched";
  /** ISO 8601; null: not yet. */
  readonly doneAt: string | null;
}

/** The first steps of an account, in the most common order. */
export function stepsOf(facts: StartFacts): Step[] {
  const sent = [facts.first_captured_at, facts.first_delivered_at].filter((at) => at !== null).sort();
  return [
    { name: "sent", doneAt: sent[0] ?? null },
    { name: "key", doneAt: facts.key_used_at },
    { name: "domain", doneAt: facts.domain_verified_at },
    { name: "delivered", doneAt: facts.first_delivered_at },
    { name: "webhook", doneAt: facts.webhook_answered_at },
    { name: "rule", doneAt: facts.rule_created_at },
    { name: "watched", doneAt: facts.domain_watched_at },
  ];
}
