import type {
  AggregateReportDocument,
  DmarcRollupDocument,
  ReportInboxDocument,
  TlsRollupDocument,
} from "../aggregate-report-documents.ts";
import type {
  IntelAnswerDocument,
  IntelReportDocument,
  IntelReportPartDocument,
} from "../intel-documents.ts";
import type { LabelDocument } from "../label-document.ts";
import type { ReportLinkDocument } from "../report-link-document.ts";
import type { ScheduleDocument } from "../schedule-documents.ts";
import { byName, EXPIRES, FEW, ifPresent, type Manifest } from "./manifest.ts";

export interface ReportDocuments {
  readonly intelReports: IntelReportDocument;
  readonly intelReportParts: IntelReportPartDocument;
  readonly reportLinks: ReportLinkDocument;
  readonly reportLabels: LabelDocument;
  readonly reportSchedules: ScheduleDocument;
  readonly intelAnswers: IntelAnswerDocument;
  readonly dmarcRollups: DmarcRollupDocument;
  readonly tlsRollups: TlsRollupDocument;
  readonly aggregateReports: AggregateReportDocument;
  readonly reportInboxes: ReportInboxDocument;
}

export const reportManifest = {
  intelReports: {
    indexes: [
      { key: { accountId: 1, workspaceId: 1, _id: -1 } },
      { key: { accountId: 1, workspaceId: 1, "scope.id": 1, _id: -1 } },
      { key: { accountId: 1, workspaceId: 1, "scope.type": 1, _id: -1 } },
      EXPIRES,
    ],
    deletion: "settings",
    export: { by: ["workspaceId", "-_id"], limit: FEW },
    audited: {
      report: {
        _id: "ignore",
        accountId: "ignore",
        workspaceId: "track",
        scope: { type: "track", id: "track", name: "ignore" },
        period: { from: "track", to: "track" },
        generatedAt: "ignore",
        expireAt: "ignore",
        form: "ignore",
        filesId: "ignore",
      },
    },
    named: { report: ({ scope }) => ({ name: scope.name }) },
  },
  intelReportParts: {
    indexes: [{ key: { accountId: 1, reportId: 1, format: 1, n: 1 } }, EXPIRES],
    deletion: "settings",
    export: { within: "report" },
    audited: {},
  },
  reportLinks: {
    indexes: [
      { key: { accountId: 1, workspaceId: 1, _id: -1 } },
      { key: { accountId: 1, reportId: 1, _id: -1 } },
      EXPIRES,
    ],
    deletion: "access",
    export: { by: ["workspaceId", "-_id"] },
    audited: {
      report_link: {
        _id: "ignore",
        accountId: "ignore",
        workspaceId: "track",
        reportId: "track",
        reportName: "ignore",
        note: "track",
        createdAt: "ignore",
        endsAt: "track",
        revokedAt: "track",
        opens: "ignore",
        downloads: "ignore",
        firstOpenedAt: "ignore",
        lastOpenedAt: "ignore",
        expireAt: "ignore",
      },
    },
    named: { report_link: ({ reportName: name }) => ({ name }) },
  },
  reportLabels: {
    indexes: [{ key: { accountId: 1, workspaceId: 1, _id: 1 } }],
    deletion: "settings",
    export: { by: ["workspaceId", "_id"], limit: FEW },
    audited: {
      label: {
        _id: "ignore",
        accountId: "ignore",
        workspaceId: "track",
        scope: "track",
        name: "track",
        color: "track",
        logo: { data: "ignore", hash: "track", sizeBytes: "track", width: "track", height: "track" },
        createdAt: "ignore",
        updatedAt: "ignore",
      },
    },
    named: { label: ({ name = "" }) => ({ name }) },
  },
  reportSchedules: {
    indexes: [
      { key: { accountId: 1, workspaceId: 1, _id: 1 } },
      { key: { accountId: 1, policy: 1 } },
      { key: { accountId: 1, "scope.id": 1 } },
      { key: { dueAt: 1 }, name: "due", ...ifPresent("dueAt") },
    ],
    deletion: "settings",
    export: { by: ["workspaceId", "_id"] },
    audited: {
      /** Reports that members request are tracked. Hermod schedules the others. */
      schedule: {
        _id: "ignore",
        accountId: "ignore",
        workspaceId: "track",
        name: "track",
        scope: { type: "track", id: "track" },
        cadence: { kind: "track", weekday: "track", day: "track" },
        hour: "track",
        timezone: "track",
        format: "track",
        paper: "track",
        sections: "track",
        locale: "track",
        branding: { name: "track", color: "track" },
        recipients: "track",
        from: "track",
        policy: "track",
        paused: "track",
        createdAt: "ignore",
        updatedAt: "ignore",
        nextRunAt: "ignore",
        dueAt: "ignore",
        lastKey: "ignore",
        work: {
          key: "ignore",
          trigger: "track",
          since: "track",
          period: { from: "track", to: "track", key: "ignore" },
          attempts: "ignore",
          interruptions: "ignore",
          heldUntil: "ignore",
          settled: "ignore",
          reason: "ignore",
        },
        lastRun: "ignore",
        revision: "ignore",
      },
    },
    named: { schedule: byName },
  },
  intelAnswers: {
    indexes: [{ key: { accountId: 1, _id: 1 } }, EXPIRES],
    deletion: "settings",
    export: { omitted: "answers to repeated requests; the created resources are exported" },
    audited: {},
  },
  dmarcRollups: {
    indexes: [{ key: { accountId: 1, _id: 1 } }, EXPIRES],
    deletion: "settings",
    export: { by: ["_id"] },
    audited: {},
  },
  tlsRollups: {
    indexes: [{ key: { accountId: 1, _id: 1 } }, EXPIRES],
    deletion: "settings",
    export: { by: ["_id"] },
    audited: {},
  },
  aggregateReports: {
    indexes: [{ key: { accountId: 1, _id: 1 } }, { key: { accountId: 1, domainId: 1, at: -1 } }, EXPIRES],
    deletion: "settings",
    export: { by: ["_id"] },
    audited: {},
  },
  reportInboxes: {
    indexes: [{ key: { accountId: 1, _id: 1 } }],
    deletion: "settings",
    export: { by: ["_id"], limit: FEW },
    audited: {},
  },
} as const satisfies Manifest<ReportDocuments>;
