import { clockTime } from "../shared/clock-time.ts";
import { type AlertSummary, type Incident, type Notice, occurrencesOf, sinceOf } from "./incident.ts";
import { clippedLines, oneLine, titleWith } from "./incident-title.ts";
import { contextRows } from "./kept-context.ts";

/** Values for alert templates, listed in docs/reference/alerts.md. */
export interface NoticeData {
  readonly [name: string]: unknown;
  readonly state_line: string;
}

export interface NoticeView {
  readonly incident: Incident;
  readonly notice: Notice;
  /** Time zone for times. */
  readonly zone: string;
  /** Link to the page for the acknowledgement; undefined if there is none. */
  readonly link: string | undefined;
}

const MAX_ROWS = 40;
const MAX_VALUE = 500;
const MAX_MESSAGE = 2_000;
const MAX_MESSAGE_LINES = 200;
const MAX_LINES_LENGTH = 5_000;
const MAX_LINE = 200;

/** Texts of a notice, each safe on one line, and the lines of the message. */
export function noticeData({ incident, notice, zone, link }: NoticeView) {
  const [newest] = notice.alerts;
  const latest = newest ?? incident.latest;
  const message = clippedLines(latest.message, MAX_LINES_LENGTH, MAX_MESSAGE_LINES);
  const rows = contextRows(notice.context);
  const resolvedAt = endOf(incident, notice);
  return {
    incident_id: incident._id,
    rule: incident.ruleName,
    title: noticeTitle(incident, notice),
    state: stateOf(notice),
    state_line: stateLine(incident, notice, zone),
    reason: notice.reason,
    flapping: incident.flapping === true,
    ...alertData(latest, zone, MAX_MESSAGE),
    message_lines: message.lines,
    message_more: moreText(message.more, "character"),
    // Highest severity so far, which can differ from that of the latest alert.
    severity: notice.severity,
    alerts: notice.alerts.map((alert) => alertData(alert, zone, MAX_LINE)),
    count: notice.alerts.length + notice.more,
    more: notice.more,
    occurrences: occurrencesOf(incident),
    context: rows.slice(0, MAX_ROWS).map(({ name, value }) => ({
      name: oneLine(name, MAX_LINE),
      value: oneLine(value, MAX_VALUE),
    })),
    context_more: moreText(rows.length - MAX_ROWS, "value", notice.isContextPart),
    links: notice.links.map(({ href, text }) => ({ href, text: oneLine(text, MAX_LINE) })),
    since: clockTime(sinceOf(incident), zone),
    opened_at: clockTime(incident.openedAt, zone),
    resolved_at: resolvedAt ? clockTime(resolvedAt, zone) : "",
    link: link ?? "",
  } satisfies NoticeData;
}

/** Subject of a notice, without the reply prefix. */
export function noticeTitle(incident: Incident, { title, severity }: Notice): string {
  return titleWith(severity, title ?? incident.title);
}

/** Text such as `3,200 more characters`. Empty if nothing is omitted. */
function moreText(count: number, unit: string, isLeast = false): string {
  if (count <= 0) return "";
  return `${isLeast ? "at least " : ""}${count.toLocaleString("en-US")} more ${unit}${count === 1 ? "" : "s"}`;
}

function alertData(alert: AlertSummary, zone: string, most: number) {
  const entity = [alert.entityType, alert.entityId].filter(Boolean).join(" ");
  return {
    severity: alert.severity,
    event_type: oneLine(alert.eventType, MAX_LINE),
    source: oneLine(alert.source, MAX_LINE),
    message: oneLine(alert.message, most),
    entity: oneLine(entity, MAX_LINE),
    at: clockTime(alert.occurredAt ?? alert.at, zone),
  };
}

function stateOf({ state }: Notice): "FIRING" | "ACKNOWLEDGED" | "RESOLVED" {
  if (state === "resolved") return "RESOLVED";
  return state === "acknowledged" ? "ACKNOWLEDGED" : "FIRING";
}

/** Time of the resolution. A member may have reopened the incident since the notice of it. */
function endOf({ resolvedAt }: Incident, { state, at }: Notice): Date | undefined {
  return resolvedAt ?? (state === "resolved" ? at : undefined);
}

const REASONS: Readonly<Record<Notice["reason"], string>> = {
  first: "",
  new: ", new alerts",
  severity: ", higher severity",
  repeat: ", still active",
  escalation: ", not acknowledged",
  snooze_ended: ", the snooze ended",
  reopened: ", reopened",
  resolved: "",
};

function stateLine(incident: Incident, notice: Notice, zone: string): string {
  const { firing } = incident;
  const resolvedAt = endOf(incident, notice);
  const began = sinceOf(incident);
  const occurrences = occurrencesOf(incident);
  const flapping = incident.flapping ? " This incident is flapping." : "";
  if (notice.state === "resolved" && resolvedAt)
    return `RESOLVED (${notice.severity}) after ${duration(resolvedAt.getTime() - began.getTime())}.${flapping}`;
  const since = clockTime(began, zone);
  const alerts = firing === 1 ? "1 alert" : `${firing} alerts`;
  const times = occurrences > firing ? `, ${occurrences} occurrences` : "";
  return `${stateOf(notice)} (${notice.severity}) since ${since}${REASONS[notice.reason]}: ${alerts}${times}.${flapping}`;
}

const MINUTE_MS = 60_000;

/** Text such as `12 min` or `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours < 48) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
