import { phrase } from "../shared/phrase.ts";
import type { Store } from "../store/store.ts";
import type { TargetDocument } from "../store/target-documents.ts";
import { type AttemptOptions, createAttemptDelivery } from "./attempt.ts";
import { targetRules } from "./target-rules.ts";
import { createWebhookWorker, type WebhookWorker, type WebhookWorkerOptions } from "./worker.ts";

export interface TargetWorkerOptions
  extends Omit<AttemptOptions, "rules">,
    Pick<
      WebhookWorkerOptions,
      "held" | "partitionCount" | "clock" | "log" | "keptMs" | "abandon" | "onDamaged" | "sleep"
    > {
  readonly store: Pick<Store, "acrossAccounts">;
}

/** A target as the queue of deliveries needs it. A target is never disabled. */
export const endpointOf = (target: TargetDocument) => ({ ...target, version: "" });

/** Sends the notices of all accounts to their alert targets: the worker of webhook deliveries, with other rules. */
export function createTargetWorker({ store, ...options }: TargetWorkerOptions): WebhookWorker {
  const { targets, targetDeliveries: deliveries } = store.acrossAccounts;
  return createWebhookWorker({
    ...options,
    deliveries,
    endpoints: {
      findByIds: async (ids) => (await targets.findByIds(ids)).map(endpointOf),
      disable: async () => false,
    },
    // Notices do not wait for mail.
    pace: { check: () => undefined, next: () => 0 },
    // The bodies are stored with the deliveries.
    composeBodies: async (due) => due.map(({ body }) => body),
    attempt: createAttemptDelivery({ ...options, rules: targetRules }),
    onDisabled: async () => undefined,
    removedReason: phrase("target.removed"),
  });
}
