import type { Alert } from "../../alerts/alert.ts";
import type { Decision } from "../../alerts/decide.ts";
import { groupKeyOf } from "../../alerts/group-key.ts";
import type { Firing } from "../../alerts/incident.ts";
import { FLAPPING_MS, type IncomingAlert } from "../../alerts/incident-changes.ts";
import { limitId } from "../../alerts/notification-limits.ts";
import type { NotifySettings } from "../../alerts/rule.ts";
import { muteOf, needsOf, type Settling, schedulesOf } from "../../alerts/settle.ts";
import type { FiringReading, LeftOut } from "../../alerts/unit-changes.ts";
import type { UnitOfWork } from "../../alerts/unit-of-work.ts";
import type { AlertWork, IncidentKey } from "../../store/alert-work.ts";
import type { OnCallReader } from "./on-call-reader.ts";
import type { CompiledRule, CompiledRuleSet, RuleSets } from "./rule-sets.ts";

interface AlertsToLoad {
  readonly ruleSet: CompiledRuleSet;
  readonly ruleSets: RuleSets;
  readonly now: Date;
  readonly decided: readonly {
    readonly accepted: { readonly status: string };
    readonly incoming: IncomingAlert;
    readonly decision: Decision<CompiledRule>;
  }[];
}

/** Reads the data that most alerts need, for all of them together. */
export async function loadForAlerts(
  work: AlertWork,
  unit: UnitOfWork,
  { ruleSet, ruleSets, decided, now }: AlertsToLoad,
): Promise<void> {
  const keys = new Map<string, IncidentKey & { readonly notify: NotifySettings }>();
  for (const { incoming, decision } of decided)
    for (const { id: ruleId, notify } of decision.rules) {
      const groupKey = groupKeyOf(incoming, notify.groupBy);
      keys.set(`${ruleId} ${groupKey}`, { ruleId, groupKey, notify });
    }
  const firing = decided.filter(({ accepted }) => accepted.status === "firing");
  const words = decided.filter(({ accepted }) => accepted.status !== "firing");
  const open = await work.openIncidents([...keys.values()]);
  const known = new Set(open.map(({ ruleId, groupKey }) => `${ruleId} ${groupKey}`));
  const fresh = [...keys].filter(([name]) => !known.has(name)).map(([, key]) => key);

  const firingIds = open.flatMap(({ _id }) => firing.map(({ incoming }) => `${_id}.${incoming.fingerprint}`));
  const spoken = await work.firingsWith([...new Set(words.map(({ incoming }) => incoming.fingerprint))]);
  const incidents = [
    ...open,
    ...(await work.incidentsSince(fresh, new Date(now.getTime() - FLAPPING_MS))),
    ...(await work.incidents([...new Set(spoken.map(({ incidentId }) => incidentId))])),
  ];
  const spokenOf = decided.flatMap(({ accepted, incoming }) =>
    accepted.status === "acknowledged" ? [] : incoming.fingerprint,
  );
  const limits = fresh.flatMap(({ ruleId, notify }) => limitsOf(ruleId, notify));
  unit.add({
    incidents,
    firings: [...(await work.firings([...new Set(firingIds)])), ...spoken],
    ends: await work.ends([...new Set(spokenOf)]),
    ceilings: await work.ceilings([...new Set(limits)]),
    sources: await readSources(
      work,
      ruleSet,
      firing.map(({ incoming }) => incoming.alert),
    ),
  });
  const taking = decided.flatMap(({ decision }) => decision.rules);
  const versions = taking.map(({ id: ruleId, version: ruleVersion }) => ({ ruleId, ruleVersion }));
  await ruleSets.learn(work, [...incidents, ...versions]);
}

function limitsOf(ruleId: string, { recipients, targets = [] }: NotifySettings): string[] {
  return [...recipients, ...targets].map((recipient) => limitId(ruleId, recipient));
}

async function readSources(
  work: AlertWork,
  { mutes }: Pick<CompiledRuleSet, "mutes">,
  alerts: readonly Alert[],
) {
  const names = new Set(alerts.flatMap((alert) => mutes.inhibitorsOf(alert)));
  return work.sources([...names]);
}

interface SettlingToLoad {
  readonly incidentIds: readonly string[];
  readonly ruleSets: RuleSets;
  readonly onCall: OnCallReader;
  readonly settling: Settling;
}

