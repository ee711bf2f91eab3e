import { fingerprintOf, groupKeyOf } from "../../alerts/group-key.ts";
import type { Incident } from "../../alerts/incident.ts";
import type { IncomingAlert } from "../../alerts/incident-changes.ts";
import { acknowledge, clear, fire, summaryOf } from "../../alerts/incident-changes.ts";
import type { Ledger } from "../../alerts/ledger.ts";
import { createLedger } from "../../alerts/ledger.ts";
import type { Mute } from "../../alerts/mutes.ts";
import { alertEndId, isOutdated, occurrenceOf, REMEMBERED_MS } from "../../alerts/occurrence.ts";
import { type Settling, settle } from "../../alerts/settle.ts";
import { newId } from "../../shared/ids.ts";
import type { AlertDocument, AlertOutcome } from "../../store/alert-documents.ts";
import type { AlertWork } from "../../store/alert-work.ts";
import { type AlertStep, outcomeOf } from "./alert-outcome.ts";
import type { BookRule, Books, CompiledBook } from "./books.ts";
import { readFirst, readForSettling } from "./read-ledger.ts";
import { SEND_MS } from "./turns.ts";

/** An alert that was accepted, and is still to be decided about. */
export type AcceptedAlert = Omit<AlertDocument, "outcome" | "revision">;

export interface TakeAlertsOptions {
  readonly books: Books;
  /** How long incidents are kept that are over. */
  readonly keptMs: number;
}

export interface TakenAlerts {
  /** In the order of what was given. */
  readonly alerts: readonly AlertDocument[];
  /** Incidents with a notice that is to be sent now. */
  readonly pending: readonly Incident[];
}

/**
 * Decides about alerts of one account, in their order, within one transaction: what they open, what they end, and what is to be told
 * of it. All of it is written, or nothing.
 */
export function createTakeAlerts({ books, keptMs }: TakeAlertsOptions) {
  return async (
    work: AlertWork,
    accountId: string,
    accepted: readonly AcceptedAlert[],
    now: Date,
  ): Promise<TakenAlerts> => {
    const book = await books.at(accountId, await work.revision());
    const ledger = createLedger(accountId);
    const settling: Settling = {
      now,
      keptMs,
      mutes: book.mutes,
      notifyOf: books.notifyOf,
      sendUntil: new Date(now.getTime() + SEND_MS),
    };
    const known = await withFormerFingerprints(work, accepted);
    const all = known.map((one) => ({ accepted: one, incoming: incomingOf(one, now) }));
    const decided = all.map((one) => ({ ...one, decision: decisionOf(book, one.accepted) }));
    await readFirst(work, ledger, { book, decided, books, now });

    const alerts: AlertDocument[] = [];
    for (const { accepted: one, incoming, decision } of decided) {
      // A source has resolved it since.
      const isOver = one.status === "firing" && isOutdated(incoming.occurredAt, endOf(ledger, incoming, now));
      const rules = isOver ? [] : decision.rules;
      const steps =
        one.status !== "firing"
          ? takeWord(ledger, incoming, one.status, now)
          : isOver
            ? []
            : takeFiring(ledger, { book, incoming, rules, now });
      for (const { incidentId } of steps) {
        await readForSettling(work, ledger, { incidentIds: [incidentId], books, settling });
        settle(ledger, incidentId, settling);
      }
      const outcome: AlertOutcome = outcomeOf(ledger, {
        steps,
        droppedBy: decision.droppedBy?.name,
        outdatedFor: isOver ? decision.rules.map(({ name }) => name) : [],
        settling,
      });
      alerts.push({ ...one, outcome, revision: book.revision });
    }
    const changes = ledger.changes();
    await work.write(changes, alerts, now);
    const pending = changes.incidents.filter(
      ({ before, after }) => after.pending && after.pending.number !== before?.pending?.number,
    );
    return { alerts, pending: pending.map(({ after }) => after) };
  };
}

/**
 * An earlier version did not scope deduplication keys by their source. What it stored as active goes on under its former fingerprint, as
 * far as the same API key sent it.
 */
