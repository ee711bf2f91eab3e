import type { Incident, Notice, NoticeError } from "../../alerts/incident.ts";
import { settleLimit, withDue } from "../../alerts/notification-limits.ts";
import { isTargetId } from "../../alerts/notify/target.ts";
import { createUnitOfWork, type UnitOfWork } from "../../alerts/unit-of-work.ts";
import type { Clock } from "../../shared/clock.ts";
import { Fault } from "../../shared/fault.ts";
import { inParallel } from "../../shared/in-parallel.ts";
import type { Logger } from "../../shared/logger.ts";
import { detailFields, phrase } from "../../shared/phrase.ts";
import type { Store } from "../../store/store.ts";
import { concernsOne } from "../../store/store-fault.ts";
import type { UnmadeNotice } from "../../store/undelivered-alert-store.ts";
import type { MailOnce } from "../send/mail-once.ts";
import { isPassing } from "../send/store-once.ts";
import {
  type ChangeIncident,
  type IncidentTransactions,
  type Owned,
  SEND_MS,
} from "./incident-transactions.ts";
import { createMailNotifier } from "./notify/mail-notifier.ts";
import type { LinkOf } from "./notify/notifier.ts";
import { createTargetNotifier } from "./notify/target-notifier.ts";
import type { RuleSets } from "./rule-sets.ts";

