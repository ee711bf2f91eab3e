import type { PostSample } from "../../src/core/alerts/post-sample.ts";
import type { Resolver } from "../../src/dns/resolver.ts";
import { createRefuseDestination } from "../../src/shared/destination-address.ts";
import { createLogger } from "../../src/shared/logger.ts";
import type { Store } from "../../src/store/store.ts";
import { createAttemptDelivery } from "../../src/webhooks/attempt.ts";
import { targetRules } from "../../src/webhooks/target-rules.ts";
import {
  createTargetWorker,
  endpointOf,
  type TargetWorkerOptions,
} from "../../src/webhooks/target-worker.ts";
import { createWebhookClient, type WebhookClient } from "../../src/webhooks/webhook-client.ts";
import { SENT_MS } from "./target-server.ts";
import type { TestTime } from "./test-time.ts";

const TIMEOUT_MS = 1_000;
const KEPT_MS = 30 * 86_400_000;

/** Posts to servers of this machine. */
export function createLocalClient(allowPrivate = true): WebhookClient {
  const resolve = async () => ({ kind: "none" });
  return createWebhookClient({
    resolver: { resolve } as unknown as Resolver,
    refuse: createRefuseDestination({ allowPrivate, ownAddresses: [] }),
    ipv6: false,
    timeoutMs: TIMEOUT_MS,
  });
}

const quick = ({ clock }: TestTime) => ({
  clock,
  random: () => 0,
  agent: "Hermod/test",
  signal: new AbortController().signal,
});

/** A worker of alert targets in a test's time, as one process has it. */
export function startTargetWorker(
  store: Pick<Store, "acrossAccounts">,
  time: TestTime,
  options: Partial<TargetWorkerOptions> = {},
) {
  const client = createLocalClient();
  const { clock } = time;
  const worker = createTargetWorker({
    store,
    client: {
      post: (request) => {
        const headers = { ...request.headers, [SENT_MS]: String(clock.now().getTime()) };
        return client.post({ ...request, headers });
      },
    },
    ...quick(time),
    held: () => [0],
    partitionCount: 1,
    log: createLogger("silent"),
    keptMs: KEPT_MS,
    abandon: () => undefined,
    onDamaged: () => undefined,
    sleep: async (ms) => time.pass(ms),
    ...options,
  });
  return {
    /** Sends everything that is due. */
    run: async () => {
      await worker.check();
      await worker.idle();
    },
    stop: async () => {
      await worker.stop(0);
      await client.close();
    },
  };
}

/** Samples as the core sends them. */
export function createLocalSample(time: TestTime, client: WebhookClient): PostSample {
  const attempt = createAttemptDelivery({ client, ...quick(time), rules: targetRules });
  return async (target, { eventId, body }) => {
    const { verdict, tried } = await attempt(endpointOf(target), { eventId, attempts: 0 }, body);
    return { isAccepted: verdict === "taken", ...tried };
  };
}
