import { type Alert, type Severity, severities } from "./alert.ts";
import type { Firing, Incident } from "./incident.ts";
import type { HistoryEntry } from "./incident-history.ts";
import type { InhibitionSource } from "./mutes.ts";
import type { NotificationLimit } from "./notification-limit.ts";
import type { AlertEnd } from "./occurrence.ts";
import type {
  FiringReading,
  IncidentNews,
  LeftOut,
  Loaded,
  MuteVerdict,
  UnitChanges,
} from "./unit-changes.ts";

/**
 * Incidents that a transaction has loaded, with their changes. Decisions change the unit. The transaction writes the changes at
 * its end.
 */
export interface UnitOfWork {
  incident(id: string): Incident | undefined;
  /** Returns a loaded incident. @throws RangeError */
  get(id: string): Incident;
  /** Ids of the loaded incidents. */
  incidentIds(): readonly string[];
  /** Open incident of a rule and a group. */
  openOf(ruleId: string, groupKey: string): Incident | undefined;
  /** Previous incident of a rule and a group, if it is loaded. */
  formerOf(ruleId: string, groupKey: string): Incident | undefined;
  put(incident: Incident): void;
  firing(incidentId: string, fingerprint: string): Firing | undefined;
  firingsOf(incidentId: string): readonly Firing[];
  /** Active alerts of all loaded incidents. */
  firingsWith(fingerprint: string): readonly Firing[];
  /** Current version of an active alert that was read; undefined if it was removed. */
  present(firing: Firing): Firing | undefined;
  /** Whether the active alerts that a decision needs were read. */
  isRead(incidentId: string, reading: FiringReading): boolean;
  /** @param leftOut alerts of the incident that are not kept loaded */
  markRead(incidentId: string, reading: FiringReading, leftOut: LeftOut): void;
  leftOut(incidentId: string, reading: FiringReading): LeftOut;
  /** Number of active alerts of an incident that were not read, from the total number and the number of loaded ones. */
  unread(incidentId: string, reading: FiringReading, count: number, atHand: number): number;
  /** @param whole alert with its whole context */
  putFiring(firing: Firing, whole: Alert): void;
  /** Mute of an active alert, by its whole context; undefined if it was not evaluated and the loaded alert is complete. */
  verdict(firing: Firing): MuteVerdict | undefined;
  setVerdict(firing: Firing, verdict: MuteVerdict): void;
  /** Alert with its whole context if it was received in this transaction, otherwise as stored. */
  wholeOf(firing: Firing): Alert;
  /** Records that an active alert was received again without another change. */
  countFiring(firing: Firing): void;
  /** Records that a notice has counted the alert. */
  markNotified(firing: Firing): void;
  removeFiring(firing: Firing): void;
  /** Removes all active alerts of an incident, including those that are not loaded. */
  removeFirings(incidentId: string): void;
  ceiling(id: string): NotificationLimit | undefined;
  putLimit(limit: NotificationLimit): void;
  sources(name: string): readonly InhibitionSource[];
  /** Sets the inhibition sources of an active alert. It is no other source. */
  putSources(fingerprint: string, sources: readonly InhibitionSource[]): void;
  /** Ends all sources of this fingerprint. */
  endSources(fingerprint: string): void;
  /** Records that an incident no longer has the alert active. Its sources end, unless another incident has it active. */
  releaseSources(fingerprint: string): void;
  /** Last resolution of an alert by its source; undefined if there is none. */
  end(fingerprint: string): AlertEnd | undefined;
  putEnd(end: AlertEnd): void;
  note(incidentId: string, entry: Omit<HistoryEntry, "_id" | "accountId" | "incidentId" | "expireAt">): void;
  emit(news: IncidentNews): void;
  /** Adds loaded documents. Documents that are already loaded stay unchanged. */
  add(loaded: Loaded): void;
  changes(): UnitChanges;
}

const NONE_LEFT_OUT: LeftOut = { muted: 0, mute: undefined };

/** Active alert after a notice has counted it. */
export function notifiedFiring({ untold: _, ...firing }: Firing): Firing {
  return { ...firing, told: firing.alert.severity };
}

export const HISTORY_MS = 90 * 86_400_000;
const ENTRY_DIGITS = 6;
/** Id of an entry in the history of an incident. Ids sort by their numbers. */
export const entryId = (incidentId: string, number: number) =>
  `${incidentId}.${String(number).padStart(ENTRY_DIGITS, "0")}`;

