import type { Participant, Person, Schedule } from "../../api/oncalls.ts";
import type { Lane } from "./calendar.tsx";
import { findContentShifts } from "./find-content-shifts.ts";
import { personKey } from "./people.ts";

interface Range {
  readonly from: string;
  readonly until: string;
}

/** The shifts of each layer as if it were alone: below the shifts that result from all of them, they say why. */
export function layerLanes({ settings: { layers }, people }: Schedule, range: Range): Lane[] {
  const personOf = findPerson(people);
  // From the first to the last priority.
  return layers.toReversed().map((layer) => {
    const shifts = findContentShifts([layer], range, personOf) ?? [];
    return { name: layer.name, shifts: shifts.filter(({ person }) => person !== undefined) };
  });
}

/** A function that finds a participant among people. A member without an address has left the account. */
export function findPerson(people: readonly Person[]): (participant: Participant) => Person | undefined {
  const known = new Map(people.map((person) => [personKey(person), person]));
  return ({ user_id: userId, address = "" }) => {
    if (userId === undefined) return { user_id: "", address };
    const person = known.get(userId);
    return person?.address ? person : undefined;
  };
}
