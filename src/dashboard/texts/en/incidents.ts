import type { IncidentAction } from "../../api/incidents.ts";
import { plural } from "../plural.ts";

// Texts of incidents and of alerts.

const words = { one: "incident", other: "incidents" };

export const incidents = {
  title: "Incidents",
  detail: "Alerts that a rule notifies together, from the first to the last.",
  empty: "No incidents yet",
  emptyDetail: "An incident opens when an alert arrives that an alert rule notifies.",
  emptyFiltered: "No incident matches these filters",
  incident: "Incident",
  search: "Search incidents",
  searchHint: "Part of the title, or of the latest alert",
  state: "State",
  states: { open: "Open", acknowledged: "Acknowledged", resolved: "Resolved" } as Readonly<
    Record<string, string>
  >,
  severity: "Severity",
  severities: { critical: "Critical", warning: "Warning", info: "Info" } as Readonly<Record<string, string>>,
  snoozed: "Snoozed",
  sort: "Order",
  sorts: {
    newest: "Newest first",
    oldest: "Oldest first",
    updated: "Last change first",
    severity: "Highest severity first",
  },
  opened: "Opened",
  rule: "Rule",
  ruleVersion: (rule: string, version: number) => `${rule}, version ${version}`,
  assignee: "Assignee",
  nobody: "nobody",
  firing: "Active alerts",
  firingOf: (firing: string, alerts: string) => `${firing} of ${alerts}`,
  noneFiring: "No alert is active.",
  moreFiring: (count: number) =>
    `${plural(count, { one: "more alert is", other: "more alerts are" })} active.`,
  allAlerts: "All its alerts",
  notMailed: "The last notice could not be mailed",
  select: "Select",
  selectOne: (title: string) => `Select: ${title}`,
  selected: (count: number) => `${plural(count, words)} selected`,

  isOpen: "The incident is not acknowledged.",
  nextNotice: (at: string) => `The incident is not acknowledged. The next notice is due at ${at}.`,
  isAcknowledged: (at: string, by: string) =>
    by ? `${by} acknowledged the incident at ${at}.` : `The incident was acknowledged at ${at}.`,
  isSnoozed: (until: string, by: string) =>
    by ? `${by} snoozed the incident until ${until}.` : `The incident is snoozed until ${until}.`,
  isResolved: (at: string, by: string) =>
    by ? `${by} resolved the incident at ${at}.` : `The incident was resolved at ${at}.`,
  isResolvedBecause: (at: string, reason: string) => `The incident was resolved at ${at}: ${reason}.`,
  heldBy: {
    silenced: "A silence holds its notices.",
    inhibited: "An inhibition holds its notices.",
    quiet_hours: "Its notices wait for the end of the quiet hours.",
  } as Readonly<Record<string, string>>,
  flapping: "It resolves and opens again repeatedly.",
  trouble: (reason: string) => `The last notice could not be mailed: ${reason}.`,

  actions: {
    acknowledge: "Acknowledge",
    unacknowledge: "Withdraw the acknowledgment",
    unsnooze: "End the snooze",
    resolve: "Resolve",
    reopen: "Reopen",
  } satisfies Readonly<Record<IncidentAction, string>>,
  actionDetails: {
    resolve:
      "Recipients of its notices get a notice of the end. An alert that is reported as active again opens a new incident.",
    reopen: "The incident is open again, with the alerts that are still active. Its recipients are notified.",
  },
  failed: "Nothing was changed",
  failedDetail: "Hermod refused the change.",
  assign: "Assign",
  assignDetail: "The member who works on the incident. Notices stay as they are.",
  snooze: "Snooze",
  snoozeDetail:
    "No notices until then, except that of its end. A higher severity or a new critical alert ends the snooze earlier.",
  snoozeFor: "For",
  snoozeUntil: "Until a time",
  spans: { "30": "30 minutes", "60": "1 hour", "240": "4 hours", "1440": "1 day" },
  note: "Note",
  noteDetail: "For members of the account. A note cannot be changed.",
  addNote: "Add the note",
  meant: (count: number, more: boolean) =>
    more
      ? `More than ${plural(count, words)} are selected.`
      : `${plural(count, words)} ${count === 1 ? "is" : "are"} selected.`,
  possible: (action: string, count: number) =>
    count === 0
      ? `"${action}" is possible for none of them.`
      : `"${action}" is possible for ${plural(count, words)} of them now. The others are skipped, each with its reason.`,
  frozen: "Incidents that open after this count are not included.",
  begin: (action: string, count: number) => `${action}: ${plural(count, words)}`,

  history: "History",
  kinds: {
    opened: "Opened",
    reopened: "Reopened",
    risen: "Higher severity",
    held: "Notices held",
    notice: "Notice",
    notice_failed: "Notice failed",
    acknowledged: "Acknowledged",
    unacknowledged: "Acknowledgment withdrawn",
    snoozed: "Snoozed",
    snooze_ended: "Snooze ended",
    assigned: "Assigned",
    resolved: "Resolved",
  } as Readonly<Record<string, string>>,
  noteOf: (by: string) => `Note of ${by}`,
  message: (number: number) => `Message ${number}`,
  since: "Problem since",
  received: "Alerts received",
  receivedOf: (alerts: string, occurrences: string) => `${alerts}, of them ${occurrences} as active`,
  notices: "Notices",
  lastNotice: "Last notice",
  nextNoticeAt: "Next notice",
  id: "Id",
};

