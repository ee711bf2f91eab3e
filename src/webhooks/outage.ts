import type { Clock } from "../shared/clock.ts";
import type { AcrossAccounts } from "../store/store.ts";
import type { WebhookQueueDocument, WebhookTry } from "../store/webhook-delivery-documents.ts";
import type { WebhookDisabled } from "../store/webhook-documents.ts";
import type { QueueEndpoint } from "./queue-endpoint.ts";

/** Failure of an endpoint: a time in which it accepts no delivery. */
export interface Outage {
  /** Whether the last delivery has failed. */
  isOpen(): boolean;
  /** Ends the outage: a delivery was accepted. */
  end(endpoint: QueueEndpoint): Promise<void>;
  /**
   * Begins or continues the outage.
   * @returns reason to disable the endpoint, after failures of several days
   */
  addFailure(
    endpoint: QueueEndpoint,
    tried: Pick<WebhookTry, "detail">,
  ): Promise<WebhookDisabled | undefined>;
}

export interface OutageNeeds {
  readonly deliveries: Pick<AcrossAccounts["webhookDeliveries"], "setFailing" | "publishFailing">;
  readonly clock: Pick<Clock, "now">;
}

const HOUR_MS = 3_600_000;
/** Duration of failures after which the endpoint is disabled. */
const FAILING_MS = 5 * 24 * HOUR_MS;
/** Failures that are further apart than the longest wait between attempts do not belong to the same series. */
const SILENCE_MS = 36 * HOUR_MS;
/** Interval at which the continued failure of an endpoint is stored. */
const NOTE_MS = HOUR_MS;
/** Duration of failures after which the other endpoints of the account are notified: the third attempt has failed. */
const NOTICE_MS = 5 * 60_000;

export function createOutage(queue: WebhookQueueDocument, { deliveries, clock }: OutageNeeds): Outage {
  let { failingSince, failedAt } = queue;
  let isPublished = queue.failingPublishedAt !== undefined;

  return {
    isOpen: () => failingSince !== undefined,

    async end(endpoint) {
      if (failingSince) await deliveries.setFailing(subjectOf(endpoint), undefined, clock.now());
      failingSince = undefined;
      isPublished = false;
    },

    async addFailure(endpoint, { detail }) {
      const at = clock.now();
      const isOneRow = failedAt !== undefined && at.getTime() - failedAt.getTime() <= SILENCE_MS;
      // Local copy: another delivery may be accepted while this one waits for the store.
      const since = isOneRow && failingSince ? failingSince : at;
      failingSince = since;
      if (!isPublished && at.getTime() - since.getTime() >= NOTICE_MS) {
        isPublished = true;
        await deliveries.publishFailing(subjectOf(endpoint), { since, detail }, at);
      }
      if (failedAt && since < failedAt && at.getTime() - failedAt.getTime() < NOTE_MS) return undefined;
      failedAt = at;
      await deliveries.setFailing(subjectOf(endpoint), { since, at }, at);
      if (at.getTime() - since.getTime() < FAILING_MS) return undefined;
      const last = `no delivery was accepted since ${since.toISOString()}; last failure: ${detail}`;
      return { at, reason: "failing", detail: last };
    },
  };
}

const subjectOf = ({ _id, accountId, url }: QueueEndpoint) => ({ _id, accountId, url });
