import type { Webhook } from "../../api/webhooks.ts";
import type { Tone } from "../../parts/icons.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

type Stated = Pick<Webhook, "disabled" | "failing_since">;

/** Color of an endpoint's state. */
export function toneOf({ disabled, failing_since }: Stated): Tone {
  if (disabled) return disabled.reason === "owner" ? "idle" : "bad";
  return failing_since === undefined ? "ok" : "warn";
}

/** Enabled, failing since a time, or disabled with the reason. */
export function WebhookState({ webhook }: { readonly webhook: Stated }) {
  return <StateBadge tone={toneOf(webhook)}>{stateText(webhook, new Date())}</StateBadge>;
}

function stateText({ disabled, failing_since }: Stated, now: Date): string {
  if (disabled) return t.webhooks.disabledFor[disabled.reason] ?? t.webhooks.states.disabled;
  if (failing_since === undefined) return t.webhooks.states.enabled;
  return t.webhooks.failingSince(timeText(failing_since, now, true));
}

/** Event types of an endpoint in a few words. */
export function typesText({ types }: Pick<Webhook, "types">): string {
  if (types.length === 0) return t.webhooks.allTypes;
  return types.length > 2 ? t.webhooks.typeCount(types.length) : types.join(", ");
}
