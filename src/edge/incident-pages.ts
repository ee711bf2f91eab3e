import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Incident } from "../../gen/hermod/incident/v1/incident_service_pb.ts";
import { escapeHtml } from "../shared/escape-html.ts";
import { htmlPage } from "./html-page.ts";

/** Where an incident stands, and what can be done about it: to open a link is not to do it. */
export function incidentPage(incident: Incident | undefined): string {
  if (!incident) return invalidIncidentLinkPage();
  const { title, state, alerts, firing, openedAt, acknowledgedBy, resolvedBy, latest } = incident;
  const since = openedAt ? timestampDate(openedAt).toISOString() : "";
  const sentences: Readonly<Record<string, string>> = {
    open: "Nobody has acknowledged it.",
    acknowledged: `${escapeHtml(acknowledgedBy)} has acknowledged it.`,
    resolved: `It is over: ${escapeHtml(resolvedBy)}.`,
  };
  return htmlPage(
    state === "resolved" ? "The incident is over" : state === "acknowledged" ? "Acknowledged" : "An incident",
    `<p><strong>${escapeHtml(title)}</strong></p>
      <p>${escapeHtml(latest?.message ?? "")}</p>
      <p>Since ${escapeHtml(since)}: ${alerts} alert${alerts === 1 ? "" : "s"}, ${firing} firing. ${sentences[state] ?? ""}</p>
      ${state === "open" ? button("acknowledge", "Acknowledge") : ""}
      ${state === "resolved" ? "" : button("resolve", "Resolve")}`,
  );
}

function button(action: string, label: string): string {
  return `<form method="post">
        <input type="hidden" name="action" value="${action}">
        <button type="submit">${label}</button>
      </form>`;
}

export function invalidIncidentLinkPage(): string {
  return htmlPage(
    "This link does not work",
    "<p>It has run out after 30 days, its incident is past its retention, or it was not copied as a whole. Nothing was changed.</p>",
  );
}

export function incidentUnavailablePage(): string {
  return htmlPage(
    "Please try again later",
    "<p>It cannot be told right now where the incident stands. Open the link again in a few minutes.</p>",
  );
}
