import type { Alert } from "../../alerts/alert.ts";
import { ceilingId } from "../../alerts/ceilings.ts";
import type { Decision } from "../../alerts/decide.ts";
import { groupKeyOf } from "../../alerts/group-key.ts";
import type { Firing } from "../../alerts/incident.ts";
import { FLAPPING_MS, type IncomingAlert } from "../../alerts/incident-changes.ts";
import type { Ledger } from "../../alerts/ledger.ts";
import type { FiringReading, LeftOut, Loaded } from "../../alerts/ledger-changes.ts";
import type { NotifySettings } from "../../alerts/rule.ts";
import { muteOf, needsOf, type Settling } from "../../alerts/settle.ts";
import type { AlertWork, IncidentKey } from "../../store/alert-work.ts";
import type { BookRule, Books, CompiledBook } from "./books.ts";

/** To be added to. */
export const NOTHING: Loaded = { incidents: [], firings: [], complete: [], ceilings: [], sources: [] };

interface FirstReading {
  readonly book: CompiledBook;
  readonly books: Books;
  readonly now: Date;
  readonly decided: readonly {
    readonly accepted: { readonly status: string };
    readonly incoming: IncomingAlert;
    readonly decision: Decision<BookRule>;
  }[];
}

/** Reads what most alerts need, for all of them at once. */
export async function readFirst(
  work: AlertWork,
  ledger: Ledger,
  { book, books, decided, now }: FirstReading,
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
  const ceilings = fresh.flatMap(({ ruleId, notify }) => ceilingsOf(ruleId, notify));
  ledger.add({
    incidents,
    firings: [...(await work.firings([...new Set(firingIds)])), ...spoken],
    complete: [],
    ends: await work.ends([...new Set(spokenOf)]),
    ceilings: await work.ceilings([...new Set(ceilings)]),
    sources: await readSources(
      work,
      book,
      firing.map(({ incoming }) => incoming.alert),
    ),
  });
  const taking = decided.flatMap(({ decision }) => decision.rules);
  const versions = taking.map(({ id: ruleId, version: ruleVersion }) => ({ ruleId, ruleVersion }));
  await books.learn(work, [...incidents, ...versions]);
}

function ceilingsOf(ruleId: string, { recipients }: NotifySettings): string[] {
  return recipients.map((recipient) => ceilingId(ruleId, recipient));
}

async function readSources(
  work: AlertWork,
  { mutes }: Pick<CompiledBook, "mutes">,
  alerts: readonly Alert[],
) {
  const names = new Set(alerts.flatMap((alert) => mutes.inhibitorsOf(alert)));
  return work.sources([...names]);
}

interface SettlingReading {
  readonly incidentIds: readonly string[];
  readonly books: Books;
  readonly settling: Settling;
}

/** Reads what settling incidents takes, of those for which something is due. */
export async function readForSettling(
  work: AlertWork,
  ledger: Ledger,
  { incidentIds, books, settling }: SettlingReading,
): Promise<void> {
  for (const id of incidentIds) {
    const incident = ledger.incident(id);
    if (!incident) continue;
    await books.learn(work, [incident]);
    const needs = needsOf(incident, settling);
    const ceilings = await work.ceilings(needs.ceilings.filter((name) => !ledger.ceiling(name)));
    ledger.add({ ...NOTHING, ceilings });
    if (!needs.firings) continue;
    const decided = ledger.isRead(id, needs.firings)
      ? new Set<string>()
      : await readFirings(work, ledger, { id, reading: needs.firings, settling });
    const others = ledger.firingsOf(id).filter(({ _id }) => !decided.has(_id));
    await readVerdicts(work, ledger, others, settling);
  }
}

/** Stored alerts that are at hand at a time, each with up to 256 KB. */
const WHOLE_AT_ONCE = 32;

/**
 * Reads what would inhibit active alerts, and decides about those of which a part of the context is stored: rules saw all of it, so silences
 * and inhibitions look at all of it as well.
 */
async function readVerdicts(
  work: AlertWork,
  ledger: Ledger,
  firings: readonly Firing[],
  settling: Settling,
): Promise<void> {
  const { mutes, now } = settling;
  const isPart = (firing: Firing) => !firing.isWhole && ledger.wholeOf(firing) === firing.alert;
  const parts = mutes.readsContext ? firings.filter(isPart) : [];
  const sources = await readSources(
    work,
    settling,
    firings.map((firing) => ledger.wholeOf(firing)),
  );
  ledger.add({ ...NOTHING, sources });
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
    ledger.add({ ...NOTHING, sources: inhibiting });
    for (const { firing, alert } of wholes) {
      const { fingerprint } = firing;
      ledger.setVerdict(firing, { mute: mutes.muteOf({ alert, fingerprint }, ledger.sources, now) });
    }
  }
}

/** Active alerts that one notice takes up; it counts the others, which the next notice takes up. */
const MAX_AT_HAND: Readonly<Record<FiringReading, number>> = { untold: 5_000, all: 500, quietest: 2_000 };
/** Muted alerts that are kept at hand; others are only counted. */
const MAX_MUTED = 500;

/**
 * Reads the active alerts of an incident until enough are at hand that may be notified: an incident may have any number, and what is
 * muted must not hide what is not.
 * @returns ids of active alerts whose mute is determined
 */
async function readFirings(
  work: AlertWork,
  ledger: Ledger,
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
    const present = page.flatMap((firing) => ledger.present(firing) ?? []);
    if (reading !== "quietest") await readVerdicts(work, ledger, present, settling);
    const kept = present.filter((firing) => {
      const mute = reading === "quietest" ? undefined : muteOf(ledger, firing, settling);
      if (!mute) return ++free;
      if (++muted <= MAX_MUTED) return true;
      const isFirst = !leftOut.mute || mute.until < leftOut.mute.until;
      leftOut = { muted: leftOut.muted + 1, mute: isFirst ? mute : leftOut.mute };
      return false;
    });
    ledger.add({ ...NOTHING, firings: kept });
    if (reading !== "quietest") for (const { _id } of kept) decided.add(_id);
    if (free >= MAX_AT_HAND[reading]) break;
  }
  ledger.markRead(id, reading, leftOut);
  return decided;
}
