import { withoutUndefined } from "../../shared/without-undefined.ts";
import { type AlertSummary, occurrencesOf, sinceOf } from "../incident.ts";
import { noticeTitle } from "../notice-data.ts";
import { countsText, noticeCount } from "../notification-limits.ts";
import { clipped } from "./clip.ts";
import type { ComposePost, DigestPostView, NoticePostView } from "./post.ts";

/** Version of the bodies. A change that receivers can notice gets another one. */
const VERSION = "2026-11-01";
/** Maximum length of the message of the first alert, and of the others. */
const MAX_MESSAGE = 10_000;
const MAX_OTHER_MESSAGE = 1_000;

/** Bodies for a webhook: the envelope of Hermod's webhook events, and the notice as data. Texts are unchanged. */
export const webhook: ComposePost = {
  notice: (view) => ({ ...envelope(view, "incident.notice", view.notice.at), data: noticeOf(view) }),
  digest: (view) => ({ ...envelope(view, "incident.digest", view.digest.at), data: digestOf(view) }),
};

function envelope(
  { eventId: id, accountId: account_id, isTest = false }: NoticePostView | DigestPostView,
  type: string,
  at: Date,
) {
  return {
    id,
    type,
    version: VERSION,
    timestamp: at.toISOString(),
    account_id,
    ...(isTest && { test: true }),
  };
}

function noticeOf({ incident, notice, link: url }: NoticePostView) {
  const { _id: incident_id, ruleName: rule, firing, openedAt, acknowledgedBy, resolvedAt } = incident;
  return {
    incident_id,
    rule,
    state: notice.state,
    severity: notice.severity,
    title: noticeTitle(incident, notice),
    reason: notice.reason,
    number: notice.number,
    firing,
    occurrences: occurrencesOf(incident),
    flapping: incident.flapping === true,
    since: sinceOf(incident).toISOString(),
    opened_at: openedAt.toISOString(),
    ...withoutUndefined({ acknowledged_by: acknowledgedBy, resolved_at: resolvedAt?.toISOString(), url }),
    alerts: notice.alerts.map((alert, index) =>
      alertOf(alert, index === 0 ? MAX_MESSAGE : MAX_OTHER_MESSAGE),
    ),
    more: notice.more,
    context: notice.context,
    context_truncated: notice.isContextPart === true,
    links: notice.links.map(({ href, text }) => ({ href, text })),
  };
}

function alertOf(alert: AlertSummary, most: number) {
  const { alertId: alert_id, eventType: event_type, severity, source, message, entityType, entityId } = alert;
  return {
    alert_id,
    at: (alert.occurredAt ?? alert.at).toISOString(),
    event_type,
    severity,
    source,
    message: clipped(message, most),
    ...withoutUndefined({ entity_type: entityType, entity_id: entityId }),
  };
}

function digestOf({ ruleName: rule, digest, linkOf }: DigestPostView) {
  const { since, held, more, counts = {} } = digest;
  return {
    rule,
    since: since.toISOString(),
    count: noticeCount(held, more),
    counts,
    summary: countsText(counts),
    notices: held.map(({ incidentId, title, reason, state, severity, at, times = 1 }) => ({
      incident_id: incidentId,
      title,
      reason,
      state,
      severity,
      at: at.toISOString(),
      times,
      ...withoutUndefined({ url: linkOf(incidentId) }),
    })),
    more,
  };
}
