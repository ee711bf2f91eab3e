import { createReportCalendar } from "../../intel/reports/report-calendar.ts";
import { Fault, fault } from "../../shared/fault.ts";
import type { ScheduleDocument, ScheduleRun, ScheduleWork } from "../../store/schedule-documents.ts";
import type { AttemptEnd, HeldSchedule } from "../../store/schedule-store.ts";
import { createNotifyReportFailure, type ReportFailureNeeds } from "./notify-report-failure.ts";
import { createSendScheduledReport, isFinal, type SendReportNeeds } from "./send-scheduled-report.ts";

/*
 * Scheduled reports, an overview.
 *
 * Due. A schedule is due at the hour of its calendar. The process that claims it first starts the report of the last
 *   period; earlier missed periods are skipped. The next due time is stored in the same write.
 *
 * Attempts. A process owns a schedule for ten minutes. If the process ends, another one continues afterwards. Each
 *   write of an attempt contains its number, so that a late attempt changes nothing. Ids are derived from schedule
 *   and period (`send-scheduled-report.ts`): a repeated attempt neither loses nor duplicates a mail.
 *
 * Errors. Temporary errors are retried with increasing waits for one day. An error that a user must correct ends the
 *   report immediately; the schedule shows the reason, and alert rules are notified. The next period starts in both
 *   cases.
 *
 * Fairness. Each process generates one report at a time, one per account in turn. An unreadable or invalid schedule
 *   is deferred by one hour, and logged.
 */

export interface RunSchedulesNeeds extends SendReportNeeds, ReportFailureNeeds {
  /** Aborted when the process must end: no further report is started. */
  readonly signal: AbortSignal;
  /** Called each time a schedule cannot be used because its document is damaged. */
  readonly onDamaged?: () => void;
}

const MINUTE_MS = 60_000;
/** Maximum number of schedules in one run. */
const PER_ROUND = 100;
/** Longer than the generation and sending of a report, including the wait for others. */
const HOLD_MS = 10 * MINUTE_MS;
const RETRY_MS = [1, 5, 15, 60, 120].map((minutes) => minutes * MINUTE_MS);
/** Time for which a report is retried, from its start. */
const TRIED_MS = 24 * 60 * MINUTE_MS;
/** Maximum number of attempts that ended with their process: the report may be the cause. */
const MOST_INTERRUPTIONS = 5;
const PUT_OFF_MS = 60 * MINUTE_MS;

