import { setImmediate as nextTurn } from "node:timers/promises";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  NoticeEstimateSchema,
  TriedAlertSchema,
  TriedNoticeSchema,
  TriedRuleSchema,
} from "../../../gen/hermod/rule/v1/rule_service_pb.ts";
import {
  type ComparedAlert,
  createDecisionComparison,
  type DecisionChange,
  type RuleTally,
} from "../../alerts/compare-decisions.ts";
import { occurrenceOf } from "../../alerts/occurrence.ts";
import { createPruneAlert } from "../../alerts/pruned-alert.ts";
import {
  createNoticeSimulation,
  type NoticeCounts,
  type NoticeSimulation,
  type PastAlert,
} from "../../alerts/simulate-notices.ts";
import type { AlertDocument } from "../../store/alert-documents.ts";
import type { CompiledRule } from "./rule-sets.ts";

/** Maximum number of matching rules of all alerts that the estimate of notices covers. */
const MAX_MATCHES = 20_000;
/** Due actions in one turn of the event loop, and in all. */
const ACTIONS_AT_ONCE = 100;
const MAX_ACTIONS = 50_000;
const MAX_LISTED = 100;
const MAX_TAKING = 10;
const ID_DIGITS = 26;

/** An alert with the rules that match it now. */
interface Match {
  readonly alert: PastAlert;
  readonly rules: readonly CompiledRule[];
}

interface Ending {
  readonly signal: AbortSignal;
  /** Returns the addresses that an on-call schedule notifies at a time. */
  readonly onCallAt: Parameters<typeof createNoticeSimulation>[0];
}

/**
 * A test of rules on past alerts.
 * @param subject name of the rule to report on first; empty: none
 */
export function createRuleTrial(rules: readonly CompiledRule[], subject: string) {
  const comparison = createDecisionComparison(rules, subject);
  const { prune, fieldsOf } = createPruneAlert(rules.flatMap(({ notify }) => notify.groupBy ?? []));
  const simulated = new Map(rules.map((rule, index) => [rule.id, ofSimulation(rule, index, fieldsOf)]));
  const history: Match[] = [];
  const changed: MessageInitShape<typeof TriedAlertSchema>[] = [];
  const matches: MessageInitShape<typeof TriedAlertSchema>[] = [];
  const numbers = { tested: 0, updates: 0, matched: 0, matchedBefore: 0 };
  const changes: Record<DecisionChange, number> = {
    unchanged: 0,
    newly_matched: 0,
    no_longer_matched: 0,
    moved: 0,
  };
  const times: { latest?: Date; oldest?: Date } = {};
  let matching = 0;

  /** Keeps an alert for the estimate of notices. */
  function remember(stored: AlertDocument, taking: readonly CompiledRule[]): void {
    history.push({
      alert: pastAlertOf(stored, prune),
      rules: taking.flatMap(({ id }) => simulated.get(id) ?? []),
    });
  }

  function takeFiring(stored: AlertDocument): void {
    const { at, alert, outcome } = stored;
    const compared = comparison.compare(alert, outcome.matchedRules);
    const { change, matched, decision } = compared;
    numbers.tested++;
    numbers.matched += Number(matched.length > 0);
    numbers.matchedBefore += Number(outcome.matchedRules.length > 0);
    changes[change]++;
    times.latest ??= at;
    times.oldest = at;
    if (change !== "unchanged" && changed.length < MAX_LISTED) changed.push(toTriedAlert(stored, compared));
    if (matched.includes(subject) && matches.length < MAX_LISTED)
      matches.push(toTriedAlert(stored, compared));
    matching += decision.rules.length;
    // An alert that is older than its resolution opens no incident.
    const isOutdated = outcome.reasons.some(({ reason }) => reason === "outdated");
    if (!isOutdated && decision.rules.length > 0 && matching <= MAX_MATCHES) remember(stored, decision.rules);
  }

  return {
    /** Takes one alert after the other, the latest first. */
    take(stored: AlertDocument): void {
      if (stored.status === "firing") takeFiring(stored);
      else {
        numbers.updates++;
        remember(stored, []);
      }
    },

    /** The results, with the notices that the rules would have sent until a time. @throws Fault core.timeout */
    async end(until: Date, { signal, onCallAt }: Ending) {
      const own = simulated.get(rules.find(({ name }) => name === subject)?.id ?? "")?.id;
      const notices: MessageInitShape<typeof TriedNoticeSchema>[] = [];
      const simulation = createNoticeSimulation(onCallAt, ({ ruleId, at, ...notice }) => {
        if (ruleId === own && notices.length < MAX_LISTED)
          notices.push({ ...notice, at: timestampFromDate(at), recipients: [...notice.recipients] });
      });
      const { counts, isComplete } = await countNotices(simulation, history.reverse(), { until, signal });
      const estimates = new Map(rules.map(({ id, name }) => [name, counts.get(simulated.get(id)?.id ?? "")]));
      const tallies = comparison.tallies().sort(byDifference(subject));
      const { latest, oldest } = times;
      return {
        ...numbers,
        ...(oldest && latest && { oldest: timestampFromDate(oldest), latest: timestampFromDate(latest) }),
        newlyMatched: changes.newly_matched,
        noLongerMatched: changes.no_longer_matched,
        moved: changes.moved,
        rules: tallies.slice(0, MAX_LISTED).map((tally) => toTriedRule(tally, estimates.get(tally.rule))),
        rulesCount: tallies.length,
        alerts: changed,
        matches,
        notices,
        estimate: sumOf([...counts.values()]),
        allNoticesCounted: isComplete && matching <= MAX_MATCHES,
      };
    },
  };
}

