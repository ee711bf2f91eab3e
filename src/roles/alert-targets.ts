import { setMaxListeners } from "node:events";
import { version } from "../config.ts";
import type { PostSample } from "../core/alerts/post-sample.ts";
import { createHostsFile } from "../dns/hosts-file.ts";
import type { Resolver } from "../dns/resolver.ts";
import { startBackground } from "../shared/background.ts";
import { createRefuseDestination, type DestinationRules } from "../shared/destination-address.ts";
import { detailFields, phrase } from "../shared/phrase.ts";
import { triedPhrase } from "../store/webhook-delivery-documents.ts";
import { createAttemptDelivery } from "../webhooks/attempt.ts";
import { targetRules } from "../webhooks/target-rules.ts";
import { createTargetWorker, endpointOf } from "../webhooks/target-worker.ts";
import { createWebhookClient } from "../webhooks/webhook-client.ts";
import { composeMxRoute } from "./mx-route.ts";
import type { Process } from "./process.ts";
import type { WebhooksParts } from "./webhooks.ts";

/** Interval of checks for notices that wait for a target. */
const POLL_MS = 250;
/** Retention of deliveries for display; at most that of incidents. */
const KEPT_MS = 30 * 86_400_000;
/** Maximum duration of a sample, for which a caller waits. */
const SAMPLE_MS = 10_000;
const AGENT = `Hermod/${version}`;

function createTargetClient({ config, clock }: Process, resolver: Resolver, rules: DestinationRules) {
  return createWebhookClient({
    resolver,
    refuse: createRefuseDestination(rules),
    ipv6: config.delivery.ipv6 !== "never",
    // Names in the operator's hosts file usually have private addresses, which accounts must not explore.
    hostsFile: rules.allowPrivate ? createHostsFile({ clock }) : undefined,
  });
}

/** Starts to send notices to alert targets; ends with the process. */
export function startAlertTargets(process: Process, parts: Omit<WebhooksParts, "mailAttempts">): void {
  const { config, clock, log, lifecycle, metrics } = process;
  const { store, resolver, rules, held, partitionCount } = parts;
  const ending = new AbortController();
  // One for each request.
  setMaxListeners(0, ending.signal);
  const client = createTargetClient(process, resolver, rules);
  const worker = createTargetWorker({
    store,
    client,
    held,
    partitionCount,
    clock,
    log,
    random: Math.random,
    agent: AGENT,
    signal: ending.signal,
    abandon: () => ending.abort(),
    onDamaged: ({ id: delivery, reason }) => {
      metrics.damagedDocuments.inc({ kind: "target_delivery" });
      log.error({ delivery, reason }, "ended a damaged delivery to an alert target without sending it");
    },
    keptMs: Math.min(KEPT_MS, config.retention.messageMs),
  });
  startBackground({ name: "alert targets", everyMs: POLL_MS, run: worker.check }, process);
  lifecycle.onDrain(worker.drain);
  lifecycle.defer("notices to alert targets under way", async (drainMs) => {
    await worker.stop(drainMs);
    await client.close();
  });
}

/** Sends samples to alert targets at once, under the same rules as notices. */
export function composePostSample(process: Process): PostSample {
  const { clock, lifecycle } = process;
  const { resolver, rules } = composeMxRoute(process);
  const client = createTargetClient(process, resolver, rules);
  lifecycle.defer("samples for alert targets", () => client.close());
  return async (target, { eventId, body }) => {
    const signal = AbortSignal.timeout(SAMPLE_MS);
    const options = { client, clock, random: Math.random, agent: AGENT, signal };
    const attempt = createAttemptDelivery({ ...options, rules: targetRules });
    try {
      const { verdict, tried } = await attempt(endpointOf(target), { eventId, attempts: 0 }, body);
      return { isAccepted: verdict === "taken", ...tried, detailParts: triedPhrase(tried).parts };
    } catch (error) {
      if (!signal.aborted) throw error;
      const noAnswer = phrase("target.no_answer", { seconds: SAMPLE_MS / 1_000 });
      return { isAccepted: false, durationMs: SAMPLE_MS, ...detailFields(noAnswer) };
    }
  };
}
