import { createReportCalendar } from "../../intel/reports/report-calendar.ts";
import { Fault, fault } from "../../shared/fault.ts";
import type { ScheduleDocument, ScheduleRun, ScheduleWork } from "../../store/schedule-documents.ts";
import type { AttemptEnd, HeldSchedule } from "../../store/schedule-store.ts";
import { createSendScheduledReport, isFinal, type SendReportNeeds } from "./send-scheduled-report.ts";
import { createTellReportFailure, type TellFailureNeeds } from "./tell-report-failure.ts";

/*
 * Reports by schedules, an overview.
 *
 * Due. A schedule is due at the hour that its calendar says. Whoever holds it first begins the report of the last period: of
 *   several that were missed, only that one. When the next is due is stored in the same write.
 *
 * Attempts. Whoever holds a schedule has ten minutes; one that has ended by then leaves it for another one. What an attempt stores
 *   names its number, so that one that is late changes nothing any more. What it makes has ids that follow from schedule and
 *   period (`send-scheduled-report.ts`): an attempt that is made again neither loses nor doubles a mail.
 *
 * Trouble. What passes by itself is tried again, later each time, for a day. What somebody has to change ends the report at once,
 *   and the schedule says why; alert rules hear of it. The next period goes on either way.
 *
 * Others. Reports are made one at a time in each process, one of each account in turn. What cannot be read, or holds nonsense, is put off
 *   for an hour, and said to the log.
 */

export interface RunSchedulesNeeds extends SendReportNeeds, TellFailureNeeds {
  /** Aborted when the process is told to end: no further report is begun. */
  readonly signal: AbortSignal;
  /** Told each time that a schedule cannot be used because its document is damaged. */
  readonly onDamaged?: () => void;
}

const MINUTE_MS = 60_000;
/** Looked at in one turn. */
const PER_TURN = 100;
/** Longer than a report takes to be made, with others before it, and to be mailed. */
const HOLD_MS = 10 * MINUTE_MS;
const RETRY_MS = [1, 5, 15, 60, 120].map((minutes) => minutes * MINUTE_MS);
/** From when it was begun. */
const TRIED_MS = 24 * 60 * MINUTE_MS;
/** Attempts that came to no end: it may be what ends processes. */
const MOST_INTERRUPTIONS = 5;
const PUT_OFF_MS = 60 * MINUTE_MS;

/** One turn of making the reports that are due. Several processes may do so at once. */
export function createRunSchedules(needs: RunSchedulesNeeds): () => Promise<void> {
  const { store, clock, log, signal, onDamaged = () => undefined } = needs;
  const { schedules } = store.acrossAccounts;
  const sendReport = createSendScheduledReport(needs);
  const tellFailure = createTellReportFailure(needs);
  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  async function attempt(held: HeldSchedule): Promise<AttemptEnd | undefined> {
    const { work } = held;
    try {
      if (work.trigger === "due" && held.paused)
        return { run: runOf(held, { status: "cancelled", reason: PAUSED }) };
      // What ends a process leaves no fault.
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
    // Another process goes on with it at once.
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

  /** Takes a schedule that is due. undefined: somebody else has, or it is not due after all. */
  async function hold(schedule: ScheduleDocument): Promise<HeldSchedule | undefined> {
    const begun = schedule.work ? { work: schedule.work } : begin(schedule, clock.now());
    if (begun) return schedules.hold(schedule, after(HOLD_MS), begun);
    // The clock was set back: that period has its report.
    await schedules.putOff(schedule._id, after(PUT_OFF_MS));
    return undefined;
  }

  async function run(schedule: ScheduleDocument): Promise<void> {
    try {
      const held = await hold(schedule);
      if (!held) return;
      const ended = await attempt(held);
      if (ended && "run" in ended) await tellFailure(held, ended.run);
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
    const { documents, unreadable } = await schedules.listDue(clock.now(), PER_TURN);
    for (const { id, isAddressable, reason } of unreadable) {
      log.error({ schedule: id, reason }, "a report schedule is damaged; it generates no report for an hour");
      onDamaged();
      if (isAddressable) await schedules.putOff(id, after(PUT_OFF_MS));
    }
    for (const schedule of accountsInTurn(documents)) {
      if (signal.aborted) return;
      await run(schedule);
    }
  };
}

const PAUSED = "The schedule was paused before the report could be sent.";

function namesOf({ _id: schedule, accountId: account }: Pick<ScheduleDocument, "_id" | "accountId">) {
  return { schedule, account };
}

/** undefined: the report of the last period was begun before. */
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

/** The first that waits of each account, then the second of each: an account with many keeps others waiting for one of each only. */
function accountsInTurn(due: readonly ScheduleDocument[]): ScheduleDocument[] {
  const counts = new Map<string, number>();
  const ranked = due.map((schedule) => {
    const rank = counts.get(schedule.accountId) ?? 0;
    counts.set(schedule.accountId, rank + 1);
    return { schedule, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ schedule }) => schedule);
}

function reasonOf(failed: Fault): string {
  if (failed.code === "internal.error")
    return "The report could not be generated. See the log for the reason.";
  // Of several fields, it says how many there are.
  const fields = failed.code === "request.validation_failed" ? failed.errors : [];
  return [...new Set([failed.public, ...fields.map(({ message }) => message)])].join(" ");
}