export interface SendNoticesOptions {
  readonly store: Pick<Store, "forAccount" | "acrossAccounts">;
  readonly ruleSets: RuleSets;
  readonly transactions: IncidentTransactions;
  readonly mailAlert: MailOnce;
  readonly linkOf: LinkOf;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

export interface SendNotices {
  /** Creates the messages of settled incidents' notices, and closes the notices. A failed notice is retried later. */
  send(accountId: string, incidents: readonly Incident[]): Promise<void>;
  /** Settles and sends due notices. */
  check(): Promise<void>;
}

/** A notice that can be sent now. */
interface Ready {
  readonly incident: Incident;
  readonly notice: Notice;
}

/** Result of sending a notice. */
interface Outcome {
  readonly notice: Notice;
  /** undefined: its messages and deliveries are stored. */
  readonly failed: Fault | undefined;
  /** Remarks for the history of the incident. */
  readonly remarks: readonly string[];
}

/** Maximum number of incidents in one run. */
const AT_ONCE = 100;
const AT_ONE_TIME = 8;
const FIRST_RETRY_MS = 5_000;
const MAX_RETRY_MS = 3_600_000;

/**
 * Sends notices in three writes, each of which any worker can repeat: the content is settled in the incident, its
 * messages and its deliveries to targets are stored under ids derived from it, and the notice is closed. A notice is
 * therefore neither lost nor duplicated when a process ends.
 */
export function createSendNotices(options: SendNoticesOptions): SendNotices {
  const { store, ruleSets, transactions, clock, log } = options;
  const mail = createMailNotifier(options);
  const targets = createTargetNotifier(options);

  async function send(accountId: string, incidents: readonly Incident[]): Promise<void> {
    const now = clock.now();
    const ready = incidents.flatMap((incident) => {
      const { pending: notice } = incident;
      const isReady = notice && !(notice.trouble && notice.trouble.retryAt > now);
      return isReady ? [{ incident, notice }] : [];
    });
    for (let from = 0; from < ready.length; from += AT_ONCE)
      await sendSome(accountId, ready.slice(from, from + AT_ONCE));
  }

  async function sendSome(accountId: string, ready: readonly Ready[]): Promise<void> {
    const outcomes = new Map<string, Outcome>();
    await inParallel(ready, AT_ONE_TIME, async ({ incident, notice }) => {
      const { _id: id } = incident;
      let remarks: readonly string[] = [];
      const failed = await faultOf(async () => {
        remarks = await notify(incident, notice);
      }, id);
      // The store is unavailable: the next run tries again.
      if (failed && isPassing(failed)) return;
      outcomes.set(id, { notice, failed, remarks });
      if (failed) log.warn({ incident: id, accountId }, "a notice cannot be sent and is retried");
    });
    if (outcomes.size === 0) return;
    await noteUnmade(
      accountId,
      ready.flatMap(({ incident, notice }) => {
        const failed = outcomes.get(incident._id)?.failed;
        const key = `${incident._id}.${notice.number}`;
        return failed ? [{ key, ruleName: incident.ruleName, detail: detailOf(failed) }] : [];
      }),
    );
    const close: ChangeIncident = (unit, id, now) => {
      const outcome = outcomes.get(id);
      if (outcome) closeNotice(unit, id, outcome, now);
    };
    const closed = await each([...outcomes.keys()], (ids) => transactions.incidents(accountId, ids, close));
    // Another notice was due behind this one.
    const next = closed.filter(
      ({ _id, pending }) => pending && pending.number !== outcomes.get(_id)?.notice.number,
    );
    if (next.length > 0) await send(accountId, next);
  }

  /** Before the notice is deferred: if the process ends between the two writes, the failure is recorded again. */
  async function noteUnmade(accountId: string, notices: readonly UnmadeNotice[]): Promise<void> {
    if (notices.length === 0) return;
    const { undeliveredAlerts } = store.acrossAccounts;
    await attempt(() => undeliveredAlerts.addUnmade(accountId, notices, clock.now()), accountId);
  }

  /** Mail that cannot be created does not stop requests to targets, and vice versa. */
  async function notify(incident: Incident, notice: Notice): Promise<readonly string[]> {
    await ruleSets.learn(store.forAccount(incident.accountId).alertRules, [incident]);
    const remarks = targets.notice(incident, notice);
    const [mailed, posted] = await Promise.allSettled([mail.notice(incident, notice), remarks]);
    for (const one of [mailed, posted]) if (one.status === "rejected") throw one.reason;
    return remarks;
  }

  async function checkIncidents(accountId: string, ids: readonly string[]): Promise<void> {
    await send(accountId, await each(ids, (some) => transactions.incidents(accountId, some)));
  }

  /** Processes all together, or one by one if that fails, so that an error in one does not stop the others. */
  async function each(
    ids: readonly string[],
    work: (ids: readonly string[]) => Promise<Incident[]>,
  ): Promise<Incident[]> {
    try {
      return await work(ids);
    } catch (error) {
      if (ids.length === 1 || !concernsOne(error)) throw error;
    }
    const found: Incident[] = [];
    for (const id of ids) await attempt(async () => void found.push(...(await work([id]))), id);
    return found;
  }

  async function checkDigest(owned: Owned): Promise<void> {
    const { _id: id, accountId } = owned;
    const settled = await transactions.ceiling(owned, (limit, notify, now) => {
      const unit = createUnitOfWork(accountId);
      unit.add({ ceilings: [limit] });
      settleLimit(unit, id, notify, now);
      return unit.ceiling(id);
    });
    const digest = settled?.pending;
    if (!settled || !digest) return;
    let ruleName = settled.ruleId;
    const failed = await faultOf(async () => {
      const { alertRules } = store.forAccount(accountId);
      const [version] = await alertRules.ruleVersions([settled]);
      ruleName = version?.settings.name ?? ruleName;
      const notifier = isTargetId(settled.recipient) ? targets : mail;
      for (const remark of await notifier.digest(settled, digest, ruleName))
        log.warn({ id, accountId }, `a digest is not sent: ${remark}`);
    }, id);
    if (failed && isPassing(failed)) return;
    if (failed)
      await noteUnmade(accountId, [{ key: `${id}.${digest.number}`, ruleName, detail: detailOf(failed) }]);
    await transactions.ceiling(owned, (limit, notify, now) => {
      const { pending, ...rest } = limit;
      if (pending?.number !== digest.number) return undefined;
      const error = failed && errorOf(digest.trouble, failed, now);
      return withDue(error ? { ...rest, pending: { ...digest, trouble: error } } : rest, notify);
    });
  }

  async function faultOf(work: () => Promise<void>, id: string): Promise<Fault | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      const failed = Fault.from(error);
      log.debug({ err: error, id }, "alert mail could not be stored");
      return failed;
    }
  }

  /** An error in one does not stop the others; it is retried later. */
  async function attempt(work: () => Promise<void>, id: string): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error, id }, "due work of alerts failed and is retried");
    }
  }

  return {
    send,
    check: async () => {
      const { incidents } = store.acrossAccounts;
      const now = clock.now();
      const until = new Date(now.getTime() + SEND_MS);
      const byAccount = new Map<string, string[]>();
      await inParallel(await incidents.listDue(now, AT_ONCE), AT_ONE_TIME, async (due) => {
        if (!(await incidents.claim(due, until))) return;
        byAccount.set(due.accountId, [...(byAccount.get(due.accountId) ?? []), due._id]);
      });
      await inParallel([...byAccount], AT_ONE_TIME, ([accountId, ids]) =>
        attempt(() => checkIncidents(accountId, ids), accountId),
      );
      await inParallel(await incidents.listDueLimits(now, AT_ONCE), AT_ONE_TIME, async (due) => {
        if (await incidents.claimLimit(due, until)) await attempt(() => checkDigest(due), due._id);
      });
    },
  };
}

/** A notice was sent, or the reason of the failure is recorded. */
function closeNotice(unit: UnitOfWork, id: string, { notice, failed, remarks }: Outcome, now: Date): void {
  const { pending, ...rest } = unit.get(id);
  if (pending?.number !== notice.number) return;
  const error = failed && errorOf(notice.trouble, failed, now);
  unit.put(error ? { ...rest, pending: { ...notice, trouble: error } } : rest);
  const note = (detail: string) => {
    const failure = phrase("notice.failed", { number: notice.number, detail });
    unit.note(id, { at: now, kind: "notice_failed", ...detailFields(failure) });
  };
  for (const remark of remarks) note(remark);
  if (!error || notice.trouble) return;
  note(error.detail);
}

function errorOf(former: NoticeError | undefined, failed: Fault, now: Date): NoticeError {
  const tries = (former?.tries ?? 0) + 1;
  const waitMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries - 1, 20));
  return {
    since: former?.since ?? now,
    tries,
    retryAt: new Date(now.getTime() + waitMs),
    detail: detailOf(failed),
  };
}

function detailOf({ errors: [first], public: sentence }: Fault): string {
  return first && first.message !== sentence ? `${sentence} ${first.message}` : sentence;
}