/** Reads the data for settling incidents, for those with due work. */
export async function loadForSettling(
  work: AlertWork,
  unit: UnitOfWork,
  { incidentIds, ruleSets, onCall, settling }: SettlingToLoad,
): Promise<void> {
  for (const id of incidentIds) {
    const incident = unit.incident(id);
    if (!incident) continue;
    await ruleSets.learn(work, [incident]);
    await onCall.learn(incident, schedulesOf(incident, settling));
    const needs = needsOf(incident, settling);
    const limits = await work.ceilings(needs.ceilings.filter((name) => !unit.ceiling(name)));
    unit.add({ ceilings: limits });
    if (!needs.firings) continue;
    const decided = unit.isRead(id, needs.firings)
      ? new Set<string>()
      : await readFirings(work, unit, { id, reading: needs.firings, settling });
    const others = unit.firingsOf(id).filter(({ _id }) => !decided.has(_id));
    await readVerdicts(work, unit, others, settling);
  }
}

/** Stored alerts that are loaded at a time, each with up to 256 KB. */
const WHOLE_AT_ONCE = 32;

/**
 * Reads which active alerts are inhibited. If an alert's context is stored only in part, the complete alert is read:
 * rules evaluated all of it, so silences and inhibitions must, too.
 */
async function readVerdicts(
  work: AlertWork,
  unit: UnitOfWork,
  firings: readonly Firing[],
  settling: Settling,
): Promise<void> {
  const { mutes, now } = settling;
  const isPart = (firing: Firing) => !firing.isWhole && unit.wholeOf(firing) === firing.alert;
  const parts = mutes.readsContext ? firings.filter(isPart) : [];
  const sources = await readSources(
    work,
    settling,
    firings.map((firing) => unit.wholeOf(firing)),
  );
  unit.add({ sources });
  for (let from = 0; from < parts.length; from += WHOLE_AT_ONCE) {
    const some = parts.slice(from, from + WHOLE_AT_ONCE);
    const stored = await work.alerts(some.map(({ alertId }) => alertId));
    const alerts = new Map(stored.map(({ _id, alert }) => [_id, alert]));
    const wholes = some.map((firing) => ({ firing, alert: alerts.get(firing.alertId) ?? firing.alert }));
    const inhibiting = await readSources(
      work,
      settling,
      wholes.map(({ alert }) => alert),
    );
    unit.add({ sources: inhibiting });
    for (const { firing, alert } of wholes) {
      const { fingerprint } = firing;
      unit.setVerdict(firing, { mute: mutes.muteOf({ alert, fingerprint }, unit.sources, now) });
    }
  }
}

/** Active alerts that one notice covers. The notice counts the others, and the next notice covers them. */
const MAX_AT_HAND: Readonly<Record<FiringReading, number>> = { untold: 5_000, all: 500, quietest: 2_000 };
/** Maximum number of muted alerts that are loaded; others are only counted. */
const MAX_MUTED = 500;

/**
 * Reads the active alerts of an incident until enough are loaded that may be notified. An incident can have any
 * number of alerts, and muted alerts must not hide the others.
 * @returns ids of active alerts with a known mute
 */
async function readFirings(
  work: AlertWork,
  unit: UnitOfWork,
  {
    id,
    reading,
    settling,
  }: { readonly id: string; readonly reading: FiringReading; readonly settling: Settling },
): Promise<Set<string>> {
  const decided = new Set<string>();
  let free = 0;
  let muted = 0;
  let leftOut: LeftOut = { muted: 0, mute: undefined };
  for await (const page of work.firingsOf(id, reading)) {
    const present = page.flatMap((firing) => unit.present(firing) ?? []);
    if (reading !== "quietest") await readVerdicts(work, unit, present, settling);
    const kept = present.filter((firing) => {
      const mute = reading === "quietest" ? undefined : muteOf(unit, firing, settling);
      if (!mute) return ++free;
      if (++muted <= MAX_MUTED) return true;
      const isFirst = !leftOut.mute || mute.until < leftOut.mute.until;
      leftOut = { muted: leftOut.muted + 1, mute: isFirst ? mute : leftOut.mute };
      return false;
    });
    unit.add({ firings: kept });
    if (reading !== "quietest") for (const { _id } of kept) decided.add(_id);
    if (free >= MAX_AT_HAND[reading]) break;
  }
  unit.markRead(id, reading, leftOut);
  return decided;
}
