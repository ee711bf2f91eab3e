import type { ClientSession, UpdateFilter } from "mongodb";
import type { Incident } from "../alerts/incident.ts";
import { HISTORY_MS } from "../alerts/unit-of-work.ts";
import { withoutUndefined } from "../shared/without-undefined.ts";
import type { DamagedIncident } from "./alert-damage.ts";
import type { incidentCollections } from "./incident-collections.ts";
import type { NoteIncidents } from "./journal/note-deliveries.ts";

interface SetAsideParts extends Pick<ReturnType<typeof incidentCollections>, "incidents" | "history"> {
  readonly noteIncidents: NoteIncidents;
  readonly removeFirings: (incidentIds: readonly string[], at: Date) => Promise<void>;
}

/** Closes damaged incidents without notification. */
export function createSetAside(
  { incidents, history, removeFirings, noteIncidents }: SetAsideParts,
  session: ClientSession,
  accountId: string,
) {
  return async (damaged: readonly DamagedIncident[], at: Date): Promise<DamagedIncident[]> => {
    const expireAt = new Date(at.getTime() + HISTORY_MS);
    const closed = {
      setAsideAt: at,
      state: "resolved",
      resolvedAt: at,
      firing: 0,
      untold: 0,
      expireAt,
    } as const;
    const gone = ["open", "dueAt", "pending", "escalation", "snoozedUntil", "snoozedBy", "remind"];
    const closedNow: DamagedIncident[] = [];
    for (const one of damaged) {
      const { id: incidentId, reason, repairs } = one;
      const $set = { ...withoutUndefined(repairs), ...closed };
      const removed = [...Object.keys(repairs), ...gone].filter((field) => !Object.hasOwn($set, field));
      const update = { $set, $unset: Object.fromEntries(removed.map((field) => [field, ""])) };
      const present = { _id: incidentId, accountId, setAsideAt: { $exists: false } };
      const { matchedCount } = await incidents.updateOne(present, update as UpdateFilter<Incident>, {
        session,
      });
      // Another worker has set it aside concurrently.
      if (matchedCount === 0) continue;
      await removeFirings([incidentId], at);
      const detail = `Closed without mail because the stored incident is damaged (${reason}). The next alert opens another incident.`;
      const entry = { _id: `${incidentId}.set-aside`, accountId, incidentId, at, detail, expireAt };
      await history.insertOne({ ...entry, kind: "resolved" }, { session });
      closedNow.push(one);
    }
    noteIncidents(
      accountId,
      closedNow.map(({ id }) => id),
    );
    return closedNow;
  };
}