export const alerts = {
  title: "Alerts",
  detail: "Reports of your programs and monitors, with the results of the rules.",
  empty: "No alerts yet",
  emptyDetail: "Send alerts with an API key. The API reference shows the request.",
  emptyFiltered: "No alert matches these filters",
  unmatched: "Alerts without a rule",
  alert: "Alert",
  search: "Search alerts",
  searchHint: "Part of the message, source, event type or entity",
  outcome: "Result",
  outcomes: { routed: "Notified", suppressed: "Held", unmatched: "No rule" } as Readonly<
    Record<string, string>
  >,
  outcomeTexts: {
    routed: "A rule notified the alert, or will notify it.",
    suppressed: "Rules match the alert, and none sent a notice when it arrived.",
    unmatched: "No rule matched the alert. It is stored, and no notice was sent.",
  } as Readonly<Record<string, string>>,
  statuses: { resolved: "resolved", acknowledged: "acknowledged" } as Readonly<Record<string, string>>,
  reasons: {
    grouped: "The next notice of the incident has the alert.",
    deduplicated: "A notice with the same state was sent or is due.",
    acknowledged: "The incident was acknowledged.",
    snoozed: "The incident was snoozed.",
    silenced: "A silence held the notice.",
    inhibited: "An inhibition held the notice.",
    quiet_hours: "The notice waited for the end of the quiet hours.",
    rate_ceiling: "The limit of mails was reached. A digest has the alert.",
    not_mailed: "The rule sends no mail for this change.",
    dropped: "The rule drops the alert.",
    stopped: "The rule was disabled or removed while the incident was open.",
    outdated: "A later report of the same alert had already arrived.",
  } as Readonly<Record<string, string>>,
  nextAt: (at: string) => `Next: ${at}.`,
  incident: (number: number) => `Incident ${number}`,
  eventType: "Event type",
  source: "Source",
  entity: "Entity",
  received: "Received",
  since: "Since",
  reports: "Reports",
  filters: { source: "Source", rule: "Rule", incident_id: "Incident" },
  rulesThen: "Rules at that time",
  noRulesThen: "The account had no alert rules.",
  deciding: "Conditions that decide",
  makeRule: "Make a rule of this",
  traceId: "Trace id",
  key: "API key",
  content: "Content",
  plot: {
    title: "Active alerts",
    period: "Time span",
    periods: { "24h": "24 hours", "7d": "7 days", "30d": "30 days" },
    measuredSince: (at: string) => `Counted since ${at}.`,
    openPoint: (label: string) => `Alerts of ${label}`,
  },
};
