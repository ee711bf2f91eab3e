import type { Db } from "mongodb";
import type { Firing, Incident } from "../alerts/incident.ts";
import type { HistoryEntry } from "../alerts/incident-history.ts";
import type { Inhibition, InhibitionSource, Silence } from "../alerts/mutes.ts";
import type { NotificationLimit } from "../alerts/notification-limit.ts";
import type { AlertEnd } from "../alerts/occurrence.ts";
import type {
  AlertDocument,
  AlertRuleDocument,
  AlertRuleSetDocument,
  AlertRuleVersionDocument,
} from "./alert-documents.ts";

/** Schedules incidents for evaluation: the reason for their suppression may be gone. */
export const wakeUpdate = (at: Date) => ({
  $set: { dueAt: at, heldUntil: at, restHeldUntil: at },
  $inc: { revision: 1 },
});

export function incidentCollections(db: Db) {
  return {
    alerts: db.collection<AlertDocument>("alerts"),
    ruleSets: db.collection<AlertRuleSetDocument>("alertBooks"),
    rules: db.collection<AlertRuleDocument>("alertRules"),
    versions: db.collection<AlertRuleVersionDocument>("alertRuleVersions"),
    silences: db.collection<Silence>("silences"),
    inhibitions: db.collection<Inhibition>("inhibitions"),
    incidents: db.collection<Incident>("incidents"),
    firings: db.collection<Firing>("firings"),
    history: db.collection<HistoryEntry>("incidentHistory"),
    ceilings: db.collection<NotificationLimit>("alertCeilings"),
    sources: db.collection<InhibitionSource>("inhibitionSources"),
    ends: db.collection<AlertEnd>("alertEnds"),
  };
}
