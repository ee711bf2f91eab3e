import { systemAudit } from "../shared/audit.ts";
import type { Clock } from "../shared/clock.ts";
import { type Phrase, phrase } from "../shared/phrase.ts";
import type { WebhookResult } from "../store/delivery-results.ts";
import type { AcrossAccounts } from "../store/store.ts";
import { isStoreAway } from "../store/store-fault.ts";
import type { DamagedDelivery } from "../store/webhook-damage.ts";
import type { WebhookDeliveryDocument, WebhookQueueDocument } from "../store/webhook-delivery-documents.ts";
import { disabledPhrase, type WebhookDisabled } from "../store/webhook-documents.ts";
import type { AttemptDelivery, Attempted } from "./attempt.ts";
import type { Capacity } from "./capacity.ts";
import type { ComposeBodies } from "./compose-bodies.ts";
import { keepOrder } from "./keep-order.ts";
import { createOutage } from "./outage.ts";
import type { Endpoints, QueueEndpoint } from "./queue-endpoint.ts";

export interface QueueOptions {
  readonly deliveries: AcrossAccounts["webhookDeliveries"];
  readonly endpoints: Endpoints;
  readonly composeBodies: ComposeBodies;
  readonly attempt: AttemptDelivery;
  /** Stores the result of an attempt. */
  readonly record: (result: WebhookResult) => Promise<void>;
  readonly capacity: Capacity;
  /** Resolves when the next attempt at this endpoint may begin. */
  readonly paced: (endpoint: QueueEndpoint) => Promise<void>;
  /** Called when an attempt begins. */
  readonly onBegin: (endpoint: QueueEndpoint) => void;
  /** Returns whether a lane that began at this monotonic time should end now, because others are waiting. */
  readonly isOverdue: (begunMs: number) => boolean;
  /** Returns whether attempts may begin for this lane. */
  readonly mayBegin: (queue: Pick<WebhookQueueDocument, "slot">) => boolean;
  /** Called when an endpoint has been disabled. */
  readonly onDisabled: (endpoint: QueueEndpoint, disabled: WebhookDisabled) => Promise<void>;
  /** Called when a delivery ended because its document is damaged. */
  readonly onDamaged: (damaged: DamagedDelivery) => void;
  /** Retention of ended deliveries, in milliseconds. */
  readonly keptMs: number;
  /** Reason of deliveries to a receiver that does not exist any more. Default: that of endpoints. */
  readonly removedReason?: Phrase;
  readonly clock: Clock;
}

interface Composed {
  readonly delivery: WebhookDeliveryDocument;
  /** Undefined if the subject of the event no longer exists. */
  readonly body: string | undefined;
}

interface Begun extends Composed {
  readonly leave: () => void;
}

/** Maximum number of concurrent requests to one endpoint. */
const MOST_AT_ONCE = 10;
/** Number of concurrent requests until the endpoint has accepted one, because it may hang. */
const FIRST_AT_ONCE = 1;
const READ_AHEAD = 100;
const READ_AHEAD_FAILING = 4;
/** Maximum number of results that are not stored yet, apart from requests in progress. A crash would repeat these deliveries. */
const MOST_UNRECORDED = 200;
/** Interval of checks for new deliveries while all known ones are in progress. */
const RECHECK_MS = 250;
/** Time after which the endpoint is read again, because it may have been changed, disabled or removed. */
const ENDPOINT_MS = 2_000;

/**
 * Delivers the due deliveries of one endpoint.
 * @returns when nothing is in progress and either nothing is due, nothing may begin, or other lanes are waiting
 * @throws Fault store.unavailable; due deliveries remain due
 */
