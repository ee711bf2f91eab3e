import type { Metrics } from "../admin/metrics.ts";
import { createAccountDeletions } from "../core/accounts/delete-account.ts";
import type { RefusalRecord } from "../core/audits/refusal-record.ts";
import type { Dependencies } from "../core/dependencies.ts";
import type { DispatchClient } from "../core/dispatch/dispatch-client.ts";
import type { RequestCollector } from "../edge/request-collector.ts";
import type { BackgroundWork } from "../shared/background.ts";
import type { CertificateFiles } from "../shared/certificate-files.ts";
import { StartupError } from "../shared/startup-error.ts";
import type { Migrator } from "../store/migrations/migrator.ts";
import type { Presence } from "../store/migrations/presence.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { Process } from "./process.ts";
import { withinTime } from "./readiness.ts";
import { watchClock } from "./watch-clock.ts";

/** How often a worker looks whether the partitions that it holds have changed. */
const CLAIM_MS = 200;
/** How often the files of a certificate are looked at. */
const CERTIFICATE_MS = 1_000;
const KEY_USES_MS = 10_000;
const REQUESTS_MS = 1_000;
const REFUSALS_MS = 60_000;
/** How often it is looked whether something is left of a deleted account. */
const DELETIONS_MS = 5_000;
/** How often the store is asked whether it is there. */
const READINESS_MS = 1_000;
const QUEUE_DEPTH_MS = 10_000;
/** How often it is looked whether new messages make the index larger than searches should read. */
const SEARCH_INDEX_MS = 1_000;
/** How soon open pages hear of what happens, besides the second in which it settles. */
const LIVE_MS = 500;
/** How often sending domains are looked for that are due; each is due once a day when all is well. */
const DOMAINS_MS = 10_000;
/** How often a process looks whether it is its turn to migrate. */
const MIGRATIONS_MS = 5_000;
/** How often a process says that it is there, and looks whether it may be. */
const PRESENCE_MS = 5_000;

export interface StoreBackgroundOptions {
  readonly migrator: Pick<Migrator, "work">;
  readonly presence: Presence;
}

/**
 * The work of every process, whatever its roles.
 * @param askStoreTime undefined: it has no store
 */
export function processBackground(
  process: Process,
  askStoreTime: (() => Promise<Date>) | undefined,
): readonly BackgroundWork[] {
  return watchClock(process, askStoreTime);
}

/** The work of every process with a store, besides its roles. */
export function storeBackground(
  { migrator, presence }: StoreBackgroundOptions,
  { giveUp, metrics }: Pick<Process, "giveUp" | "metrics">,
): readonly BackgroundWork[] {
  let left: number | undefined;
  return [
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
  extends Pick<Dependencies, "authenticator" | "store" | "clock" | "log" | "live"> {
  readonly refusals: Pick<RefusalRecord, "flush" | "close">;
  /** Rejects while the store is away. */
  readonly ping: () => Promise<void>;
  readonly setReady: (isReady: boolean) => void;
  readonly checkDue: () => Promise<void>;
  /** Aborted when the process is told to end. */
  readonly signal: AbortSignal;
}

/** What the core does besides answering: more of it is a line here. */
export function coreBackground(options: CoreBackgroundOptions): readonly BackgroundWork[] {
  const { authenticator, refusals, ping, setReady, checkDue, store, clock, signal, live } = options;
  return [
    {
      name: "uses of keys",
      everyMs: KEY_USES_MS,
      run: authenticator.flushUses,
      stop: authenticator.flushUses,
    },
    { name: "counts of refusals", everyMs: REFUSALS_MS, run: refusals.flush, stop: refusals.close },
    { name: "deleted accounts", everyMs: DELETIONS_MS, run: createAccountDeletions(options) },
    {
      name: "index of messages",
      everyMs: SEARCH_INDEX_MS,
      run: () => store.acrossAccounts.search.compact(clock.now(), signal),
    },
    { name: "sending domains", everyMs: DOMAINS_MS, run: checkDue },
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
  /** The partitions that the worker has. */
  readonly held: () => readonly number[];
}

/** What a worker does besides delivering. */
export function workerBackground({
  store,
  metrics,
  held,
}: WorkerBackgroundOptions): readonly BackgroundWork[] {
  return [
    {
      name: "queue depth",
      everyMs: QUEUE_DEPTH_MS,
      run: async () => {
        const waiting = await store.queue.countWaiting(held());
        metrics.queueDepth.set({ state: "waiting" }, waiting);
        metrics.quarantineDepth.set(await store.quarantine.count());
      },
    },
  ];
}

/** The work of a worker for the cores of other processes. */
export function dispatchBackground({
  claimChanges,
}: Pick<DispatchClient, "claimChanges">): readonly BackgroundWork[] {
  return [{ name: "claims of partitions", everyMs: CLAIM_MS, run: claimChanges }];
}

/** The work of the SMTP listeners, besides listening. */
export function smtpBackground({ look }: Pick<CertificateFiles, "look">): readonly BackgroundWork[] {
  return [{ name: "certificate of the SMTP listeners", everyMs: CERTIFICATE_MS, run: look }];
}

/** The work of the public HTTP API over TLS, besides answering. */
export function edgeBackground({ look }: Pick<CertificateFiles, "look">): readonly BackgroundWork[] {
  return [{ name: "certificate of the HTTP API", everyMs: CERTIFICATE_MS, run: look }];
}

/** The log of requests: what is answered is handed over to the core, and the rest of it at the end, if that is there. */
export function requestBackground(
  { flush }: Pick<RequestCollector, "flush">,
  { log }: Pick<Process, "log">,
): readonly BackgroundWork[] {
  let isAway = false;
  return [
    {
      name: "log of requests",
      everyMs: REQUESTS_MS,
      run: async () => {
        try {
          await flush();
          isAway = false;
        } catch (error) {
          // Said once: it is tried every second.
          if (!isAway) log.warn({ err: error }, "the log of requests cannot be written, and is tried again");
          isAway = true;
        }
      },
      stop: () => withinTime(flush()),
    },
  ];
}
