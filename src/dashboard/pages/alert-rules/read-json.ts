import type { RuleContent } from "../../api/rules.ts";
import {
  anyOf,
  type Check,
  flag,
  list,
  number,
  object,
  type ReadJson,
  readJsonAs,
  text,
} from "../../parts/drafts/json-shape.ts";

const plain = anyOf(text, number, flag);

/** The shape of a condition of an alert rule or an inhibition. */
export const conditionShape: Check = object({ field: text, op: text, value: anyOf(plain, list(plain)) }, [
  "field",
  "op",
  "value",
]);

const quietHours = object(
  {
    time_zone: text,
    windows: list(object({ days: list(number), from: text, to: text }, ["from", "to"])),
    hold_critical: flag,
  },
  ["time_zone", "windows"],
);

const notification = object({
  recipients: list(text),
  on_call_schedules: list(text),
  targets: list(text),
  from: text,
  routing_policy: text,
  template: text,
  group_by: list(text),
  one_incident: flag,
  wait_seconds: number,
  interval_seconds: number,
  repeat_seconds: number,
  resolved_mail: flag,
  auto_resolve_seconds: number,
  quiet_hours: quietHours,
  time_zone: text,
  mails_per_hour: number,
  digest_seconds: number,
  escalation: list(
    object(
      { after_seconds: number, recipients: list(text), on_call_schedules: list(text), targets: list(text) },
      ["after_seconds", "recipients"],
    ),
  ),
  escalation_rounds: number,
});

const shape = object({
  description: text,
  order: number,
  enabled: flag,
  match: list(conditionShape),
  any: list(conditionShape),
  stop: flag,
  only_unmatched: flag,
  effect: text,
  notify: notification,
});

/** Settings of an alert rule from a text. */
export const readJson = (source: string): ReadJson<RuleContent> => readJsonAs(shape, source);
