import { setMaxListeners } from "node:events";
import { version } from "../config.ts";
import { createHostsFile } from "../dns/hosts-file.ts";
import type { Resolver } from "../dns/resolver.ts";
import { createComposePayloads } from "../events/compose-payloads.ts";
import { startBackground } from "../shared/background.ts";
import { createRefuseDestination, type DestinationRules } from "../shared/destination-address.ts";
import type { Store } from "../store/store.ts";
import { createAttemptDelivery } from "../webhooks/attempt.ts";
import { createComposeBodies } from "../webhooks/compose-bodies.ts";
import { createPace } from "../webhooks/pace.ts";
import { createWebhookClient } from "../webhooks/webhook-client.ts";
import { createWebhookWorker } from "../webhooks/worker.ts";
import type { Process } from "./process.ts";

/** Interval of checks for events that wait for an endpoint. */
const POLL_MS = 250;

/** Retention of deliveries for inspection and replay; at most that of their message. */
const KEPT_MS = 30 * 86_400_000;

export interface WebhooksParts {
  readonly store: Store;
  readonly resolver: Resolver;
  readonly rules: DestinationRules;
  /** The partitions of the queue that this worker holds now, of this many. */
  readonly held: () => readonly number[];
  readonly partitionCount: number;
  /** Number of delivery attempts of this process so far. */
  readonly mailAttempts: () => number;
}

/** Starts to post events to their endpoints; ends with the process. */
export function startWebhooks(process: Process, parts: WebhooksParts): void {
  const { config, clock, log, lifecycle, metrics } = process;
  const { store, resolver, rules, held, partitionCount, mailAttempts } = parts;
  const ending = new AbortController();
  // One for each request.
  setMaxListeners(0, ending.signal);
  const client = createWebhookClient({
    resolver,
    refuse: createRefuseDestination(rules),
    ipv6: config.delivery.ipv6 !== "never",
    // Names in the operator's hosts file usually have private addresses, which accounts must not explore.
    hostsFile: rules.allowPrivate ? createHostsFile({ clock }) : undefined,
  });
  const { webhookDeliveries: deliveries, webhooks: endpoints, messages, events } = store.acrossAccounts;
  const worker = createWebhookWorker({
    deliveries,
    endpoints,
    held,
    partitionCount,
    clock,
    log,
    pace: createPace({ mailAttempts }),
    composeBodies: createComposeBodies(createComposePayloads({ messages, events })),
    attempt: createAttemptDelivery({
      client,
      clock,
      random: Math.random,
      agent: `Hermod/${version}`,
      signal: ending.signal,
    }),
    onDisabled: async ({ _id: endpoint, accountId, url }, { reason, detail }) =>
      log.warn({ endpoint, accountId, url, reason }, `a webhook endpoint is disabled: ${detail}`),
    onDamaged: ({ id: delivery, reason }) => {
      metrics.damagedDocuments.inc({ kind: "webhook_delivery" });
      log.error({ delivery, reason }, "ended a damaged webhook delivery without sending it");
    },
    keptMs: Math.min(KEPT_MS, config.retention.messageMs),
    abandon: () => ending.abort(),
  });
  startBackground({ name: "webhooks", everyMs: POLL_MS, run: worker.check }, process);
  lifecycle.onDrain(worker.drain);
  lifecycle.defer("webhooks under way", async (drainMs) => {
    await worker.stop(drainMs);
    await client.close();
  });
}