async function withFormerFingerprints(
  work: AlertWork,
  accepted: readonly AcceptedAlert[],
): Promise<readonly AcceptedAlert[]> {
  const formerOf = ({ alert, dedupKey, fingerprint }: AcceptedAlert) => {
    const former = dedupKey === undefined ? fingerprint : fingerprintOf({ alert, dedupKey });
    return former === fingerprint ? [] : [former];
  };
  const active = await work.firingsWith([...new Set(accepted.flatMap(formerOf))]);
  if (active.length === 0) return accepted;
  const alerts = await work.alerts(active.map(({ alertId }) => alertId));
  const keyOf = new Map(alerts.map(({ _id, keyId }) => [_id, keyId]));
  return accepted.map((one) => {
    const [former] = formerOf(one);
    // An alert that is past its retention names no key any more.
    const isOwn = active.some(
      ({ fingerprint, alertId }) => fingerprint === former && (keyOf.get(alertId) ?? one.keyId) === one.keyId,
    );
    return former !== undefined && isOwn ? { ...one, fingerprint: former } : one;
  });
}

function decisionOf(book: CompiledBook, { status, alert }: AcceptedAlert) {
  return status === "firing" ? book.decide(alert) : { rules: [], droppedBy: undefined };
}

function incomingOf(
  { _id: id, accountId, alert, links, fingerprint, occurredAt }: AcceptedAlert,
  at: Date,
): IncomingAlert {
  return { id, accountId, at, alert, links, fingerprint, occurredAt: occurrenceOf(occurredAt, at) };
}

/** When a source resolved an alert, as far as it gave a time; undefined: it gave none, or that is too long ago. */
function endOf(ledger: Ledger, { fingerprint }: IncomingAlert, now: Date): Date | undefined {
  const end = ledger.end(fingerprint);
  return end && end.expireAt > now ? end.occurredAt : undefined;
}

/** Two workers that take an alert and its resolution at one time write the same document: one of them begins again. */
function noteEnd(
  ledger: Ledger,
  { accountId, fingerprint }: IncomingAlert,
  now: Date,
  occurredAt?: Date,
): void {
  const expireAt = new Date(now.getTime() + REMEMBERED_MS);
  const _id = alertEndId(accountId, fingerprint);
  ledger.putEnd({ _id, accountId, fingerprint, ...(occurredAt && { occurredAt }), expireAt });
}

interface Firing {
  readonly book: CompiledBook;
  readonly incoming: IncomingAlert;
  readonly rules: readonly BookRule[];
  readonly now: Date;
}

function takeFiring(ledger: Ledger, { book, incoming, rules, now }: Firing): AlertStep[] {
  if (book.mutes.inhibits)
    ledger.putSources(incoming.fingerprint, book.mutes.sourcesOf(incoming, rules.length > 0, now));
  const mute: Mute | undefined = book.mutes.muteOf(incoming, ledger.sources, now);
  const isActive = ledger.firingsWith(incoming.fingerprint).length > 0;
  if (rules.length > 0 && !isActive && (incoming.occurredAt || ledger.end(incoming.fingerprint)))
    noteEnd(ledger, incoming, now);
  return rules.map((rule) => {
    const groupKey = groupKeyOf(incoming, rule.notify.groupBy);
    const noticesBefore = ledger.openOf(rule.id, groupKey)?.notices ?? 0;
    const { incidentId, effect } = fire(ledger, {
      rule,
      incoming,
      isMuted: mute !== undefined,
      newId: newId("inc", now),
      former: ledger.formerOf(rule.id, groupKey),
    });
    return { incidentId, effect, noticesBefore, mute };
  });
}

/** That something is well again, or that somebody knows: whatever tells of the thing hears it, though its rules be others by now. */
function takeWord(
  ledger: Ledger,
  incoming: IncomingAlert,
  status: "resolved" | "acknowledged",
  now: Date,
): AlertStep[] {
  const { at, fingerprint, occurredAt } = incoming;
  const active = ledger.firingsWith(fingerprint);
  const [latest] = active.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
  const last = latest ? latest.occurredAt : endOf(ledger, incoming, now);
  const isLate = status === "resolved" && isOutdated(occurredAt, last);
  if (status === "resolved" && !isLate) {
    ledger.endSources(fingerprint);
    if (occurredAt || ledger.end(fingerprint)) noteEnd(ledger, incoming, now, occurredAt);
  }
  const by = `${incoming.alert.source}, by alert ${incoming.id}`;
  return active.map((firing) => {
    const { incidentId } = firing;
    const noticesBefore = ledger.get(incidentId).notices;
    let effect: AlertStep["effect"] = "acknowledged";
    if (isLate) effect = "outdated";
    else if (status === "resolved") {
      clear(ledger, firing, { at, by, latest: summaryOf(incoming) });
      effect = "cleared";
    } else acknowledge(ledger, incidentId, at, by);
    return { incidentId, effect, noticesBefore, mute: undefined };
  });
}
