import type { IntelClient } from "../../api/workspaces.ts";
import { StateBadge } from "../../parts/state-badge.tsx";
import { numberText } from "../../texts/number-text.ts";
import { t } from "../../texts/texts.ts";

type Counted = Pick<IntelClient, "status" | "counts" | "score">;

/** Severity of the worst finding of a client's domains. */
export function ClientState({ client: { status, counts, score } }: { readonly client: Counted }) {
  if (status === "archived") return <StateBadge tone="idle">{t.clients.archived}</StateBadge>;
  if (counts.critical > 0) return <StateBadge tone="bad">{t.clients.critical(counts.critical)}</StateBadge>;
  if (counts.warning > 0) return <StateBadge tone="warn">{t.clients.warning(counts.warning)}</StateBadge>;
  if (score === null) return <StateBadge tone="idle">{t.intel.noScore}</StateBadge>;
  return <StateBadge tone="ok">{t.clients.healthy}</StateBadge>;
}

/** A mean score as text. */
export const scoreText = (score: number | null): string =>
  score === null ? t.intel.noScore : numberText(Math.round(score * 10) / 10);
