import type { Template } from "../../api/templates.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import { t } from "../../texts/texts.ts";

interface TemplateStateProps {
  readonly template: Pick<Template, "published_version" | "draft_saved_at">;
  /** Whether the draft differs from the published text. */
  readonly isChanged: boolean;
}

/** Whether messages can use a template, and whether it has changes that they do not use. */
export function TemplateState({ template, isChanged }: TemplateStateProps) {
  if (template.published_version === 0)
    return <StateBadge tone="idle">{t.templates.states.unpublished}</StateBadge>;
  return isChanged ? (
    <StateBadge tone="warn">{t.templates.changed}</StateBadge>
  ) : (
    <StateBadge tone="ok">{t.templates.states.published}</StateBadge>
  );
}
