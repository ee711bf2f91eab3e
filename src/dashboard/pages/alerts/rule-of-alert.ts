import type { Condition, RuleContent, TestedAlert } from "../../api/rules.ts";

/** Settings of a rule that matches an alert and others like it: of the same type and source, and as severe. */
export function ruleOfAlert({ event_type, source, severity }: TestedAlert): RuleContent {
  const match: Condition[] = [
    { field: "event_type", op: "eq", value: event_type },
    { field: "source", op: "eq", value: source },
    ...(severity === "info" ? [] : [{ field: "severity", op: "gte", value: severity }]),
  ];
  return { match, effect: "notify", notify: {} };
}
