import type { Person, Shift } from "../../api/oncalls.ts";
import { personKey } from "./people.ts";

/** Times in which one person is on call, whatever the reason. */
export interface Duty {
  readonly person: Person | undefined;
  readonly from: string;
  readonly until: string;
}

const keyOf = (person: Person | undefined) => person && personKey(person);

/** Joins the shifts of a person that follow each other. */
export function dutiesOf(shifts: readonly Shift[]): Duty[] {
  const duties: Duty[] = [];
  for (const { person, from, until } of shifts) {
    const last = duties.at(-1);
    if (last && keyOf(last.person) === keyOf(person)) duties[duties.length - 1] = { ...last, until };
    else duties.push({ person, from, until });
  }
  return duties;
}
