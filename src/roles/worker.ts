import type { AccountSettings } from "../core/access/account-settings.ts";
import { createDeliver } from "../delivery/deliver.ts";
import { createCheckSuppression } from "../delivery/queue/check-suppression.ts";
import { createHolds } from "../delivery/queue/holds.ts";
import { createLoadBody } from "../delivery/queue/load-body.ts";
import { createQuarantine } from "../delivery/queue/quarantine.ts";
import { createRecordResults } from "../delivery/queue/record-results.ts";
import { createWithdraw } from "../delivery/queue/withdraw.ts";
import { createDestinations } from "../delivery/routing/destinations.ts";
import { createWorker } from "../delivery/worker.ts";
import type { Worker } from "../delivery/worker-options.ts";
import { createMessageLog } from "../events/message-log.ts";
import { createPartitions } from "../leases/partitions.ts";
import { createUnsubscribeUrl } from "../message/unsubscribe/list-unsubscribe.ts";
import { startBackground } from "../shared/background.ts";
import { newId } from "../shared/ids.ts";
import { isFinal } from "../shared/message-state.ts";
import type { Claim } from "../store/documents.ts";
import { startAlertTargets } from "./alert-targets.ts";
import { workerBackground } from "./background.ts";
import { composeNotices } from "./notices.ts";
import type { Process } from "./process.ts";
import { composeReturnPaths, createReturnPathOf } from "./return-paths.ts";
import type { OpenStore } from "./store.ts";
import { composeTrackHtml, createTrackingBaseOf, openTracking } from "./tracking.ts";
import { composeTransports } from "./transports.ts";
import { openUnsubscribeTokens } from "./unsubscribe-tokens.ts";
import { startWebhooks } from "./webhooks.ts";

const DAY_MS = 24 * 3_600_000;
const MAX_CLAIMS_SHOWN = 20;
/** For a store that only this process can open: the worker may take over its predecessor's leases at once. */
const SOLE_WORKER = "wrk_sole";

/** A composed worker, which delivers nothing until it is started. */
export interface BuiltWorker extends Worker {
  readonly id: string;
}

/** Composes the delivery worker. After its start, it ends with the process. */
export async function composeWorker(
  process: Process,
  { store, exclusive, partitionCount, partitionOf }: OpenStore,
  settings: AccountSettings,
): Promise<BuiltWorker> {
  const { config, clock, log, lifecycle, metrics } = process;
  const { transportFor, route, resolver, rules, abandon } = composeTransports(process, store);
  const returnPaths = await composeReturnPaths(config, store);
  const workerId = exclusive ? SOLE_WORKER : newId("wrk", clock.now());
  const { messageMs: retentionMs, suppressionMs } = config.retention;
  const { contents, queue, suppressions } = store.acrossAccounts;
  const loadBody = createLoadBody({ contents });
  const messageLog = createMessageLog(log);
  let mailAttempts = 0;
  const worker = createWorker({
    queue,
    loadBodies: contents.loadMany,
    partitions: (deliveries) =>
      createPartitions({
        store: store.partitions,
        partitionCount,
        workerId,
        deliveries,
        clock,
        log,
        onSkew: ({ skewMs }) => metrics.clockSkew.set(skewMs / 1000),
        onClaims: (claims) => showClaims(process, claims),
        onDamaged: (kind) => metrics.damagedLeases.inc({ kind }),
      }),
    destinations: createDestinations({
      findPolicy: settings.policyOfMessage,
      route,
      concurrency: config.delivery.destinationConcurrency,
      slowAfterMs: config.delivery.slowAfterMs,
      clock,
    }),
    deliver: createDeliver({
      checkSuppression: createCheckSuppression({ suppressions, clock }),
      suppressionMs,
      loadBody,
      findPolicy: settings.policyOfMessage,
      findSigners: settings.signers,
      returnPathOf: createReturnPathOf(returnPaths, settings, config),
      transportFor,
      unsubscribeUrl: createUnsubscribeUrl(config.http.baseUrl, await openUnsubscribeTokens(store)),
      trackHtml: composeTrackHtml(config, await openTracking(config, store)),
      trackingBaseOf: createTrackingBaseOf(config, settings),
      clock,
      maxAgeMs: config.delivery.maxAgeMs,
      longestAgeMs: config.delivery.longestAgeMs,
      log,
      maxHops: config.limits.hops,
      retentionMs,
    }),
    abandonAttempts: abandon,
    results: createRecordResults({
      store,
      storeNotices: composeNotices(process, { store, settings, loadBody, partitionOf }),
    }),
    holds: createHolds({
      holds: store.holds,
      policyHolds: store.acrossAccounts.policyHolds,
      onRead: (count) => metrics.queueHolds.set(count),
    }),
    withdraw: createWithdraw({ store: store.acrossAccounts, clock, retentionMs }),
    quarantine: createQuarantine({
      store: store.acrossAccounts,
      clock,
      log,
      retentionMs,
      onQuarantined: () => {
        metrics.quarantined.inc();
        metrics.quarantineDepth.inc();
      },
    }),
    clock,
    log,
    concurrency: config.delivery.concurrency,
    slowAfterMs: config.delivery.slowAfterMs,
    latestDueMs: config.limits.sendAtDays * DAY_MS + config.delivery.longestAgeMs,
    onUnderWay: (count) => metrics.deliveriesInFlight.set(count),
    onAttempt: (message, { event, transition }, durationMs) => {
      mailAttempts++;
      messageLog.attempted(message, event, durationMs);
      const { createdAt, sendAt = createdAt } = message;
      const transport = event.via?.split(" ", 1)[0] ?? "none";
      metrics.deliveries.inc({ transport, outcome: transition.to });
      metrics.deliveryDuration.observe({ transport }, durationMs / 1000);
      if (isFinal(transition.to)) metrics.deliveryLag.observe((event.at.getTime() - sendAt.getTime()) / 1000);
    },
  });
  return {
    ...worker,
    id: workerId,
    start: async () => {
      for (const work of workerBackground({ store: store.acrossAccounts, metrics, clock, held: worker.held }))
        startBackground(work, process);
      await worker.start();
      const posting = { store, resolver, rules, held: worker.held, partitionCount };
      startWebhooks(process, { ...posting, mailAttempts: () => mailAttempts });
      startAlertTargets(process, posting);
      lifecycle.onDrain(worker.drain);
      lifecycle.defer("worker", worker.stop);
    },
  };
}

/** Limit of series: every name is a separate one. */
export function showClaims({ metrics }: Pick<Process, "metrics">, claims: readonly Claim[]): void {
  metrics.wantedOfLimits.reset();
  metrics.heldOfLimits.reset();
  for (const { limit: name, wants, holds } of claims.slice(0, MAX_CLAIMS_SHOWN)) {
    if (wants < 1) return;
    const limit = name.trim();
    metrics.wantedOfLimits.set({ limit }, wants);
    metrics.heldOfLimits.set({ limit }, holds);
  }
}
