import type { ReportPeriod, ReportTimes } from "../intel/reports/report-calendar.ts";
import type { ReportInputs } from "../intel/reports/report-inputs.ts";

/** Editable fields of a schedule of reports. */
export interface ScheduleSettings extends ReportTimes {
  readonly name: string;
  readonly scope: { readonly type: "workspace" | "client" | "domain"; readonly id: string };
  readonly format: "pdf" | "html";
  readonly paper: "a4" | "letter";
  /** Missing: all sections. */
  readonly sections?: NonNullable<ReportInputs["sections"]>;
  /** Missing: the locale of the client. */
  readonly locale?: string;
  readonly branding: { readonly name?: string; readonly color?: string };
  /** Empty: the client's contacts at that time. */
  readonly recipients: readonly string[];
  readonly from: string;
  /** Missing: the account's default policy. */
  readonly policy?: string;
  readonly paused: boolean;
}

/** `due`: by the calendar; `asked`: requested by a user. */
type ScheduleTrigger = "due" | "asked";

/** Contents and recipients of a report mail, fixed against later changes of the schedule. */
export interface SettledReport {
  readonly reportId: string;
  /** Form in which it is stored, such as `html` or `pdf-a4`. */
  readonly form: string;
  readonly recipients: readonly string[];
}

/** A running report. The ids of its stored data and mails are derived from its key. */
export interface ScheduleWork {
  /** Name within the schedule: that of its period, or of the time of the request. */
  readonly key: string;
  readonly trigger: ScheduleTrigger;
  readonly since: Date;
  readonly period: ReportPeriod;
  /** Incremented with each attempt. Stored data of an attempt contains it. */
  readonly attempts: number;
  /** Number of interrupted attempts. */
  readonly interruptions: number;
  /** End of the claim of the running attempt. Missing: none is running. */
  readonly heldUntil?: Date;
  /** Set before the first mail. */
  readonly settled?: SettledReport;
  /** Why the last attempt failed. */
  readonly reason?: string;
}

/** Result of a report. */
export interface ScheduleRun {
  readonly at: Date;
  readonly trigger: ScheduleTrigger;
  readonly period: ReportPeriod;
  readonly status: "sent" | "failed" | "cancelled";
  /** Missing: it was sent. */
  readonly reason?: string;
  readonly code?: string;
  readonly reportId?: string;
  readonly messageIds: readonly string[];
}

/** A schedule of mailed reports, in `reportSchedules`. */
export interface ScheduleDocument extends ScheduleSettings {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Missing: it is paused. */
  readonly nextRunAt?: Date;
  /** Time of the next action: start or retry of a report. Missing: none. */
  readonly dueAt?: Date;
  /** Key of the last period with a scheduled report. */
  readonly lastKey?: string;
  /** Missing: no report is running. */
  readonly work?: ScheduleWork;
  /** Missing: there was none yet. */
  readonly lastRun?: ScheduleRun;
  /** Incremented with every change. */
  readonly revision: number;
}