/** @param accountId account that owns everything in the unit */
export function createUnitOfWork(accountId: string): UnitOfWork {
  const known = new Map<string, Incident>();
  const incidents = new Map<string, Incident>();
  const open = new Map<string, string>();
  const former = new Map<string, string>();
  const firings = new Map<string, Map<string, Firing>>();
  const complete = new Set<string>();
  const writtenFirings = new Map<string, Firing | undefined>();
  const notifiedFirings = new Map<string, Severity>();
  const emptied = new Set<string>();
  const verdicts = new Map<string, MuteVerdict>();
  const wholes = new Map<string, Alert>();
  const readings = new Map<string, LeftOut>();
  const limits = new Map<string, NotificationLimit>();
  const writtenLimits = new Set<string>();
  const sources = new Map<string, Map<string, InhibitionSource>>();
  const writtenSources = new Map<string, InhibitionSource>();
  const endedSources = new Set<string>();
  const releasedSources = new Set<string>();
  const keptSources = new Map<string, readonly string[]>();
  const ends = new Map<string, AlertEnd>();
  const writtenEnds = new Set<string>();
  const history: HistoryEntry[] = [];
  const news: IncidentNews[] = [];

  const readingOf = (id: string, reading: FiringReading) => `${id} ${reading}`;
  const leftOut = (id: string, reading: FiringReading) =>
    (complete.has(id) ? undefined : readings.get(readingOf(id, reading))) ?? NONE_LEFT_OUT;
  const nameOf = (ruleId: string, groupKey: string) => `${ruleId} ${groupKey}`;
  const ofIncident = (id: string) => {
    const present = firings.get(id) ?? new Map<string, Firing>();
    firings.set(id, present);
    return present;
  };
  const ofName = (name: string) => {
    const present = sources.get(name) ?? new Map<string, InhibitionSource>();
    sources.set(name, present);
    return present;
  };

  function remember(incident: Incident): void {
    incidents.set(incident._id, incident);
    const name = nameOf(incident.ruleId, incident.groupKey);
    if (incident.open) open.set(name, incident._id);
    else {
      if (open.get(name) === incident._id) open.delete(name);
      const last = incidents.get(former.get(name) ?? "");
      if (!last || last.openedAt <= incident.openedAt) former.set(name, incident._id);
    }
  }

  function get(id: string): Incident {
    const incident = incidents.get(id);
    if (!incident) throw new RangeError(`The incident ${id} is not loaded.`);
    return incident;
  }

  function forgetSources(fingerprint: string): void {
    for (const some of sources.values())
      for (const one of some.values()) if (one.fingerprint === fingerprint) some.delete(one._id);
    for (const one of writtenSources.values())
      if (one.fingerprint === fingerprint) writtenSources.delete(one._id);
  }

  return {
    incident: (id) => incidents.get(id),
    get,
    incidentIds: () => [...incidents.keys()],
    openOf: (ruleId, groupKey) => incidents.get(open.get(nameOf(ruleId, groupKey)) ?? ""),
    formerOf: (ruleId, groupKey) => incidents.get(former.get(nameOf(ruleId, groupKey)) ?? ""),
    put(incident) {
      if (!known.has(incident._id) && !incidents.has(incident._id)) complete.add(incident._id);
      remember(incident);
    },
    firing: (incidentId, fingerprint) => firings.get(incidentId)?.get(fingerprint),
    firingsOf: (incidentId) => [...(firings.get(incidentId)?.values() ?? [])],
    firingsWith: (fingerprint) => [...firings.values()].flatMap((ofOne) => ofOne.get(fingerprint) ?? []),
    present: (firing) => {
      if (writtenFirings.has(firing._id)) return writtenFirings.get(firing._id);
      return firings.get(firing.incidentId)?.get(firing.fingerprint) ?? firing;
    },
    isRead: (incidentId, reading) => complete.has(incidentId) || readings.has(readingOf(incidentId, reading)),
    markRead(incidentId, reading, leftOut) {
      readings.set(readingOf(incidentId, reading), leftOut);
    },
    leftOut,
    unread(incidentId, reading, count, atHand) {
      if (complete.has(incidentId)) return 0;
      return Math.max(0, count - atHand - leftOut(incidentId, reading).muted);
    },
    verdict: ({ _id }) => verdicts.get(_id),
    setVerdict: ({ _id }, verdict) => void verdicts.set(_id, verdict),
    wholeOf: ({ _id, alert }) => wholes.get(_id) ?? alert,
    putFiring(firing, whole) {
      verdicts.delete(firing._id);
      wholes.set(firing._id, whole);
      ofIncident(firing.incidentId).set(firing.fingerprint, firing);
      writtenFirings.set(firing._id, firing);
    },
    countFiring(firing) {
      ofIncident(firing.incidentId).set(firing.fingerprint, firing);
      writtenFirings.set(firing._id, firing);
    },
    markNotified(firing) {
      const notified = notifiedFiring(firing);
      ofIncident(firing.incidentId).set(firing.fingerprint, notified);
      if (writtenFirings.has(firing._id)) writtenFirings.set(firing._id, notified);
      else notifiedFirings.set(firing._id, firing.alert.severity);
    },
    removeFiring({ _id, incidentId, fingerprint }) {
      ofIncident(incidentId).delete(fingerprint);
      writtenFirings.set(_id, undefined);
    },
    removeFirings(incidentId) {
      for (const { _id } of ofIncident(incidentId).values()) writtenFirings.delete(_id);
      firings.delete(incidentId);
      complete.add(incidentId);
      emptied.add(incidentId);
    },
    ceiling: (id) => limits.get(id),
    putLimit(limit) {
      limits.set(limit._id, limit);
      writtenLimits.add(limit._id);
    },
    sources: (name) => [...(sources.get(name)?.values() ?? [])],
    putSources(fingerprint, given) {
      forgetSources(fingerprint);
      for (const source of given) {
        ofName(source.name).set(source._id, source);
        writtenSources.set(source._id, source);
      }
      endedSources.delete(fingerprint);
      keptSources.set(
        fingerprint,
        given.map(({ _id }) => _id),
      );
    },
    endSources(fingerprint) {
      forgetSources(fingerprint);
      keptSources.delete(fingerprint);
      endedSources.add(fingerprint);
    },
    releaseSources: (fingerprint) => void releasedSources.add(fingerprint),
    end: (fingerprint) => ends.get(fingerprint),
    putEnd(end) {
      ends.set(end.fingerprint, end);
      writtenEnds.add(end.fingerprint);
    },
    note(incidentId, entry) {
      const incident = get(incidentId);
      const entries = incident.entries + 1;
      remember({ ...incident, entries });
      history.push({
        _id: entryId(incidentId, entries),
        accountId,
        incidentId,
        ...entry,
        expireAt: new Date(entry.at.getTime() + HISTORY_MS),
      });
    },
    emit: (one) => void news.push(one),
    add(loaded) {
      for (const incident of loaded.incidents ?? []) {
        if (incidents.has(incident._id)) continue;
        known.set(incident._id, incident);
        remember(incident);
      }
      for (const firing of loaded.firings ?? []) {
        const present = ofIncident(firing.incidentId);
        if (!present.has(firing.fingerprint) && !writtenFirings.has(firing._id))
          present.set(firing.fingerprint, firing);
      }
      for (const id of loaded.complete ?? []) complete.add(id);
      for (const limit of loaded.ceilings ?? []) if (!limits.has(limit._id)) limits.set(limit._id, limit);
      for (const end of loaded.ends ?? []) if (!ends.has(end.fingerprint)) ends.set(end.fingerprint, end);
      for (const source of loaded.sources ?? []) {
        const { fingerprint } = source;
        const isOver = endedSources.has(fingerprint) || keptSources.has(fingerprint);
        if (!isOver) ofName(source.name).set(source._id, source);
      }
    },
    changes() {
      const changed = [...incidents.values()].filter((one) => one !== known.get(one._id));
      const written = [...writtenFirings];
      return {
        incidents: changed.map((after) => ({
          before: known.get(after._id),
          after: { ...after, revision: (known.get(after._id)?.revision ?? 0) + 1 },
        })),
        firings: written.flatMap(([, firing]) => firing ?? []),
        removedFirings: written.filter(([, firing]) => firing === undefined).map(([id]) => id),
        notifiedFirings: severities.flatMap((severity) => {
          const ids = [...notifiedFirings].flatMap(([id, notified]) =>
            notified === severity && !writtenFirings.has(id) ? [id] : [],
          );
          return ids.length > 0 ? [{ severity, ids }] : [];
        }),
        emptied: [...emptied],
        ceilings: [...writtenLimits].flatMap((id) => limits.get(id) ?? []),
        sources: [...writtenSources.values()],
        endedSources: [...endedSources],
        releasedSources: [...releasedSources].filter((one) => !endedSources.has(one)),
        keptSources: [...keptSources].map(([fingerprint, ids]) => ({ fingerprint, ids })),
        ends: [...writtenEnds].flatMap((fingerprint) => ends.get(fingerprint) ?? []),
        history,
        news,
      };
    },
  };
}
