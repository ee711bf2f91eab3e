import type { Condition, Matchers } from "../../alerts/condition.ts";
import type { Firing, Incident } from "../../alerts/incident.ts";
import type { HistoryEntry } from "../../alerts/incident-history.ts";
import type { Inhibition, InhibitionSource, Silence } from "../../alerts/mutes.ts";
import type { NotificationLimit } from "../../alerts/notification-limit.ts";
import type { AlertEnd } from "../../alerts/occurrence.ts";
import type { AlertCounterDocument } from "../alert-counters.ts";
import type {
  AlertDocument,
  AlertRuleDocument,
  AlertRuleSetDocument,
  AlertRuleVersionDocument,
} from "../alert-documents.ts";
import type { Classes } from "../audit/classes.ts";
import type { UndeliveredAlertsDocument } from "../undelivered-alert-store.ts";
import { byName, EXPIRES, FEW, ifPresent, type Manifest } from "./manifest.ts";

/** Field of an incident that members change. Its history records the rest. */
const incident: Classes<Pick<Incident, "state">> = { state: "track" };

const condition: Classes<Condition> = { field: "track", op: "track", value: "track" };
const matchers: Classes<Matchers> = { match: condition, any: condition };

export interface AlertDocuments {
  readonly alertBooks: AlertRuleSetDocument;
  readonly alertRules: AlertRuleDocument;
  readonly alertRuleVersions: AlertRuleVersionDocument;
  readonly silences: Silence;
  readonly inhibitions: Inhibition;
  readonly inhibitionSources: InhibitionSource;
  readonly alertEnds: AlertEnd;
  readonly alerts: AlertDocument;
  readonly alertCounters: AlertCounterDocument;
  readonly incidents: Incident;
  readonly firings: Firing;
  readonly incidentHistory: HistoryEntry;
  readonly alertCeilings: NotificationLimit;
  readonly undeliveredAlerts: UndeliveredAlertsDocument;
}

