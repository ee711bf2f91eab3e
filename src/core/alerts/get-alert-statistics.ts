import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type {
  AlertCountsSchema,
  GetAlertStatisticsRequest,
  GetAlertStatisticsResponseSchema,
  RuleAlertsSchema,
} from "../../../gen/hermod/alert/v1/alert_service_pb.ts";
import { severities } from "../../alerts/alert.ts";
import { validationFault } from "../../shared/fault.ts";
import {
  type AlertCounterStep,
  type AlertCounts,
  addCounts,
  alertCounterSteps,
} from "../../store/alert-counters.ts";
import { keptMs, keyOfValue, valueOfKey } from "../../store/counters/counter-documents.ts";
import type { AccountStore } from "../../store/store.ts";
import { createPoints } from "../counters/points.ts";
import { readRange } from "../counters/read-range.ts";
import type { Dependencies } from "../dependencies.ts";
import { createFieldFaults } from "../field-faults.ts";
import { resolveAccount } from "../resolve-account.ts";

/** Points that are read at a time. A counter has up to some ten kilobytes. */
const POINTS_AT_ONCE = 100;
/** Rules that are summed. Further ones count for the others. */
const MAX_RULES = 2_000;
/** Rules in an answer. */
const MAX_SHOWN = 20;
/** Name of the sum of the other rules. */
const OTHERS = "";

interface RuleSum {
  readonly all: AlertCounts;
  /** By point. */
  readonly counts: number[];
}

/**
 * Counts active alerts over time, by severity and rule.
 * @throws Fault account.unknown, request.validation_failed
 */
export function createGetAlertStatistics({ store, clock }: Pick<Dependencies, "store" | "clock">) {
  return async (
    request: GetAlertStatisticsRequest,
  ): Promise<MessageInitShape<typeof GetAlertStatisticsResponseSchema>> => {
    const account = await resolveAccount(store, request);
    const faults = createFieldFaults();
    const now = clock.now();
    const { from, until, step } = readRange(request, now, faults, alertCounterSteps);
    if (faults.found.length > 0 || !step) throw validationFault(faults.found);
    const { points, end } = createPoints({ step, from, until, zone: "UTC" });
    const [first = end] = points;

    const sums = points.map(() => ({ counts: {} as AlertCounts, unmatched: {} as AlertCounts }));
    const rules = new Map<string, RuleSum>();
    const places = new Map(points.map((at, index) => [at.getTime(), index]));
    for (let start = 0; start < points.length; start += POINTS_AT_ONCE) {
      const span = { from: points[start] ?? first, until: points[start + POINTS_AT_ONCE] ?? end };
      for (const counted of await account.alertCounters.read({ step, ...span })) {
        const index = places.get(counted.at.getTime());
        const sum = index === undefined ? undefined : sums[index];
        if (index === undefined || !sum) continue;
        const key = keyOfValue(request.rule);
        const own = request.rule === "" ? counted.counts : counted.rules?.[key];
        sum.counts = addCounts(sum.counts, own);
        if (request.rule === "") sum.unmatched = addCounts(sum.unmatched, counted.unmatched);
        for (const [name, counts] of Object.entries(counted.rules ?? {})) {
          if (request.rule !== "" && name !== key) continue;
          addToRule(rules, valueOfKey(name) ?? OTHERS, { index, counts, points: points.length });
        }
      }
    }

    const since = await countedSince(account, { step, first, now });
    const sumOf = (some: readonly AlertCounts[]) => some.reduce((sum, one) => addCounts(sum, one), {});
    return {
      step,
      all: toCounts(sumOf(sums.map(({ counts }) => counts))),
      unmatched: toCounts(sumOf(sums.map(({ unmatched }) => unmatched))),
      points: points.map((at, index) => ({
        at: timestampFromDate(at),
        counts: toCounts(sums[index]?.counts),
        unmatched: toCounts(sums[index]?.unmatched),
      })),
      rules: shownRules(rules),
      ...(since && { measuredSince: timestampFromDate(since) }),
    };
  };
}

function addToRule(
  rules: Map<string, RuleSum>,
  given: string,
  {
    index,
    counts,
    points,
  }: { readonly index: number; readonly counts: AlertCounts; readonly points: number },
): void {
  const name = rules.has(given) || rules.size < MAX_RULES ? given : OTHERS;
  const former = rules.get(name) ?? { all: {}, counts: Array.from({ length: points }, () => 0) };
  former.counts[index] = (former.counts[index] ?? 0) + numberOf(counts);
  rules.set(name, { ...former, all: addCounts(former.all, counts) });
}

/** The rules with the most alerts, then the sum of the others. */
function shownRules(rules: ReadonlyMap<string, RuleSum>): MessageInitShape<typeof RuleAlertsSchema>[] {
  const named = [...rules].filter(([name]) => name !== OTHERS);
  named.sort(([a, one], [b, other]) => numberOf(other.all) - numberOf(one.all) || (a < b ? -1 : 1));
  const rest = [...named.slice(MAX_SHOWN).map(([, sum]) => sum), rules.get(OTHERS)];
  const toRule = (rule: string, { all, counts }: RuleSum) => ({ rule, all: toCounts(all), counts });
  const shown = named.slice(0, MAX_SHOWN).map(([name, sum]) => toRule(name, sum));
  const [head, ...more] = rest.flatMap((one) => one ?? []);
  if (!head) return shown;
  const others = more.reduce<RuleSum>(
    (sum, one) => ({
      all: addCounts(sum.all, one.all),
      counts: sum.counts.map((count, index) => count + (one.counts[index] ?? 0)),
    }),
    head,
  );
  return [...shown, toRule(OTHERS, others)];
}

/** An earlier release counted no alerts. Undefined: all alerts since `first` are counted. */
async function countedSince(
  { alertCounters, incidents }: Pick<AccountStore, "alertCounters" | "incidents">,
  { step, first, now }: { readonly step: AlertCounterStep; readonly first: Date; readonly now: Date },
): Promise<Date | undefined> {
  // Earlier counters are removed.
  const kept = new Date(now.getTime() - keptMs[step]);
  const [oldest] = await incidents.scanAlerts({ of: {}, isOldestFirst: true, limit: 1 });
  const counted = (await alertCounters.since(step)) ?? now;
  const since = oldest && oldest.at < counted && counted > kept ? counted : kept;
  return since > first ? since : undefined;
}

function numberOf(counts: AlertCounts): number {
  return severities.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);
}

function toCounts(counts: AlertCounts = {}): MessageInitShape<typeof AlertCountsSchema> {
  const { info = 0, warning = 0, critical = 0 } = counts;
  return { info, warning, critical };
}