/** One run that generates due reports. Several processes can run at the same time. */
export function createRunSchedules(needs: RunSchedulesNeeds): () => Promise<void> {
  const { store, clock, log, signal, onDamaged = () => undefined } = needs;
  const { schedules } = store.acrossAccounts;
  const sendReport = createSendScheduledReport(needs);
  const notifyFailure = createNotifyReportFailure(needs);
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  async function attempt(held: HeldSchedule): Promise<AttemptEnd | undefined> {
    const { work } = held;
    try {
      if (work.trigger === "due" && held.paused)
        return { run: runOf(held, { status: "cancelled", reason: PAUSED }) };
      // An attempt that ended with its process has no fault.
      if (work.interruptions >= MOST_INTERRUPTIONS) return failing(held, fault("schedule.interrupted"));
      const sent = await sendReport(held);
      if (!sent) return undefined;
      const { reportId, messageIds, failed } = sent;
      if (failed) return failing(held, failed, { reportId, messageIds });
      log.info({ ...namesOf(held), reportId, messages: messageIds.length }, "a scheduled report was mailed");
      return { run: runOf(held, { status: "sent", reportId, messageIds }) };
    } catch (thrown) {
      return failing(held, thrown);
    }
  }

  function failing(
    held: HeldSchedule,
    thrown: unknown,
    sent: Pick<ScheduleRun, "messageIds"> & Partial<Pick<ScheduleRun, "reportId">> = { messageIds: [] },
  ): AttemptEnd {
    const { work } = held;
    const failed = Fault.from(thrown);
    const reason = reasonOf(failed);
    // Another process continues immediately.
    if (signal.aborted) return { retryAt: clock.now(), reason };
    const isOver = after(0).getTime() - work.since.getTime() >= TRIED_MS;
    if (!isFinal(failed) && !isOver) {
      log.info({ err: thrown, ...namesOf(held) }, "a scheduled report failed and is retried");
      const pauseMs = RETRY_MS[Math.min(work.attempts, RETRY_MS.length) - 1] ?? MINUTE_MS;
      return { retryAt: after(pauseMs), reason };
    }
    log.warn({ err: thrown, ...namesOf(held), reason }, "a scheduled report failed");
    return { run: runOf(held, { status: "failed", reason, code: failed.code, ...sent }) };
  }

  function runOf(
    { work }: HeldSchedule,
    outcome: Pick<ScheduleRun, "status"> & Partial<ScheduleRun>,
  ): ScheduleRun {
    const { trigger, period, settled } = work;
    const reportId = settled && { reportId: settled.reportId };
    return { at: clock.now(), trigger, period, messageIds: [], ...reportId, ...outcome };
  }

  /** Claims a due schedule; undefined: another process has claimed it, or it is not due. */
  async function hold(schedule: ScheduleDocument): Promise<HeldSchedule | undefined> {
    const begun = schedule.work ? { work: schedule.work } : begin(schedule, clock.now());
    if (begun) return schedules.hold(schedule, after(HOLD_MS), begun);
    // The clock was set back: the period already has its report.
    await schedules.putOff(schedule._id, after(PUT_OFF_MS));
    return undefined;
  }

  async function run(schedule: ScheduleDocument): Promise<void> {
    try {
      const held = await hold(schedule);
      if (!held) return;
      const ended = await attempt(held);
      if (ended && "run" in ended) await notifyFailure(held, ended.run);
      const isEnded = ended && (await schedules.end(held, ended));
      if (!isEnded) log.warn(namesOf(held), "another attempt at a scheduled report overtook this one");
    } catch (error) {
      if (Fault.from(error).code !== "internal.error") throw error;
      log.error({ err: error, ...namesOf(schedule) }, "a report schedule cannot be used");
      onDamaged();
      await schedules.putOff(schedule._id, after(PUT_OFF_MS));
    }
  }

  return async () => {
    for (const id of await schedules.wakeStrays(clock.now())) {
      log.error({ schedule: id }, "the time of a report schedule was damaged; the schedule is due now");
      onDamaged();
    }
    const { documents, unreadable } = await schedules.listDue(clock.now(), PER_ROUND);
    for (const { id, isAddressable, reason } of unreadable) {
      log.error({ schedule: id, reason }, "a report schedule is damaged; it generates no report for an hour");
      onDamaged();
      if (isAddressable) await schedules.putOff(id, after(PUT_OFF_MS));
    }
    for (const schedule of accountsInOrder(documents)) {
      if (signal.aborted) return;
      await run(schedule);
    }
  };
}

const PAUSED = "The schedule was paused before the report could be sent.";

function namesOf({ _id: schedule, accountId: account }: Pick<ScheduleDocument, "_id" | "accountId">) {
  return { schedule, account };
}

/** undefined: the report of the last period was already started. */
function begin(
  schedule: ScheduleDocument,
  since: Date,
): (Pick<ScheduleDocument, "nextRunAt" | "lastKey"> & { readonly work: ScheduleWork }) | undefined {
  const calendar = createReportCalendar(schedule);
  const { period } = calendar.last(since);
  const { key } = period;
  if (key === schedule.lastKey) return undefined;
  const work: ScheduleWork = { key, trigger: "due", since, period, attempts: 0, interruptions: 0 };
  return { work, lastKey: key, nextRunAt: calendar.next(since, key).at };
}

/**
 * First the first waiting schedule of each account, then the second of each, so that an account with many schedules
 * does not delay others by more than one.
 */
function accountsInOrder(due: readonly ScheduleDocument[]): ScheduleDocument[] {
  const counts = new Map<string, number>();
  const ranked = due.map((schedule) => {
    const rank = counts.get(schedule.accountId) ?? 0;
    counts.set(schedule.accountId, rank + 1);
    return { schedule, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ schedule }) => schedule);
}

function reasonOf(failed: Fault): string {
  if (failed.code === "internal.error") return "The report could not be generated. The reason is in the log.";
  // For several fields, the message contains only their number.
  const fields = failed.code === "request.validation_failed" ? failed.errors : [];
  return [...new Set([failed.public, ...fields.map(({ message }) => message)])].join(" ");
}
