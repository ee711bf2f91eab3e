import type { AlertRule, RuleContent } from "../../api/rules.ts";
import { plain } from "../../parts/drafts/draft-content.ts";
import type { DraftFormat } from "../../parts/drafts/use-draft.ts";
import { readJson } from "./read-json.ts";

/** The settings of a stored rule, as a change sends them. */
export function contentOf({ name: _, ...settings }: AlertRule["settings"]): RuleContent {
  return tidy(settings);
}

/** The same settings without fields that set nothing. */
export function tidy(content: RuleContent): RuleContent {
  const { description, match, any, notify } = content;
  return plain({
    ...content,
    description: description || undefined,
    match: filled(match),
    any: filled(any),
    // A rule that drops alerts sends no notices.
    notify: content.effect === "drop" ? undefined : notify && tidyNotification(notify),
  });
}

function tidyNotification(notify: NonNullable<RuleContent["notify"]>): RuleContent["notify"] {
  const { from, routing_policy, template, group_by, recipients, escalation, time_zone, quiet_hours } = notify;
  const steps = escalation?.map((step) => ({ ...step, ...tidyReceivers(step) }));
  return {
    ...notify,
    from: from || undefined,
    routing_policy: routing_policy || undefined,
    template: template || undefined,
    time_zone: time_zone || undefined,
    recipients: filled(recipients),
    group_by: filled(group_by),
    ...tidyReceivers(notify),
    escalation: filled(steps),
    quiet_hours: quiet_hours?.windows.length ? quiet_hours : undefined,
  };
}

const tidyReceivers = ({
  on_call_schedules,
  targets,
}: Pick<NonNullable<RuleContent["notify"]>, "on_call_schedules" | "targets">) => ({
  on_call_schedules: filled(on_call_schedules),
  targets: filled(targets),
});

const filled = <Item>(list: Item[] | undefined): Item[] | undefined => (list?.length ? list : undefined);

export const ruleFormat: DraftFormat<RuleContent> = { read: readJson, tidy };
