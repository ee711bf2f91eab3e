import type { Layer, Schedule, ScheduleContent } from "../../api/oncalls.ts";
import { plain } from "../../parts/drafts/draft-content.ts";
import type { DraftFormat } from "../../parts/drafts/use-draft.ts";
import { clockOf } from "../../parts/time.tsx";
import { t } from "../../texts/texts.ts";
import { dayAt, weeksOf } from "./calendar-days.ts";

const DAY_MS = 86_400_000;
const NINE_MS = 9 * 3_600_000;

/** The settings of a stored schedule, as a change sends them. */
export const contentOf = ({ settings: { name: _, ...content } }: Schedule): ScheduleContent =>
  scheduleFormat.tidy(content);

export const scheduleFormat: DraftFormat<ScheduleContent> = {
  // An empty description, and a list without windows, set nothing.
  tidy: ({ description, layers, ...rest }) =>
    plain({
      ...(description && { description }),
      layers: layers.map(({ windows = [], ...layer }) => ({
        ...layer,
        ...(windows.length > 0 && { windows }),
      })),
      ...rest,
    }),
};

/** A layer before the user changes it: weekly from this Monday at nine. @param number of the layer, from 1 */
export function newLayer(number: number, zone: string, now = Date.now()): Layer {
  const clock = clockOf(zone);
  const monday = weeksOf("week", dayAt(clock, now)).first;
  return {
    name: t.onCall.layerName(number),
    participants: [],
    starts_at: new Date(clock.momentOf(monday * DAY_MS + NINE_MS)).toISOString(),
    time_zone: zone,
    shift: { length: 1, unit: "week" },
    handover: { time: "09:00", weekday: 1 },
  };
}

/** The settings of a new schedule: the user alone, who also is the fallback. */
export function blankSchedule(
  { user_id, email }: { readonly user_id: string; readonly email: string },
  zone: string,
): ScheduleContent {
  return {
    layers: [{ ...newLayer(1, zone), participants: [{ user_id }] }],
    fallback_recipients: [email],
  };
}
