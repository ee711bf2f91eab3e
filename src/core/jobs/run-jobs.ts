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
import { type HeldTurn, holdTurn } from "./hold-turn.ts";
import { type JobKind, MAX_STEP_ITEMS } from "./job-kind.ts";

/*
 * Jobs, an overview.
 *
 * queued -> running -> succeeded | failed | cancelled. A method of an area begins a job; from then on whoever has its turn
 *   changes it, and besides that only who asks for its end.
 *
 * Turns. A process takes the turn of one job, of the account that has waited longest, does steps for about a second, and gives
 *   it back. So a job of many items keeps no other account waiting for longer than that, and an account's jobs share its turns.
 *
 * Steps. What a step has done, its counts and the place behind it are stored in one transaction. A process that ends in
 *   between leaves the place where it was; the step is done again, which does nothing to an item a second time.
 *
 * Leases and epochs. A turn is a lease by the store's clock, prolonged all the time. Each turn raises the epoch, and what is
 *   stored names it: a process that stood still for longer than its lease stores nothing any more.
 *
 * Trouble. While the store is away nothing is stored, the lease runs out, and the job goes on when it is back. What a kind
 *   throws otherwise is tried again, later each time, until `MAX_TAKES` turns in a row have done no step.
 */

/** A turn that is not prolonged runs out after this, by the store's clock. */
const LEASE_MS = 10_000;
/** A turn ends with the first step that is done after so long. */
const TURN_MS = 1_000;
/** Turns in a row without a step; then the job has failed. Ends of processes count, too: it may be what ends them. */
const MAX_TAKES = 12;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

export interface RunJobsOptions {
  readonly jobs: AcrossAccounts["jobs"];
  readonly kinds: readonly JobKind[];
  readonly clock: Clock;
  readonly timers?: Timers;
  readonly log: Logger;
  /** Told of a job that has ended because its document is damaged. */
  readonly onDamaged?: () => void;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
  readonly leaseMs?: number;
  readonly turnMs?: number;
}

/** A job after a step. */
interface Advanced {
  readonly job: JobDocument;
  readonly pauseMs: number;
}

/**
 * Does what jobs wait for: turn after turn, until none waits. Several may do so at once, in any number of processes.
 * @returns a run, which rejects when the store is away
 */
export function createRunJobs(options: RunJobsOptions): () => Promise<void> {
  const { jobs, clock, timers = systemTimers, log, signal, leaseMs = LEASE_MS, turnMs = TURN_MS } = options;
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

  /** One step. @returns undefined: the job has ended, or the turn is another one's by now */
  async function advance(job: JobDocument, held: HeldTurn): Promise<Advanced | undefined> {
    const kind = kinds.get(job.kind);
    if (!kind) throw fault("internal.error", { internal: `unknown kind of job ${job.kind}` });
    if (job.cancelRequestedAt) return void (await end(job, ended("cancelled")));
    const keyOf = (item: string) => `${job._id}:${item}`;
    const foundBy = (step: number) => jobs.itemsOf(job, step);
    const running = { ...job, audit: auditOf(job), keyOf, foundBy, signal: held.signal };
    if (job.startedAt === undefined) {
      const { total, place } = await kind.prepare(running);
      const begun = { state: "running", startedAt: clock.now(), total, place, takes: 0 } as const;
      return advanced(await jobs.save(job, { set: withoutUndefined(begun) }));
    }
    const { results, found = [], next, total, pauseMs } = await kind.step(running, job.place);
    // A place that is damaged leads nowhere: the job would go on without end.
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

  /** A step was not done, or was and its end is not stored. */
  async function recover(job: JobDocument, held: HeldTurn, thrown: unknown): Promise<void> {
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

  async function turn(first: JobDocument, askedMs: number): Promise<void> {
    const prolong = () => jobs.prolong(first, leaseMs);
    const held = holdTurn({ prolong, clock, timers, signal, leaseMs, askedMs });
    const untilMs = clock.monotonicMs() + turnMs;
    let job = first;
    try {
      // What ends a process leaves no fault.
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
      await turn(job, askedMs);
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

/** What was asked for is wrong, and will be: to ask again is of no use. */
function isFinal({ code }: Fault): boolean {
  const { http } = faultCodes[code];
  return http < 500 && http !== 429;
}
