import { fingerprintOf, groupKeyOf } from "../../alerts/group-key.ts";
import type { Incident } from "../../alerts/incident.ts";
import type { IncomingAlert } from "../../alerts/incident-changes.ts";
import { acknowledge, clear, fire, summaryOf } from "../../alerts/incident-changes.ts";
import type { Mute } from "../../alerts/mutes.ts";
import { alertEndId, isOutdated, occurrenceOf, REMEMBERED_MS } from "../../alerts/occurrence.ts";
import { type Settling, settle } from "../../alerts/settle.ts";
import type { UnitOfWork } from "../../alerts/unit-of-work.ts";
import { createUnitOfWork } from "../../alerts/unit-of-work.ts";
import { newId } from "../../shared/ids.ts";
import type { AlertDocument, AlertOutcome } from "../../store/alert-documents.ts";
import type { AlertWork } from "../../store/alert-work.ts";
import { type AlertStep, outcomeOf } from "./alert-outcome.ts";
import { SEND_MS } from "./incident-transactions.ts";
import { loadForAlerts, loadForSettling } from "./load-unit.ts";
import type { CreateOnCallReader } from "./on-call-reader.ts";
import type { CompiledRule, CompiledRuleSet, RuleSets } from "./rule-sets.ts";

/** An accepted alert that is not yet evaluated. */
export type AcceptedAlert = Omit<AlertDocument, "outcome" | "revision">;

export interface TakeAlertsOptions {
  readonly ruleSets: RuleSets;
  readonly readOnCall: CreateOnCallReader;
  /** Retention time of resolved incidents. */
  readonly keptMs: number;
}

export interface TakenAlerts {
  /** In the order of the input. */
  readonly alerts: readonly AlertDocument[];
  /** Incidents with a notice to send now. */
  readonly pending: readonly Incident[];
}

/**
 * Evaluates alerts of one account in their order, in one transaction: the incidents that they open or resolve, and
 * the notifications that follow. Either everything is stored, or nothing.
 */
export function createTakeAlerts({ ruleSets, readOnCall, keptMs }: TakeAlertsOptions) {
  return async (
    work: AlertWork,
    accountId: string,
    accepted: readonly AcceptedAlert[],
    now: Date,
  ): Promise<TakenAlerts> => {
    const ruleSet = await ruleSets.at(accountId, await work.revision());
    const unit = createUnitOfWork(accountId);
    const onCall = readOnCall(accountId, now);
    const settling: Settling = {
      now,
      keptMs,
      mutes: ruleSet.mutes,
      notifyOf: ruleSets.notifyOf,
      onCallOf: onCall.addressesOf,
      sendUntil: new Date(now.getTime() + SEND_MS),
    };
    const known = await withFormerFingerprints(work, accepted);
    const all = known.map((one) => ({ accepted: one, incoming: incomingOf(one, now) }));
    const decided = all.map((one) => ({ ...one, decision: decisionOf(ruleSet, one.accepted) }));
    await loadForAlerts(work, unit, { ruleSet, decided, ruleSets, now });

    const alerts: AlertDocument[] = [];
    for (const { accepted: one, incoming, decision } of decided) {
      // A source has resolved it since.
      const isOver = one.status === "firing" && isOutdated(incoming.occurredAt, endOf(unit, incoming, now));
      const rules = isOver ? [] : decision.rules;
      const steps =
        one.status !== "firing"
          ? takeUpdate(unit, incoming, one.status, now)
          : isOver
            ? []
            : takeFiring(unit, { ruleSet, incoming, rules, now });
      for (const { incidentId } of steps) {
        await loadForSettling(work, unit, { incidentIds: [incidentId], ruleSets, onCall, settling });
        settle(unit, incidentId, settling);
      }
      const outcome: AlertOutcome = outcomeOf(unit, {
        steps,
        droppedBy: decision.droppedBy?.name,
        outdatedFor: isOver ? decision.rules.map(({ name }) => name) : [],
        settling,
      });
      alerts.push({ ...one, outcome, revision: ruleSet.revision });
    }
    const changes = unit.changes();
    await work.write(changes, alerts, now);
    const pending = changes.incidents.filter(
      ({ before, after }) => after.pending && after.pending.number !== before?.pending?.number,
    );
    return { alerts, pending: pending.map(({ after }) => after) };
  };
}