export async function runQueue(queue: WebhookQueueDocument, options: QueueOptions): Promise<void> {
  const {
    deliveries,
    endpoints,
    composeBodies,
    attempt,
    record,
    capacity,
    paced,
    onBegin,
    isOverdue,
    mayBegin,
    onDisabled,
    onDamaged,
    keptMs,
    removedReason = phrase("webhook.removed"),
    clock,
  } = options;
  /** Deliveries in progress, until their results are stored. */
  const underWay = new Map<string, Promise<void>>();
  /** Number of deliveries in progress that the endpoint has not accepted yet. */
  let sending = 0;
  let wake = () => {};
  let atOnce = FIRST_AT_ONCE;
  const outage = createOutage(queue, options);
  let failure: unknown;
  /** Nothing begins before this time. */
  let { heldUntil } = queue;
  /** Monotonic time at which the endpoint was read. */
  let readMs = Number.NEGATIVE_INFINITY;

  /** Monotonic time of the last search for deliveries that never become due. */
  let straysMs = Number.NEGATIVE_INFINITY;

  const isHeld = () => heldUntil !== undefined && heldUntil > clock.now();

  /** True if the endpoint may have changed since it was read. */
  const isOutdated = () => clock.monotonicMs() - readMs >= ENDPOINT_MS;

  /** Waits until a delivery in progress makes room, or until the time is over. */
  async function oneLess(mostMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Ends deliveries that cannot be sent, so that they do not block others. */
  async function endDamaged(damaged: readonly DamagedDelivery[]): Promise<void> {
    if (damaged.length === 0) return;
    const at = clock.now();
    await deliveries.endDamaged(damaged, at, new Date(at.getTime() + keptMs));
    for (const one of damaged) onDamaged(one);
  }

  /** Composes the bodies of deliveries. A delivery without a composable body ends; the others are not affected. */
  async function bodiesOf(
    due: readonly WebhookDeliveryDocument[],
    version: string,
  ): Promise<readonly Composed[]> {
    try {
      const bodies = await composeBodies(due, version);
      return due.map((delivery, n) => ({ delivery, body: bodies[n] }));
    } catch (error) {
      if (isStoreAway(error)) throw error;
      if (due.length > 1) {
        const each = [];
        for (const delivery of due) each.push(...(await bodiesOf([delivery], version)));
        return each;
      }
      const reason = `its event cannot be described: ${error instanceof Error ? error.message : String(error)}`;
      await endDamaged(due.map(({ _id: id }) => ({ id, reason })));
      return [];
    }
  }

  /** Ends all waiting deliveries permanently. */
  async function endAll(state: "failed" | "dropped", endReason: Phrase): Promise<void> {
    await deliveries.endAll(queue, { state, at: clock.now(), endReason });
  }

  async function disable(endpoint: QueueEndpoint, disabled: WebhookDisabled): Promise<void> {
    const audit = systemAudit(`webhook.disable_${disabled.reason}`, "", disabled.at);
    readMs = Number.NEGATIVE_INFINITY;
    if (await endpoints.disable(endpoint._id, endpoint.revision, disabled, audit))
      await onDisabled(endpoint, disabled);
  }

  /** Updates the state of the endpoint after an attempt. */
  async function learn(
    endpoint: QueueEndpoint,
    { verdict, tried, heldUntil: until }: Attempted,
  ): Promise<void> {
    if (verdict === "taken") {
      atOnce = Math.min(atOnce + 1, MOST_AT_ONCE);
      return outage.end(endpoint);
    }
    atOnce = 1;
    if (until) {
      heldUntil = until;
      await deliveries.hold(queue._id, until);
    }
    if (verdict === "gone") {
      return disable(endpoint, { at: clock.now(), reason: "gone", detail: tried.detail });
    }
    const disabled = await outage.addFailure(endpoint, tried);
    if (disabled) await disable(endpoint, disabled);
  }

  async function deliver(endpoint: QueueEndpoint, { delivery, body, leave }: Begun): Promise<void> {
    sending++;
    let isSending = true;
    const evictOldest = () => {
      if (isSending) sending--;
      isSending = false;
      leave();
      wake();
    };
    try {
      const done = body === undefined ? undefined : await attempt(endpoint, delivery, body);
      // After a failure, the state of the endpoint is updated before the next request begins.
      if (done?.verdict === "taken") evictOldest();
      const at = clock.now();
      const expireAt = new Date(at.getTime() + keptMs);
      if (!done) {
        const endReason = phrase("webhook.subject_removed");
        return await record({ delivery, state: "dropped", at, endReason, expireAt });
      }
      const { verdict, tried, exchange, dueAt } = done;
      const end = dueAt ? { dueAt } : { expireAt };
      const state = verdict === "taken" ? "delivered" : dueAt ? "pending" : "failed";
      // The stored body is the one that was sent, even if its subject changes later.
      const sent = body !== undefined && delivery.body === undefined && { body };
      const result = { delivery, state, at, tried, ...(exchange && { exchange }), ...sent, ...end } as const;
      const isExhausted = verdict === "retry" && state === "failed";
      await record(isExhausted ? { ...result, exhaustedAt: endpoint.url } : result);
      await learn(endpoint, done);
    } catch (error) {
      failure ??= error;
    } finally {
      underWay.delete(delivery._id);
      evictOldest();
    }
  }

  async function begin(endpoint: QueueEndpoint, due: readonly WebhookDeliveryDocument[]) {
    for (const { delivery, body } of await bodiesOf(due, endpoint.version)) {
      const isFull = () => sending >= atOnce || underWay.size >= atOnce + MOST_UNRECORDED;
      while (isFull() && !failure) await oneLess(RECHECK_MS);
      await paced(endpoint);
      const fare = outage.isOpen() ? "failing" : "well";
      const leave = await capacity.enter({ accountId: queue.accountId, fare });
      // A delivery that does not begin is still due in the next turn.
      if (failure || isOutdated() || isHeld() || !mayBegin(queue)) return leave();
      onBegin(endpoint);
      underWay.set(delivery._id, deliver(endpoint, { delivery, body, leave }));
    }
  }

  /** @returns true if the lane has nothing left to do */
  async function attemptOnce(endpoint: QueueEndpoint | undefined): Promise<boolean> {
    const present = await deliveries.findQueue(queue._id);
    if (!present) return true;
    if (!endpoint || endpoint.disabled) {
      if (underWay.size > 0) await Promise.all(underWay.values());
      if (endpoint?.disabled) {
        await endAll("failed", disabledPhrase(endpoint.disabled));
        return deliveries.rest(present);
      }
      await endAll("dropped", removedReason);
      await deliveries.removeQueue(queue._id);
      return true;
    }
    heldUntil = present.heldUntil;
    if (isHeld()) {
      await Promise.all(underWay.values());
      return deliveries.rest(present);
    }
    const except = [...underWay.keys()];
    if (straysMs < readMs) {
      straysMs = readMs;
      await endDamaged(await deliveries.findStrays(queue._id));
    }
    // After a failure, reading more than the next few deliveries would repeatedly compose bodies in vain. So would
    // reading more than begin until the endpoint is read again.
    const { ratePerSecond = READ_AHEAD } = endpoint;
    const limit = outage.isOpen() ? READ_AHEAD_FAILING : Math.min(READ_AHEAD, 2 * ratePerSecond);
    const found = await deliveries.due(queue._id, clock.now(), { except, limit });
    const due = found.documents.filter(({ accountId }) => accountId === queue.accountId);
    const foreign = found.documents.filter((one) => !due.includes(one));
    const damaged = [
      ...found.unreadable.filter(({ isAddressable }) => isAddressable),
      ...foreign.map(({ _id: id }) => ({ id, reason: "accountId: it is not that of the endpoint" })),
    ];
    if (damaged.length > 0) {
      await endDamaged(damaged);
      return false;
    }
    const next = endpoint.ordered ? await keepOrder(deliveries, due, clock.now()) : due;
    if (next.length > 0) await begin(endpoint, next);
    else if (due.length > 0 || underWay.size > 0) await oneLess(RECHECK_MS);
    else return deliveries.rest(present);
    return false;
  }

  const begunMs = clock.monotonicMs();
  try {
    let endpoint: QueueEndpoint | undefined;
    while (!failure && mayBegin(queue)) {
      if (isOverdue(begunMs)) {
        await deliveries.requeue(queue._id, clock.now());
        break;
      }
      if (isOutdated()) {
        [endpoint] = await endpoints.findByIds([queue._id]);
        readMs = clock.monotonicMs();
      }
      if (await attemptOnce(endpoint)) break;
    }
  } finally {
    await Promise.all(underWay.values());
  }
  if (failure) throw failure;
}
