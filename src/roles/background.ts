import type { Metrics } from "../admin/metrics.ts";
import { createApplyRetention } from "../core/accounts/apply-retention.ts";
import { createAccountDeletions } from "../core/accounts/delete-account.ts";
import { createNotifyUndelivered } from "../core/alerts/notify-undelivered.ts";
import type { RefusalRecord } from "../core/audits/refusal-record.ts";
import type { Dependencies } from "../core/dependencies.ts";
import type { DispatchClient } from "../core/dispatch/dispatch-client.ts";
import { createErasures } from "../core/erasures/run-erasures.ts";
import { createNotifyWatchChanges } from "../core/intel/notify-watch-changes.ts";
import { createRunSchedules } from "../core/intel/run-schedules.ts";
import { createNotifyDisabled } from "../core/webhooks/notify-disabled.ts";
import type { BackgroundWork } from "../shared/background.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { Migrator } from "../store/migrations/migrator.ts";
import type { Presence } from "../store/migrations/presence.ts";
import type { AcrossAccounts } from "../store/store.ts";
import { heartbeatBackground } from "./heartbeat-background.ts";
import type { Process } from "./process.ts";
import { withinTime } from "./readiness.ts";
import { watchClock } from "./watch-clock.ts";

/** Interval of checks whether the held partitions have changed. */
const CLAIM_MS = 200;
const KEY_USES_MS = 10_000;
const REFUSALS_MS = 60_000;
/** Interval of checks for leftovers of deleted accounts or erased recipients. */
const DELETIONS_MS = 5_000;
/** Interval of checks for data past the retention of an account. */
const RETENTION_MS = 10_000;
/** Interval of checks whether the store is available. */
const READINESS_MS = 1_000;
const QUEUE_DEPTH_MS = 10_000;
/** Interval of checks whether the search index must be merged. */
const SEARCH_INDEX_MS = 1_000;
/** Interval of checks for waiting jobs. */
const JOBS_MS = 1_000;
/** Maximum of concurrent jobs of a process, so that the first job does not block others. */
const JOB_WORKERS = 2;
/** Interval at which the counters receive the events that got their place. */
const COUNTS_MS = 500;
const UNCOUNTED_MS = 10_000;
/** Delay until open pages receive events, in addition to the second in which they settle. */
const LIVE_MS = 500;
/** Interval of checks for due sending domains; each is due once a day when it is correct. */
const DOMAINS_MS = 10_000;
/** Interval of checks for due watched domains, and for those with pending alerts. */
const WATCHES_MS = 2_000;
/** Interval of checks for subjects due at blacklists. */
const BLACKLISTS_MS = 10_000;
/** Interval of checks for due report schedules. */
const SCHEDULES_MS = 5_000;
/** Interval of checks for disabled endpoints that must be reported. */
const DISABLED_MS = 10_000;
/** Interval of checks for failed alert mail that must be reported to owners. */
const UNDELIVERED_MS = 10_000;
/** Interval of checks for due notifications of incidents. */
const ALERTS_MS = 500;
/** Interval of checks whether this process must migrate. */
const MIGRATIONS_MS = 5_000;
/** Interval at which a process registers itself, and checks whether it may run. */
const PRESENCE_MS = 5_000;

/** Interval at which stored events are recorded for the event log. */
const EVENTS_MS = 1_000;
/** Interval at which changed webhook deliveries and incidents are noted for open pages. */
const DELIVERY_NOTES_MS = 1_000;
/** Interval of retries to read the suppression list, until all is read. */
const LISTED_MS = 1_000;
/** Interval of checks for uncounted events of a crashed process. */
const JOURNAL_MS = 5_000;

export interface StoreBackgroundOptions {
  readonly store: {
    readonly acrossAccounts: {
      readonly journal: Pick<AcrossAccounts["journal"], "fold" | "close" | "noteDeliveries">;
      readonly suppressions: Pick<AcrossAccounts["suppressions"], "readListed">;
    };
  };
  readonly migrator: Pick<Migrator, "work">;
  readonly presence: Presence;
}

