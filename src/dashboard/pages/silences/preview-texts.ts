import type { SilencePreview } from "../../api/silences.ts";
import { timeText } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";

/** The open incidents of a preview, in sentences. */
export function incidentTexts({
  incidents,
  partial_incidents: partial,
  all_incidents_read: isAll,
}: SilencePreview): string[] {
  return [
    t.silences.suppresses(incidents, isAll),
    ...(partial > 0 ? [t.silences.suppressesPartly(partial)] : []),
  ];
}

/** The past alerts of a preview, in a sentence. */
export function pastText(
  { alerts, since, all_alerts_read: isAll }: SilencePreview,
  isWeekly: boolean,
  now = new Date(),
): string {
  const text = isAll ? t.silences.past(alerts) : t.silences.pastSince(alerts, timeText(since, now, true));
  return isWeekly ? `${text} ${t.silences.pastInWindows}` : text;
}
