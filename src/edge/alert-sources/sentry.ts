import type { JsonObject } from "@bufbuild/protobuf";
import { alertOf, listOf, objectOf, type ReadSource, type SourceAlert } from "./source-alert.ts";

/**
 * The webhook of a Sentry integration: issue alerts, metric alerts and resolved issues. Other events are ignored.
 * https://docs.sentry.io/organization/integrations/integration-platform/webhooks/
 */
export const readSentryHook: ReadSource = (body, severityOf, headers) => {
  const read = readers.get(String(headers["sentry-hook-resource"] ?? ""));
  const alert = read?.(objectOf(body.data), String(body.action ?? ""));
  return alert ? [alertOf(alert, severityOf)] : [];
};

type ReadHook = (data: JsonObject, action: string) => SourceAlert | undefined;

const readers = new Map<string, ReadHook>([
  ["event_alert", readEventAlert],
  ["metric_alert", readMetricAlert],
  ["issue", readIssue],
]);

function readEventAlert(data: JsonObject): SourceAlert {
  const event = objectOf(data.event);
  const { issue_id: issue, level, culprit, environment, platform, release } = event;
  const tags = Object.fromEntries(
    listOf(event.tags).flatMap((tag) =>
      Array.isArray(tag) && tag.length === 2 ? [[String(tag[0]), tag[1]]] : [],
    ),
  );
  return {
    eventType: data.triggered_rule ?? "event_alert",
    severity: level,
    source: [tags.server_name, objectOf(event.project).slug, event.project_name, "sentry"],
    message: [event.title, event.message],
    entity: { type: "issue", id: issue },
    status: "firing",
    dedupKey: issue === undefined ? event.event_id : `sentry issue ${String(issue)}`,
    occurredAt: event.datetime,
    context: { culprit, environment, platform, release, tags },
    links: [
      { href: event.web_url, text: "Event" },
      { href: event.issue_url, text: "Issue" },
    ],
  };
}

function readMetricAlert(data: JsonObject, action: string): SourceAlert {
  const alert = objectOf(data.metric_alert);
  const rule = objectOf(alert.alert_rule);
  const isOver = action === "resolved";
  return {
    eventType: rule.name ?? "metric_alert",
    severity: action,
    source: [listOf(alert.projects)[0], "sentry"],
    message: [data.description_title, alert.title, data.description_text],
    entity: { type: "metric_alert", id: rule.id ?? alert.id },
    status: isOver ? "resolved" : "firing",
    dedupKey: `sentry metric alert ${String(rule.id ?? alert.id)}`,
    occurredAt: alert.date_detected,
    context: { description: data.description_text, aggregate: rule.aggregate, query: rule.query },
    links: [{ href: data.web_url, text: "Alert" }],
  };
}

/** Issue alerts have no end event. The resolution of the issue ends them. */
function readIssue(data: JsonObject, action: string): SourceAlert | undefined {
  if (action !== "resolved") return undefined;
  const issue = objectOf(data.issue);
  return {
    eventType: "issue",
    severity: "info",
    source: [objectOf(issue.project).slug, "sentry"],
    message: [issue.title, "resolved in Sentry"],
    entity: { type: "issue", id: issue.id },
    status: "resolved",
    dedupKey: `sentry issue ${String(issue.id)}`,
    // Sentry notes the last event late: the end counts by its arrival.
    occurredAt: undefined,
    context: { culprit: issue.culprit },
    links: [{ href: issue.web_url ?? issue.permalink, text: "Issue" }],
  };
}