/**
 * Background work of every process, for any role.
 * @param askStoreTime undefined: it has no store
 */
export function processBackground(
  process: Process,
  askStoreTime: (() => Promise<Date>) | undefined,
): readonly BackgroundWork[] {
  return watchClock(process, askStoreTime);
}

/** Background work of every process with a store, for any role. */
export function storeBackground(
  { migrator, presence, store }: StoreBackgroundOptions,
  { giveUp, metrics, clock, signal }: Pick<Process, "giveUp" | "metrics" | "clock" | "signal">,
): readonly BackgroundWork[] {
  const { journal, suppressions } = store.acrossAccounts;
  let left: number | undefined;
  return [
    {
      name: "events",
      everyMs: EVENTS_MS,
      run: () => journal.fold(clock.now()),
      stop: () => withinTime(journal.close(clock.now())),
    },
    {
      name: "notes of webhook deliveries",
      everyMs: DELIVERY_NOTES_MS,
      run: () => journal.noteDeliveries(clock.now()),
      stop: () => withinTime(journal.noteDeliveries(clock.now())),
    },
    {
      name: "presence",
      everyMs: PRESENCE_MS,
      run: async () => {
        try {
          await presence.announce();
        } catch (error) {
          if (!(error instanceof StartupError)) throw error;
          giveUp(error);
        }
      },
      stop: presence.withdraw,
    },
    {
      name: "suppression list",
      everyMs: LISTED_MS,
      run: () => suppressions.readListed(signal),
    },
    {
      name: "migrations",
      everyMs: MIGRATIONS_MS,
      run: async () => {
        if (left === 0) return;
        left = await migrator.work();
        metrics.unfinishedMigrations.set(left);
      },
    },
  ];
}

export interface CoreBackgroundOptions
  extends Pick<
    Dependencies,
    | "authenticator"
    | "store"
    | "retention"
    | "clock"
    | "log"
    | "live"
    | "systemMail"
    | "alertEngine"
    | "idempotency"
    | "intel"
    | "settings"
    | "verifySender"
    | "limits"
    | "policyBounds"
    | "intake"
    | "partitionOf"
  > {
  readonly refusals: Pick<RefusalRecord, "flush" | "close">;
  /** Rejects while the store is unavailable. */
  readonly ping: () => Promise<void>;
  readonly setReady: (isReady: boolean) => void;
  readonly checkDue: () => Promise<void>;
  readonly checkDueWatches: () => Promise<void>;
  readonly runBlacklists: () => Promise<void>;
  readonly runJobs: () => Promise<void>;
  readonly onDamagedSchedule: () => void;
  /** Receives the time since the first uncounted events got their place; 0: all are counted. */
  readonly setUncountedMs: (ms: number) => void;
  /** Aborted when the process is to end. */
  readonly signal: AbortSignal;
}