/** Ids of messages are derived from those of rules, which have a form. */
function ofSimulation(
  rule: CompiledRule,
  index: number,
  fieldsOf: (fields: readonly string[]) => string[],
): CompiledRule {
  const id = `rul_${String(index).padStart(ID_DIGITS, "0")}`;
  const { groupBy } = rule.notify;
  return { ...rule, id, notify: { ...rule.notify, ...(groupBy && { groupBy: fieldsOf(groupBy) }) } };
}

function pastAlertOf(
  { _id: id, accountId, at, status, alert, fingerprint, occurredAt: given }: AlertDocument,
  prune: (alert: AlertDocument["alert"]) => AlertDocument["alert"],
): PastAlert {
  const occurredAt = occurrenceOf(given, at);
  return { id, accountId, at, status, alert: prune(alert), fingerprint, occurredAt, links: [] };
}

/** Counts the notices of rules for alerts, the earliest first. */
async function countNotices(
  simulation: NoticeSimulation,
  matches: readonly Match[],
  { until: end, signal }: { readonly until: Date; readonly signal: AbortSignal },
) {
  let left = MAX_ACTIONS;
  /** Returns false if the maximum number of actions is reached. */
  const advance = async (to: Date): Promise<boolean> => {
    while (left > 0) {
      if (simulation.advance(to, ACTIONS_AT_ONCE)) return true;
      left -= ACTIONS_AT_ONCE;
      await nextTurn();
      signal.throwIfAborted();
    }
    return false;
  };
  for (const [index, { alert, rules }] of matches.entries()) {
    if (index % ACTIONS_AT_ONCE === 0) await nextTurn();
    if (!(await advance(alert.at))) return { counts: simulation.counts(), isComplete: false };
    simulation.take(alert, rules);
  }
  return { isComplete: await advance(end), counts: simulation.counts() };
}

function byDifference(subject: string) {
  const differences = (tally: RuleTally) => tally.newlyMatched + tally.noLongerMatched;
  return (a: RuleTally, b: RuleTally): number =>
    Number(b.rule === subject) - Number(a.rule === subject) ||
    differences(b) - differences(a) ||
    b.after - a.after ||
    (a.rule < b.rule ? -1 : 1);
}

function toTriedRule(
  { rule, before, after, newlyMatched, noLongerMatched, takenBy }: RuleTally,
  counts: NoticeCounts | undefined,
): MessageInitShape<typeof TriedRuleSchema> {
  const taking = [...takenBy].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return {
    rule,
    matchedBefore: before,
    matched: after,
    newlyMatched,
    noLongerMatched,
    takenBy: taking.slice(0, MAX_TAKING).map(([name, alerts]) => ({ rule: name, alerts })),
    estimate: { ...counts },
  };
}

function toTriedAlert(
  { _id: id, at, alert, outcome }: AlertDocument,
  { change, decision, matched }: ComparedAlert<CompiledRule>,
): MessageInitShape<typeof TriedAlertSchema> {
  const { eventType, severity, source, message, entityType = "", entityId = "" } = alert;
  return {
    id,
    receivedAt: timestampFromDate(at),
    eventType,
    severity,
    source,
    message,
    entityType,
    entityId,
    change,
    before: [...outcome.matchedRules],
    after: [...matched],
    droppedBy: decision.droppedBy?.name ?? "",
  };
}

function sumOf(all: readonly NoticeCounts[]): MessageInitShape<typeof NoticeEstimateSchema> {
  const sum = (of: (counts: NoticeCounts) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    incidents: sum(({ incidents }) => incidents),
    notices: sum(({ notices }) => notices),
    mails: sum(({ mails }) => mails),
    posts: sum(({ posts }) => posts),
    digests: sum(({ digests }) => digests),
  };
}