export const alertManifest = {
  alertBooks: {
    indexes: [{ key: { accountId: 1 } }],
    deletion: "settings",
    export: { omitted: "number of changes of rules and silences" },
    audited: {},
  },
  alertRules: {
    indexes: [{ key: { accountId: 1, name: 1 }, unique: true }, { key: { accountId: 1, createdAt: 1 } }],
    deletion: "settings",
    export: { by: ["name"], limit: FEW },
    audited: {
      alert_rule: {
        _id: "ignore",
        accountId: "ignore",
        name: "ignore",
        version: "track",
        settings: {
          name: "track",
          description: "track",
          order: "track",
          enabled: "track",
          matchers,
          stop: "track",
          onlyUnmatched: "track",
          effect: "track",
          notify: {
            recipients: "track",
            onCall: "track",
            targets: "track",
            from: "track",
            policy: "track",
            template: "track",
            groupBy: "track",
            waitMs: "track",
            intervalMs: "track",
            repeatMs: "track",
            resolvedMail: "track",
            autoResolveMs: "track",
            quiet: { zone: "track", windows: { days: "track", from: "track", to: "track" } },
            quietHoldsCritical: "track",
            zone: "track",
            ceiling: "track",
            digestMs: "track",
            escalation: {
              steps: { afterMs: "track", recipients: "track", onCall: "track", targets: "track" },
              rounds: "track",
            },
          },
        },
        createdAt: "ignore",
        updatedAt: "ignore",
      },
    },
    named: { alert_rule: byName },
  },
  alertRuleVersions: {
    indexes: [{ key: { accountId: 1, to: 1 } }],
    deletion: "settings",
    export: { omitted: "earlier versions of rules; the audit log has their changes" },
    audited: {},
  },
  silences: {
    indexes: [
      { key: { accountId: 1, endsAt: 1 } },
      { key: { accountId: 1, recursUntil: 1 }, name: "weekly", ...ifPresent("recursUntil") },
      { key: { accountId: 1, _id: -1 } },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["-_id"] },
    audited: {
      silence: {
        _id: "ignore",
        accountId: "ignore",
        matchers,
        startsAt: "track",
        endsAt: "track",
        weekly: { zone: "track", windows: { days: "track", from: "track", to: "track" } },
        recursUntil: "track",
        comment: "track",
        createdBy: "ignore",
        createdAt: "ignore",
        expireAt: "ignore",
      },
    },
    named: { silence: ({ comment }) => ({ name: comment }) },
  },
  inhibitions: {
    indexes: [{ key: { accountId: 1, name: 1 }, unique: true }],
    deletion: "settings",
    export: { by: ["name"] },
    audited: {
      inhibition: {
        _id: "ignore",
        accountId: "ignore",
        name: "track",
        source: matchers,
        target: matchers,
        equal: "track",
        createdAt: "ignore",
        updatedAt: "ignore",
      },
    },
    named: { inhibition: byName },
  },
  inhibitionSources: {
    indexes: [{ key: { accountId: 1, name: 1 } }, { key: { accountId: 1, fingerprint: 1 } }, EXPIRES],
    deletion: "settings",
    export: { omitted: "active alerts that inhibit others; the alerts have them" },
    audited: {},
  },
  alertEnds: {
    indexes: [{ key: { accountId: 1 } }, EXPIRES],
    deletion: "settings",
    export: { omitted: "times of the last day at which sources resolved alerts; the alerts have them" },
    audited: {},
  },
  alerts: {
    indexes: [
      { key: { accountId: 1, _id: -1 } },
      { key: { accountId: 1, "outcome.incidentIds": 1, _id: -1 } },
      { key: { accountId: 1, "outcome.matchedRules": 1, _id: -1 } },
      {
        key: { accountId: 1, _id: -1 },
        name: "unmatched",
        partialFilterExpression: { "outcome.status": "unmatched" },
      },
      // The latest report about a problem.
      { key: { accountId: 1, fingerprint: 1, _id: -1 } },
      {
        key: { accountId: 1, idempotencyKey: 1 },
        name: "idempotency",
        unique: true,
        ...ifPresent("idempotencyKey"),
      },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["-_id"], limit: FEW },
    audited: {},
  },
  alertCounters: {
    indexes: [{ key: { accountId: 1, step: 1, at: 1 } }, EXPIRES],
    deletion: "settings",
    export: { omitted: "sums of the alerts" },
    audited: {},
  },
  incidents: {
    indexes: [
      // Only one incident of a rule and group is open: a second writer finds the first one's.
      {
        key: { accountId: 1, ruleId: 1, groupKey: 1 },
        name: "open",
        unique: true,
        partialFilterExpression: { open: true },
      },
      { key: { accountId: 1, ruleId: 1, groupKey: 1, openedAt: -1 } },
      { key: { accountId: 1, _id: -1 } },
      { key: { accountId: 1, state: 1, severity: 1, _id: -1 } },
      { key: { accountId: 1, state: 1, updatedAt: -1, _id: -1 } },
      { key: { accountId: 1, ruleName: 1, _id: -1 } },
      { key: { dueAt: 1 }, name: "due", ...ifPresent("dueAt") },
      { key: { accountId: 1, heldBy: 1 }, name: "held", ...ifPresent("heldBy") },
      // Set when the incident is closed: an open one never expires.
      { key: { expireAt: 1 }, expireAfterSeconds: 0, ...ifPresent("expireAt") },
    ],
    deletion: "settings",
    export: { by: ["-_id"], limit: FEW },
    audited: {},
    auditedInPart: {
      incident,
    },
  },
  firings: {
    indexes: [
      { key: { incidentId: 1, rank: -1, _id: 1 } },
      { key: { incidentId: 1, lastAt: 1 } },
      { key: { incidentId: 1, rank: -1, _id: 1 }, name: "untold", partialFilterExpression: { untold: true } },
      { key: { accountId: 1, fingerprint: 1 } },
    ],
    deletion: "settings",
    export: { omitted: "active alerts; alerts and incidents have them" },
    audited: {},
  },
  incidentHistory: {
    indexes: [{ key: { accountId: 1, incidentId: 1, _id: 1 } }, EXPIRES],
    deletion: "settings",
    export: { within: "incident" },
    audited: {},
  },
  alertCeilings: {
    indexes: [
      { key: { accountId: 1, _id: 1 } },
      { key: { dueAt: 1 }, name: "due", ...ifPresent("dueAt") },
      EXPIRES,
    ],
    deletion: "settings",
    export: { omitted: "numbers of notifications to each recipient in the last hour" },
    audited: {},
  },
  undeliveredAlerts: {
    indexes: [
      { key: { accountId: 1 } },
      { key: { tellAt: 1 }, name: "to_tell", ...ifPresent("waiting") },
      EXPIRES,
    ],
    deletion: "settings",
    export: { omitted: "failed mail of alerts; the messages have it" },
    audited: {},
  },
} as const satisfies Manifest<AlertDocuments>;