/**
 * An earlier release did not scope deduplication keys by their source. Its active alerts keep their former
 * fingerprint, if the same API key sent them.
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
    // An alert after its retention time no longer has a key.
    const isOwn = active.some(
      ({ fingerprint, alertId }) => fingerprint === former && (keyOf.get(alertId) ?? one.keyId) === one.keyId,
    );
    return former !== undefined && isOwn ? { ...one, fingerprint: former } : one;
  });
}

function decisionOf(ruleSet: CompiledRuleSet, { status, alert }: AcceptedAlert) {
  return status === "firing" ? ruleSet.decide(alert) : { rules: [], droppedBy: undefined };
}

function incomingOf(
  { _id: id, accountId, alert, links, fingerprint, occurredAt }: AcceptedAlert,
  at: Date,
): IncomingAlert {
  return { id, accountId, at, alert, links, fingerprint, occurredAt: occurrenceOf(occurredAt, at) };
}

/** Time at which a source resolved an alert, if it sent one; undefined: it sent none, or it is too old. */
function endOf(unit: UnitOfWork, { fingerprint }: IncomingAlert, now: Date): Date | undefined {
  const end = unit.end(fingerprint);
  return end && end.expireAt > now ? end.occurredAt : undefined;
}

/**
 * Two workers that process an alert and its resolution at the same time write the same document, so that one of them
 * must repeat its work.
 */
function noteEnd(
  unit: UnitOfWork,
  { accountId, fingerprint }: IncomingAlert,
  now: Date,
  occurredAt?: Date,
): void {
  const expireAt = new Date(now.getTime() + REMEMBERED_MS);
  const _id = alertEndId(accountId, fingerprint);
  unit.putEnd({ _id, accountId, fingerprint, ...(occurredAt && { occurredAt }), expireAt });
}

interface Firing {
  readonly ruleSet: CompiledRuleSet;
  readonly incoming: IncomingAlert;
  readonly rules: readonly CompiledRule[];
  readonly now: Date;
}

function takeFiring(unit: UnitOfWork, { ruleSet, incoming, rules, now }: Firing): AlertStep[] {
  if (ruleSet.mutes.inhibits)
    unit.putSources(incoming.fingerprint, ruleSet.mutes.sourcesOf(incoming, rules.length > 0, now));
  const mute: Mute | undefined = ruleSet.mutes.muteOf(incoming, unit.sources, now);
  const isActive = unit.firingsWith(incoming.fingerprint).length > 0;
  if (rules.length > 0 && !isActive && (incoming.occurredAt || unit.end(incoming.fingerprint)))
    noteEnd(unit, incoming, now);
  return rules.map((rule) => {
    const groupKey = groupKeyOf(incoming, rule.notify.groupBy);
    const noticesBefore = unit.openOf(rule.id, groupKey)?.notices ?? 0;
    const { incidentId, effect } = fire(unit, {
      rule,
      incoming,
      isMuted: mute !== undefined,
      newId: newId("inc", now),
      former: unit.formerOf(rule.id, groupKey),
    });
    return { incidentId, effect, noticesBefore, mute };
  });
}

/** Applies a resolution or acknowledgement to every incident of the alert, even if its rules have changed since. */
function takeUpdate(
  unit: UnitOfWork,
  incoming: IncomingAlert,
  status: "resolved" | "acknowledged",
  now: Date,
): AlertStep[] {
  const { at, fingerprint, occurredAt } = incoming;
  const active = unit.firingsWith(fingerprint);
  const [latest] = active.toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
  const last = latest ? latest.occurredAt : endOf(unit, incoming, now);
  const isLate = status === "resolved" && isOutdated(occurredAt, last);
  if (status === "resolved" && !isLate) {
    unit.endSources(fingerprint);
    if (occurredAt || unit.end(fingerprint)) noteEnd(unit, incoming, now, occurredAt);
  }
  const by = `${incoming.alert.source}, by alert ${incoming.id}`;
  return active.map((firing) => {
    const { incidentId } = firing;
    const noticesBefore = unit.get(incidentId).notices;
    let effect: AlertStep["effect"] = "acknowledged";
    if (isLate) effect = "outdated";
    else if (status === "resolved") {
      clear(unit, firing, { at, by, latest: summaryOf(incoming) });
      effect = "cleared";
    } else acknowledge(unit, incidentId, at, by);
    return { incidentId, effect, noticesBefore, mute: undefined };
  });
}
