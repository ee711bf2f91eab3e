import type { ReportPeriod, ReportTimes } from "../intel/reports/report-calendar.ts";
import type { ReportInputs } from "../intel/reports/report-inputs.ts";

/** What somebody says of a schedule of reports. */
export interface ScheduleSettings extends ReportTimes {
  readonly name: string;
  readonly scope: { readonly type: "workspace" | "client" | "domain"; readonly id: string };
  readonly format: "pdf" | "html";
  readonly paper: "a4" | "letter";
  /** Missing: all. */
  readonly sections?: NonNullable<ReportInputs["sections"]>;
  /** Missing: that of the client. */
  readonly locale?: string;
  readonly branding: { readonly name?: string; readonly color?: string };
  /** Empty: the contacts that the client has by then. */
  readonly recipients: readonly string[];
  readonly from: string;
  /** Missing: the account's default. */
  readonly policy?: string;
  readonly paused: boolean;
}

/** `due`: by the calendar; `asked`: somebody wanted it. */
type ScheduleTrigger = "due" | "asked";

/** What is mailed of a report, and to whom, whatever is said of its schedule meanwhile. */
export interface SettledReport {
  readonly reportId: string;
  /** The form that it is stored in, as `html` or `pdf-a4`. */
  readonly form: string;
  readonly recipients: readonly string[];
}

/** A report that was begun, and has not ended. What is stored and mailed for it has ids that follow from its key. */
export interface ScheduleWork {
  /** Names it within the schedule: that of its period, or of the moment at which it was asked for. */
  readonly key: string;
  readonly trigger: ScheduleTrigger;
  readonly since: Date;
  readonly period: ReportPeriod;
  /** Goes up with each attempt: what an attempt stores names it. */
  readonly attempts: number;
  /** Attempts that came to no end. */
  readonly interruptions: number;
  /** Until when whoever makes the attempt has it; missing: nobody has. */
  readonly heldUntil?: Date;
  /** Before the first mail. */
  readonly settled?: SettledReport;
  /** Why the last attempt failed. */
  readonly reason?: string;
}

/** What has become of a report. */
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

/** A schedule by which reports are made and mailed, in `reportSchedules`. */
export interface ScheduleDocument extends ScheduleSettings {
  readonly _id: string;
  readonly accountId: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Missing: it is paused. */
  readonly nextRunAt?: Date;
  /** When something is to be done for it: a report begun, or tried again; missing: nothing. */
  readonly dueAt?: Date;
  /** The key of the last period of which a report was begun because it was due. */
  readonly lastKey?: string;
  /** Missing: none is under way. */
  readonly work?: ScheduleWork;
  /** Missing: there was none yet. */
  readonly lastRun?: ScheduleRun;
  /** Goes up with every change. */
  readonly revision: number;
}
