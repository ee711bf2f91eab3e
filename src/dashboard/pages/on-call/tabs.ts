import { readTexts } from "../../parts/read-texts.ts";
import { readVersionSearch, type VersionSearch } from "../../parts/version-search.ts";
import type { CalendarView } from "./calendar-days.ts";

export const onCallTabs = ["calendar", "overrides", "settings", "versions"] as const;
type OnCallTab = (typeof onCallTabs)[number];

export interface OnCallSearch extends VersionSearch {
  /** Missing: the calendar. */
  readonly tab?: Exclude<OnCallTab, "calendar"> | undefined;
  /** Missing: the month. */
  readonly view?: Exclude<CalendarView, "month"> | undefined;
  /** A day of the shown week or month, as `2030-03-31`. Missing: today. */
  readonly day?: string | undefined;
}

export function readOnCallSearch(search: Record<string, unknown>): OnCallSearch {
  const { tab, view, day } = readTexts(search, ["tab", "view", "day"]);
  const known = onCallTabs.find((one) => one === tab);
  return {
    ...(known && known !== "calendar" && { tab: known }),
    ...(view === "week" && { view }),
    ...(day && { day }),
    ...readVersionSearch(search),
  };
}
