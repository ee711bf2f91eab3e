import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type {
  FindIncidentLinkResponse,
  FiringThing,
  IncidentEntry,
} from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import { clockTime } from "../shared/clock-time.ts";
import { escapeHtml } from "../shared/escape-html.ts";
import { htmlPage } from "./html-page.ts";

/** State of an incident, with its actions. Opening the link changes nothing. */
export function incidentPage(
  page: Pick<FindIncidentLinkResponse, "incident" | "timeZone" | "firing" | "history">,
): string {
  const { incident } = page;
  if (!incident) return invalidIncidentLinkPage();
  const { title, state, occurrences, firing, since, acknowledgedBy, resolvedBy, latest } = incident;
  // A core of an earlier version gives no time zone.
  const timeZone = page.timeZone || "UTC";
  const sentences: Readonly<Record<string, string>> = {
    open: "Not acknowledged.",
    acknowledged: `Acknowledged by ${escapeHtml(acknowledgedBy)}.`,
    resolved: `Resolved: ${escapeHtml(resolvedBy)}.`,
  };
  const messages = page.firing.length > 0 ? page.firing : [{ latest, since, count: 1 }];
  return htmlPage(
    state === "resolved"
      ? "Incident resolved"
      : state === "acknowledged"
        ? "Incident acknowledged"
        : "Incident",
    `<p><strong>${escapeHtml(title)}</strong></p>
      <p>Since ${time(since, timeZone)}: ${counted(firing, "active alert")}, ${counted(occurrences, "occurrence")}. ${sentences[state] ?? ""}</p>
      ${actions(state)}
      ${messages.map((one) => messageOf(one, timeZone)).join("\n      ")}
      ${firing > messages.length ? `<p>and ${counted(firing - messages.length, "more alert")}</p>` : ""}
      ${historyOf(page.history, timeZone)}`,
  );
}

function actions(state: string): string {
  if (state === "resolved") return "";
  const acknowledge = state === "open" ? button("acknowledge", "Acknowledge") : "";
  return `<div class="actions">${acknowledge}${button("resolve", "Resolve")}</div>`;
}

function messageOf({ latest, since }: Pick<FiringThing, "latest" | "since">, zone: string): string {
  const { severity = "", message = "", entityType = "", entityId = "" } = latest ?? {};
  const about = [`[${severity}]`, entityType, entityId].filter(Boolean).join(" ");
  return `<div class="entry"><p class="lines">${escapeHtml(message)}</p><p class="dim">${escapeHtml(about)}, since ${time(since, zone)}</p></div>`;
}

const KINDS: Readonly<Record<string, string>> = {
  opened: "Opened",
  risen: "Severity raised",
  held: "Mail suppressed",
  notice: "Mail sent",
  notice_failed: "Mail failed",
  acknowledged: "Acknowledged",
  unacknowledged: "Acknowledgment withdrawn",
  snoozed: "Snoozed",
  snooze_ended: "Snooze ended",
  reopened: "Reopened",
  resolved: "Resolved",
};

function historyOf(history: readonly IncidentEntry[], zone: string): string {
  if (history.length === 0) return "";
  const entries = history.map(({ at, kind, detail }) => {
    const text = [KINDS[kind] ?? kind, detail].filter(Boolean).join(": ");
    return `<li>${escapeHtml(text)}<br><span class="dim">${time(at, zone)}</span></li>`;
  });
  return `<h2>History</h2>
      <ol class="history">${entries.join("")}</ol>`;
}

function time(at: Timestamp | undefined, zone: string): string {
  if (!at) return "an unknown time";
  const date = timestampDate(at);
  return `<time datetime="${date.toISOString()}">${escapeHtml(clockTime(date, zone))}</time>`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function button(action: string, label: string): string {
  return `<form method="post"><input type="hidden" name="action" value="${action}"><button type="submit">${label}</button></form>`;
}

export function invalidIncidentLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>The link expired after 30 days, its incident is past its retention, or it was not copied completely. Nothing was changed.</p>",
  );
}

export function incidentUnavailablePage(): string {
  return htmlPage(
    "Please try again later",
    "<p>The state of the incident is unavailable at the moment. Open the link again in a few minutes.</p>",
  );
}
