import type { Firing, Incident } from "../../src/alerts/incident.ts";
import type { InhibitionSource } from "../../src/alerts/mutes.ts";
import type { NotificationLimit } from "../../src/alerts/notification-limit.ts";
import { type AlertEnd, alertEndId } from "../../src/alerts/occurrence.ts";
import { DEFAULT_NOTIFY, type RuleSettings } from "../../src/alerts/rule.ts";
import type { UnitChanges } from "../../src/alerts/unit-changes.ts";
import type { AlertDocument } from "../../src/store/alert-documents.ts";
import type { NewInhibition } from "../../src/store/alert-rule-store.ts";
import type { NewSilence } from "../../src/store/silence-writes.ts";

const now = new Date();
/** Beyond the end of the slowest run: what expires is removed by the store itself. */
const later = new Date(now.getTime() + 24 * 60 * 60_000);
const nothing = { match: [], any: [] };

/** Documents of alerts, each as small as it may be. */
export const ruleSettings: RuleSettings = {
  name: "pager",
  description: "",
  order: 100,
  enabled: true,
  stop: false,
  effect: "notify",
  matchers: { match: [{ field: "event_type", op: "eq", value: "disk.full" }], any: [] },
  notify: { ...DEFAULT_NOTIFY, recipients: ["oncall@example.com"], from: "alerts@example.com" },
};

export const silenceToAdd: NewSilence = {
  _id: "sil_1",
  matchers: nothing,
  startsAt: now,
  endsAt: later,
  comment: "maintenance",
  createdBy: "ada@example.com",
  createdAt: now,
  expireAt: later,
};

export const inhibitionToPut: NewInhibition = { name: "down", source: nothing, target: nothing, equal: [] };

export function alertDocument(
  changes: Partial<AlertDocument> & Pick<AlertDocument, "accountId">,
): AlertDocument {
  return {
    _id: "alr_1",
    traceId: "sx_1",
    keyId: "",
    at: now,
    status: "firing",
    links: [],
    revision: 1,
    alert: { eventType: "disk.full", severity: "critical", source: "s", message: "m", context: {} },
    fingerprint: "f",
    expireAt: later,
    outcome: { status: "unmatched", matchedRules: [], incidentIds: [], messageIds: [], reasons: [] },
    ...changes,
  };
}

export function incidentDocument(changes: Partial<Incident> & Pick<Incident, "accountId">): Incident {
  const latest = {
    alertId: "alr_1",
    at: now,
    eventType: "e",
    severity: "info",
    source: "s",
    message: "m",
  } as const;
  return {
    _id: "inc_1",
    ruleId: "rul_1",
    ruleVersion: 1,
    ruleName: "pager",
    groupKey: "g",
    open: true,
    state: "open",
    title: "t",
    severity: "info",
    latest,
    openedAt: now,
    updatedAt: now,
    alerts: 1,
    firing: 1,
    untold: 0,
    notices: 0,
    threads: [],
    reopenings: [],
    entries: 0,
    revision: 1,
    ...changes,
  };
}

export function firingDocument(accountId: string): Firing {
  const alert = { eventType: "e", severity: "info", source: "s", message: "m", context: {} } as const;
  return {
    _id: "inc_1.f",
    accountId,
    incidentId: "inc_1",
    fingerprint: "f",
    alertId: "alr_1",
    alert,
    links: [],
    firstAt: now,
    lastAt: now,
    count: 1,
  };
}

export function ceilingDocument(
  changes: Partial<NotificationLimit> & Pick<NotificationLimit, "accountId">,
): NotificationLimit {
  return {
    _id: "rul_1.oncall@example.com",
    ruleId: "rul_1",
    ruleVersion: 1,
    recipient: "oncall@example.com",
    mailed: [],
    held: [],
    more: 0,
    digests: 0,
    revision: 0,
    expireAt: later,
    ...changes,
  };
}

export function sourceDocument(accountId: string): InhibitionSource {
  return { _id: "n.f", accountId, name: "n", fingerprint: "f", both: false, expireAt: later };
}

export function endDocument(accountId: string): AlertEnd {
  return { _id: alertEndId(accountId, "f"), accountId, fingerprint: "f", occurredAt: later, expireAt: later };
}

export const NO_CHANGES: UnitChanges = {
  incidents: [],
  firings: [],
  removedFirings: [],
  notifiedFirings: [],
  emptied: [],
  ceilings: [],
  sources: [],
  ends: [],
  endedSources: [],
  releasedSources: [],
  keptSources: [],
  history: [],
  news: [],
};