/** Background work of the core: new work adds a line here. */
export function coreBackground(options: CoreBackgroundOptions): readonly BackgroundWork[] {
  const { authenticator, refusals, ping, setReady, checkDue, runJobs, store, clock, signal, live } = options;
  const { setUncountedMs } = options;
  const { auditMs: proofMs } = options.retention;
  return [
    {
      name: "uses of keys",
      everyMs: KEY_USES_MS,
      run: authenticator.flushUses,
      stop: authenticator.flushUses,
    },
    { name: "counts of refusals", everyMs: REFUSALS_MS, run: refusals.flush, stop: refusals.close },
    {
      name: "journal of events",
      everyMs: JOURNAL_MS,
      run: () => store.acrossAccounts.journal.recover(clock.now()),
    },
    { name: "deleted accounts", everyMs: DELETIONS_MS, run: createAccountDeletions({ ...options, proofMs }) },
    { name: "retention of accounts", everyMs: RETENTION_MS, run: createApplyRetention(options) },
    { name: "erasures of recipients", everyMs: DELETIONS_MS, run: createErasures({ ...options, proofMs }) },
    {
      name: "index of messages",
      everyMs: SEARCH_INDEX_MS,
      run: () => store.acrossAccounts.search.compact(clock.now(), signal),
    },
    ...Array.from({ length: JOB_WORKERS }, (_, worker) => ({
      name: `jobs, ${worker + 1} of ${JOB_WORKERS}`,
      everyMs: JOBS_MS,
      run: runJobs,
    })),
    { name: "disabled webhooks", everyMs: DISABLED_MS, run: createNotifyDisabled(options) },
    { name: "undelivered mail of alerts", everyMs: UNDELIVERED_MS, run: createNotifyUndelivered(options) },
    { name: "notices of alerts", everyMs: ALERTS_MS, run: options.alertEngine.check },
    ...heartbeatBackground(options),
    { name: "sending domains", everyMs: DOMAINS_MS, run: checkDue },
    { name: "watched domains", everyMs: WATCHES_MS, run: options.checkDueWatches },
    { name: "blacklists", everyMs: BLACKLISTS_MS, run: options.runBlacklists },
    { name: "alerts of watched domains", everyMs: WATCHES_MS, run: createNotifyWatchChanges(options) },
    {
      name: "scheduled reports",
      everyMs: SCHEDULES_MS,
      run: createRunSchedules({ ...options, onDamaged: options.onDamagedSchedule }),
    },
    { name: "events of changes", everyMs: LIVE_MS, run: () => store.acrossAccounts.eventLog.placeIfFree() },
    { name: "counts of events", everyMs: COUNTS_MS, run: () => store.acrossAccounts.eventLog.countSome() },
    {
      name: "age of uncounted events",
      everyMs: UNCOUNTED_MS,
      run: async () => {
        const since = await store.acrossAccounts.eventLog.firstUncounted();
        setUncountedMs(since ? Math.max(clock.now().getTime() - since.getTime(), 0) : 0);
      },
    },
    { name: "events for open pages", everyMs: LIVE_MS, run: live.read },
    { name: "beats for open pages", everyMs: LIVE_MS, run: live.beat },
    {
      name: "readiness",
      everyMs: READINESS_MS,
      run: async () => {
        const answers = withinTime(ping());
        setReady(
          await answers.then(
            () => true,
            () => false,
          ),
        );
      },
    },
  ];
}

export interface WorkerBackgroundOptions {
  readonly store: Pick<AcrossAccounts, "queue" | "quarantine">;
  readonly metrics: Metrics;
  readonly clock: Pick<Process["clock"], "now">;
  /** The partitions of the worker. */
  readonly held: () => readonly number[];
}

/** Background work of a worker. */
export function workerBackground({
  store,
  metrics,
  clock,
  held,
}: WorkerBackgroundOptions): readonly BackgroundWork[] {
  return [
    {
      name: "queue depth",
      everyMs: QUEUE_DEPTH_MS,
      run: async () => {
        const partitions = held();
        metrics.heldPartitions.set(partitions.length);
        metrics.queueDepth.set({ state: "waiting" }, await store.queue.countWaiting(partitions));
        const now = clock.now();
        const dueAt = await store.queue.oldestDueAt(partitions, now);
        metrics.oldestDue.set(dueAt ? (now.getTime() - dueAt.getTime()) / 1000 : 0);
        metrics.quarantineDepth.set(await store.quarantine.count());
      },
    },
  ];
}

/** Work of a worker for the cores of other processes. */
export function dispatchBackground({
  claimChanges,
}: Pick<DispatchClient, "claimChanges">): readonly BackgroundWork[] {
  return [{ name: "claims of partitions", everyMs: CLAIM_MS, run: claimChanges }];
}
