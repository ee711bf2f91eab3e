import type { Db } from "mongodb";
import type {
  BlacklistStateDocument,
  BlacklistWatchDocument,
  ClientDocument,
  IntelAnswerDocument,
  IntelReportDocument,
  IntelReportPartDocument,
  ListTrustDocument,
  ScorePointDocument,
  WatchChangeDocument,
  WatchedChecksDocument,
  WatchedDomainDocument,
  WorkspaceDocument,
} from "./intel-documents.ts";
import type { LabelDocument } from "./label-document.ts";
import type { ReportLinkDocument } from "./report-link-document.ts";
import type { ScheduleDocument } from "./schedule-documents.ts";
import type { ScoreDayDocument } from "./score-day-document.ts";

/** Collections of Deliverability Intel. */
export function intelCollections(db: Db) {
  return {
    workspaces: db.collection<WorkspaceDocument>("workspaces"),
    clients: db.collection<ClientDocument>("intelClients"),
    domains: db.collection<WatchedDomainDocument>("watchedDomains"),
    checks: db.collection<WatchedChecksDocument>("watchedChecks"),
    points: db.collection<ScorePointDocument>("scorePoints"),
    scoreDays: db.collection<ScoreDayDocument>("scoreDays"),
    changes: db.collection<WatchChangeDocument>("watchChanges"),
    states: db.collection<BlacklistStateDocument>("blacklistStates"),
    watches: db.collection<BlacklistWatchDocument>("blacklistWatches"),
    trusts: db.collection<ListTrustDocument>("blacklistTrusts"),
    reports: db.collection<IntelReportDocument>("intelReports"),
    parts: db.collection<IntelReportPartDocument>("intelReportParts"),
    links: db.collection<ReportLinkDocument>("reportLinks"),
    labels: db.collection<LabelDocument>("reportLabels"),
    schedules: db.collection<ScheduleDocument>("reportSchedules"),
    answers: db.collection<IntelAnswerDocument>("intelAnswers"),
  };
}
