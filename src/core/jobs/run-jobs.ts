import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { faultCodes } from "../../../contracts/common/fault-codes.ts";
import type { Audit } from "../../shared/audit.ts";
import { type Clock, systemTimers, type Timers } from "../../shared/clock.ts";
import { Fault, fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import { withoutUndefined } from "../../shared/without-undefined.ts";
import {
  JOB_RETENTION_MS,
  type JobDocument,
  type JobOutcome,
  type JobResultEntry,
  jobStepId,
} from "../../store/job-documents.ts";
import type { JobChange } from "../../store/job-store.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import { type HeldSlice, holdSlice } from "./hold-slice.ts";
import { type JobKind, MAX_STEP_ITEMS } from "./job-kind.ts";

/*
 * Jobs, an overview.
 *
 * queued -> running -> succeeded | failed | cancelled. A method of an area starts a job. From then on, only the
 *   process with its time slice changes it, and the caller who cancels it.
 *
 * Time slices. A process takes one job of the account that has waited longest, runs steps for about a second, and
 *   releases the job. A job of many items therefore delays no other account for longer, and an account's jobs share
 *   its time slices.
 *
 * Steps. The effects of a step, its counts and the next cursor are stored in one transaction. If a process ends in
 *   between, the cursor is unchanged. The step runs again, without a second effect on an item.
 *
 * Leases and epochs. A time slice is a lease by the store's clock, which is renewed continuously. Each time slice
 *   increases the epoch, which every write contains: a process that was suspended for longer than its lease can no
 *   longer store anything.
 *
 * Errors. While the store is unavailable, nothing is stored, the lease expires, and the job continues afterwards.
 *   Other errors of a kind are retried with increasing waits, until `MAX_TAKES` consecutive time slices have
 *   completed no step.
 */

/** A lease that is not renewed expires after this time, by the store's clock. */
const LEASE_MS = 10_000;
/** A time slice ends with the first step that is completed after this time. */
const SLICE_MS = 1_000;
/**
 * Consecutive time slices without a completed step, after which the job fails. Terminated processes count, too: the
 * job may be the cause.
 */
const MAX_TAKES = 12;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

export interface RunJobsOptions {
  readonly jobs: AcrossAccounts["jobs"];
  readonly kinds: readonly JobKind[];
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly log: Logger;
  /** Called for a job that has ended because its document is damaged. */
  readonly onDamaged?: () => void;
  /** Aborted when the process must end. */
  readonly signal: AbortSignal;
  readonly leaseMs?: number;
  readonly sliceMs?: number;
}

/** A job after a step. */
interface Advanced {
  readonly job: JobDocument;
  readonly pauseMs: number;
}

/**
 * Runs waiting jobs, time slice after time slice, until none waits. Several runs are possible at the same time, in
 * any number of processes.
 * @returns a run, which rejects when the store is unavailable
 */
export function createRunJobs(options: RunJobsOptions): () => Promise<void> {
  const { jobs, clock, timers = systemTimers, log, signal, leaseMs = LEASE_MS, sliceMs = SLICE_MS } = options;
  const { onDamaged = () => undefined } = options;
  const kinds = new Map(options.kinds.map((kind) => [kind.kind, kind]));
  const holder = randomUUID();

  const after = (ms: number) => new Date(clock.now().getTime() + ms);

  function auditOf({ _id, kind, startedBy }: JobDocument): Audit {
    const from = { sessionId: "", clientAddress: "", clientAgent: "" };
    return { actor: startedBy, ...from, action: kind, traceId: _id, now: () => clock.now() };
  }

  const ended = (state: JobDocument["state"]): JobChange["set"] => ({
    state,
    finishedAt: clock.now(),
    expireAt: after(JOB_RETENTION_MS),
  });

  async function end(job: JobDocument, set: JobChange["set"]): Promise<void> {
    await jobs.save(job, { set, isOver: true });
  }

  /** Runs one step. @returns undefined: the job has ended, or another process holds the lease now */
  async function advance(job: JobDocument, held: HeldSlice): Promise<Advanced | undefined> {
    const kind = kinds.get(job.kind);
    if (!kind) throw fault("internal.error", { internal: `unknown kind of job ${job.kind}` });
    if (job.cancelRequestedAt) return void (await end(job, ended("cancelled")));
    const keyOf = (item: string) => `${job._id}:${item}`;
    const foundBy = (step: number) => jobs.itemsOf(job, step);
    const running = { ...job, audit: auditOf(job), keyOf, foundBy, signal: held.signal };
    if (job.startedAt === undefined) {
      const { total, place: position } = await kind.prepare(running);
      const begun = { state: "running", startedAt: clock.now(), total, place: position, takes: 0 } as const;
      return advanced(await jobs.save(job, { set: withoutUndefined(begun) }));
    }
    const { results, found = [], next, total, pauseMs } = await kind.step(running, job.place);
    // With a damaged cursor, the job would never end.
    if (results.length === 0 && found.length === 0 && !pauseMs && isDeepStrictEqual(next, job.place)) {
      throw fault("internal.error", { internal: `a step of ${job.kind} made no progress` });
    }
    if (Math.max(results.length, found.length) > MAX_STEP_ITEMS) {
      throw fault("internal.error", { internal: `a step of ${job.kind} is too large` });
    }
    const set = {
      ...withoutUndefined({ total, place: next }),
      steps: job.steps + 1,
      takes: 0,
      ...(next === undefined && ended("succeeded")),
    };
    const documents = { results: resultsOf(job, results), items: itemsOf(job, found) };
    const change = { set, counts: countsOf(results), ...documents };
    return advanced(await jobs.save(job, { ...change, isOver: next === undefined }), pauseMs);
  }

  function resultsOf({ _id, accountId, steps }: JobDocument, entries: readonly JobResultEntry[]) {
    if (entries.length === 0) return undefined;
    const outcomes = [...new Set(entries.map(({ outcome }) => outcome))];
    const expireAt = after(JOB_RETENTION_MS);
    return { _id: jobStepId(_id, steps), accountId, jobId: _id, entries, outcomes, expireAt };
  }

  function itemsOf({ _id, accountId, steps }: JobDocument, items: readonly string[]) {
    if (items.length === 0) return undefined;
    return { _id: jobStepId(_id, steps), accountId, items, expireAt: after(JOB_RETENTION_MS) };
  }

  /** A step failed, or it was completed and its result is not stored. */
  async function recover(job: JobDocument, held: HeldSlice, thrown: unknown): Promise<void> {
    const about = { job: job._id, account: job.accountId, kind: job.kind };
    if (held.isLost()) {
      log.warn(
        { err: thrown, ...about },
        "the lease of a job was lost; another process may continue the job",
      );
      return;
    }
    const now = clock.now();
    if (signal.aborted) return jobs.release(job, now, now, true);
    const failed = Fault.from(thrown);
    const isAway = failed.code === "store.unavailable" || failed.code === "store.full";
    if (isFinal(failed) || (!isAway && job.takes >= MAX_TAKES)) {
      log.error({ err: thrown, ...about }, "a job failed");
      await end(job, { ...ended("failed"), failure: { code: failed.code, message: failed.public } });
      return;
    }
    log.warn({ err: thrown, ...about }, "a step of a job failed and is retried");
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** job.takes);
    await jobs.release(job, now, after(pauseMs), isAway);
  }

  async function slice(first: JobDocument, askedMs: number): Promise<void> {
    const prolong = () => jobs.prolong(first, leaseMs);
    const held = holdSlice({ prolong, clock, timers, signal, leaseMs, askedMs });
    const untilMs = clock.monotonicMs() + sliceMs;
    let job = first;
    try {
      // An attempt that ended with its process has no fault.
      if (first.takes > MAX_TAKES) throw fault("internal.error", { internal: "no turn has done a step" });
      for (;;) {
        const step = await advance(job, held);
        if (!step) return;
        job = step.job;
        const isOver = step.pauseMs > 0 || clock.monotonicMs() >= untilMs || held.signal.aborted;
        if (isOver) return await jobs.release(job, clock.now(), after(step.pauseMs), false);
      }
    } catch (thrown) {
      await recover(job, held, thrown);
    } finally {
      await held.end();
    }
  }

  return async () => {
    while (!signal.aborted) {
      const askedMs = clock.monotonicMs();
      const wanted = { kinds: [...kinds.keys()], holder, leaseMs, now: clock.now() };
      const job = await jobs.take(wanted, ({ id, accountId, reason }) => {
        log.error({ job: id, account: accountId, reason }, "a job is damaged and was ended");
        onDamaged();
      });
      if (!job) return;
      await slice(job, askedMs);
    }
  };
}

function advanced(job: JobDocument | null, pauseMs = 0): Advanced | undefined {
  return job?.turnAt === undefined ? undefined : { job, pauseMs };
}

function countsOf(results: readonly JobResultEntry[]): Partial<Record<JobOutcome, number>> {
  const counts: Partial<Record<JobOutcome, number>> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The request is invalid, so that a retry has no effect. */
function isFinal({ code }: Fault): boolean {
  const { http } = faultCodes[code];
  return http < 500 && http !== 429;
}
