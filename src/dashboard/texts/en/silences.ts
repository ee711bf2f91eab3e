import { plural } from "../plural.ts";

// Texts of silences.

const words = { one: "open incident", other: "open incidents" };
const alertWords = { one: "alert", other: "alerts" };

export const silences = {
  title: "Silences",
  detail:
    "A silence suppresses the notices of matching alerts for a time, or every week. Incidents still open.",
  empty: "No silences yet",
  emptyDetail:
    "For example, silence the backup host every Sunday from 2 to 4. You see what a silence suppresses first.",
  emptyFiltered: "No silence matches these filters",
  create: "Create a silence",
  createDetail: "Alerts that are still active at the end of the silence are notified then.",
  ofIncident: "Silence this",
  state: "State",
  states: { active: "In effect", pending: "Planned", expired: "Ended" } as Readonly<Record<string, string>>,
  stateDetails: {
    active: "Notices of matching alerts are suppressed.",
    pending: "Until then, matching alerts are notified.",
    expired: "An ended silence cannot be changed. You can begin a new one like it.",
  } as Readonly<Record<string, string>>,
  activeUntil: (at: string) => `In effect until ${at}.`,
  activeWithoutEnd: "In effect without an end.",
  startsAt: (at: string) => `It starts at ${at}.`,
  endedAt: (at: string) => `It ended at ${at}.`,
  fromTo: (start: string, end: string) => `${start} to ${end}`,
  daily: "Every day",
  createdBy: "Created by",
  createdByAt: (by: string) => `Created by ${by} at`,
  created: "Created",

  conditions: "Conditions",
  conditionsDetail: "Without conditions, the silence matches every alert.",
  times: "Time",
  kinds: { once: "Once", weekly: "Every week" },
  start: "Start",
  startDetail: "Empty: at once.",
  end: "End",
  endDetail: "At most one year ahead.",
  weeklyEndDetail: "Empty: every week until you end it.",
  lasting: "Duration",
  spans: { "60": "1 hour", "240": "4 hours", "1440": "1 day", "10080": "1 week" },
  inZone: (zone: string) => `Start and end are in the time zone of this browser, ${zone}.`,
  window: (number: number) => `Window ${number}`,
  addWindow: "Add a window",
  zone: "Time zone of the windows",
  zoneDetail: "The windows follow its local time, also when clocks change.",
  comment: "Comment",
  reason: "Reason",
  reasonDetail: "Other members see it in the list.",

  preview: "Preview",
  previewList: "Open incidents with matching alerts",
  counting: "Counting…",
  incomplete: "Fill in the conditions to see what the silence suppresses.",
  suppresses: (count: number, isAll: boolean) => {
    if (count === 0 && isAll) return "Suppresses no open incident now.";
    return `Suppresses ${isAll ? "" : "at least "}${plural(count, words)} while it is in effect.`;
  },
  suppressesPartly: (count: number) =>
    `${plural(count, { one: "more open incident has", other: "more open incidents have" })} matching alerts beside others, and stay${count === 1 ? "s" : ""} notified.`,
  past: (count: number) => `It matches ${plural(count, alertWords)} of the last seven days.`,
  pastSince: (count: number, since: string) => `It matches ${plural(count, alertWords)} since ${since}.`,
  pastInWindows: "Only alerts in the windows count.",
  isBroad:
    "It suppresses nearly all alerts, or critical alerts of every kind. Hermod asks for a confirmation before it stores the silence.",
  matching: "Matching",
  matchingOf: (matching: number, firing: number) => `${matching} of ${firing}`,
  moreIncidents: (count: number) => `${plural(count, { one: "more incident", other: "more incidents" })}.`,
  broadTitle: "Suppress nearly everything",
  broadDetail:
    "The silence matches critical alerts or several severities whatever their other fields, or nearly all of the latest alerts. Hermod sends no notices of them while the silence is in effect.",
  broadAction: "Silence them",

  saved: "The silence is saved.",
  saveDetail: "A change applies at once. Active alerts that the silence no longer suppresses are notified.",
  leaveDetail: "Your changes of this silence are not saved.",
  mayNotChange: "Your role can see this silence, but not change it.",
  jsonDetail: "The same settings as in the form, as the API takes them.",
  again: "Copy as a new silence",
  endNow: "End now",
  ended: "The silence has ended.",
  endTitle: "End the silence",
  endDetailNow:
    "Alerts that it suppresses are notified at once, if they are still active. An ended silence cannot be changed.",
};
