import { deadlineOf, missPing, pingWindow } from "../../alerts/heartbeat.ts";
import { Fault } from "../../shared/fault.ts";
import { inParallel } from "../../shared/in-parallel.ts";
import type { HeartbeatDocument } from "../../store/heartbeat-documents.ts";
import type { AnnounceCore } from "./announce-core.ts";
import { afterStep } from "./heartbeat-alert.ts";
import { createSubmitHeartbeatAlerts, type SubmitNeeds } from "./submit-heartbeat-alerts.ts";

/*
 * Missed pings, an overview.
 *
 * Due. `dueAt` is the deadline of a heartbeat, or the time of an alert that is not submitted yet. A worker claims a due
 *   heartbeat for a minute. Each write names the revision that it is based on: a ping in between wins.
 *
 * Alerts. The alert is stored in the heartbeat, in the write that makes it down. Its submission may be repeated: its
 *   idempotency key contains the number of the change. A process that ends between the writes neither loses nor
 *   doubles it.
 *
 * Outages. Each core announces itself every few seconds. A gap is stored as an outage before any heartbeat is
 *   evaluated. `missPing` decides whether an outage excuses a missing ping.
 */

export interface CheckHeartbeatsNeeds extends SubmitNeeds {
  /** Aborted when the process must end. */
  readonly signal: AbortSignal;
  /** See `createAnnounceCore`. */
  readonly announce: AnnounceCore["announce"];
}

const MINUTE_MS = 60_000;
const PER_ROUND = 100;
const AT_ONCE = 16;
/** Time in which a worker must evaluate a heartbeat, before another one does. */
const HOLD_MS = MINUTE_MS;
const PUT_OFF_MS = 60 * MINUTE_MS;

/** One run that raises alerts about missed pings. Several processes can run at the same time. */
export function createCheckHeartbeats(needs: CheckHeartbeatsNeeds): () => Promise<void> {
  const { store, log, signal, announce } = needs;
  const { liveness } = store;
  const { heartbeats } = store.acrossAccounts;
  const submit = createSubmitHeartbeatAlerts(needs);
  const after = (at: Date, ms: number) => new Date(at.getTime() + ms);

  /** Decides about missed pings up to a time. An excused ping may be followed by another missed one. */
  async function decide(heartbeat: HeartbeatDocument, now: Date): Promise<HeartbeatDocument> {
    let next = heartbeat;
    for (;;) {
      const deadline = deadlineOf(next);
      const window = pingWindow(next);
      if (!deadline || !window || deadline > now) return afterStep(next, { progress: next }, now);
      const outage = await liveness.findOutage(window);
      next = afterStep(next, missPing(next, outage ?? undefined), now);
    }
  }

  async function check(heartbeat: HeartbeatDocument, now: Date): Promise<void> {
    if (!(await heartbeats.claim(heartbeat, after(now, HOLD_MS)))) return;
    if (heartbeat.pending.length > 0) {
      await submit(heartbeat);
      return;
    }
    const decided = await decide(heartbeat, now);
    const { revision } = heartbeat;
    const isWritten = await store.forAccount(heartbeat.accountId).heartbeats.advance(heartbeat, decided);
    if (isWritten && decided.pending.length > 0) await submit({ ...decided, revision: revision + 1 });
  }

  async function checkOne(heartbeat: HeartbeatDocument, now: Date): Promise<void> {
    try {
      await check(heartbeat, now);
    } catch (error) {
      // The claim ends after a minute. Without a store, the run ends.
      if (error instanceof Fault && error.code.startsWith("store.")) throw error;
      const { _id, accountId } = heartbeat;
      log.warn({ err: error, heartbeat: _id, accountId }, "a heartbeat was not evaluated and is retried");
    }
  }

  return async () => {
    while (!signal.aborted) {
      const now = await announce();
      const { documents, unreadable } = await heartbeats.listDue(now, PER_ROUND);
      for (const { id, isAddressable, reason } of unreadable) {
        log.error({ heartbeat: id, reason }, "a heartbeat is damaged; it raises no alert for an hour");
        if (isAddressable) await heartbeats.putOff(id, after(now, PUT_OFF_MS));
      }
      await inParallel(documents, AT_ONCE, (heartbeat) => checkOne(heartbeat, now));
      if (documents.length + unreadable.length < PER_ROUND) return;
    }
  };
}
