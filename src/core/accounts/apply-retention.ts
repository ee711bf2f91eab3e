import type { Clock } from "../../shared/clock.ts";
import { Fault } from "../../shared/fault.ts";
import type { Logger } from "../../shared/logger.ts";
import type { RetentionDocument } from "../../store/retention-document.ts";
import type { Expired } from "../../store/retention-steps.ts";
import type { AcrossAccounts } from "../../store/store.ts";
import type { Retention } from "../dependencies.ts";
import { timesOf } from "./retention-times.ts";

/** Interval between searches for expired data. */
const EVERY_MS = 10 * 60_000;
/** An account that takes longer is also processed by another process, which is harmless. */
const HOLD_MS = 10 * 60_000;

export interface ApplyRetentionOptions {
  readonly store: { readonly acrossAccounts: Pick<AcrossAccounts, "retentions"> };
  readonly retention: Retention;
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted: the work stops at the next page, and the account is processed again later. */
  readonly signal: AbortSignal;
}

/**
 * Removes data of accounts with shorter retention times than the installation. Data still expires by the
 * installation's times, so that accepting and delivering mail does not depend on an account's times.
 */
export function createApplyRetention({ store, retention, clock, log, signal }: ApplyRetentionOptions) {
  const { retentions } = store.acrossAccounts;

  async function pages(
    remove: (after: string | undefined) => Promise<Expired>,
    onPage: (page: Expired) => Promise<void> = async () => undefined,
    from?: string,
  ): Promise<number> {
    let removed = 0;
    let after = from;
    do {
      signal.throwIfAborted();
      const page = await remove(after);
      removed += page.removed;
      await onPage(page);
      after = page.after;
    } while (after !== undefined);
    return removed;
  }

  async function apply(account: RetentionDocument): Promise<void> {
    const { _id: id, bodiesUntil } = account;
    const now = clock.now();
    const before = (ms: number) => new Date(now.getTime() - ms);
    const times = timesOf(account, retention);
    const removed = { messages: 0, bodies: 0, captured: 0, requests: 0 };
    if (times.message.isOwn) {
      const end = before(times.message.ms);
      removed.messages = await pages((after) => retentions.removeMessages(id, end, after));
    }
    if (times.content.isOwn) {
      const end = before(times.content.ms);
      const note = async ({ after }: Expired) => {
        if (after !== undefined) await retentions.noteBodies(account, after);
      };
      removed.bodies = await pages((after) => retentions.removeBodies(id, end, after), note, bodiesUntil);
    }
    if (times.sandbox.isOwn) {
      const end = before(times.sandbox.ms);
      removed.captured = await pages((after) => retentions.removeCaptured(id, end, after));
    }
    if (times.request.isOwn) {
      const end = before(times.request.ms);
      removed.requests = await pages(() => retentions.removeRequests(id, end));
    }
    await retentions.finish(account, now, new Date(clock.now().getTime() + EVERY_MS));
    if (Object.values(removed).some((count) => count > 0)) {
      log.info({ accountId: id, ...removed }, "data past the retention of an account was removed");
    }
  }

  /** One run over all accounts with their own times. */
  return async (): Promise<void> => {
    while (!signal.aborted) {
      const now = clock.now();
      const account = await retentions.claim(now, new Date(now.getTime() + HOLD_MS));
      if (!account) return;
      try {
        await apply(account);
      } catch (error) {
        if (signal.aborted || (error instanceof Fault && error.code === "store.unavailable")) throw error;
        log.error({ err: error, accountId: account._id }, "the retention of an account cannot be applied");
      }
    }
  };
}
