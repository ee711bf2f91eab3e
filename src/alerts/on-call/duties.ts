import type { OnCallShift } from "./find-shifts.ts";
import type { Participant } from "./on-call-schedule.ts";

/** Time in which the same person is on call, for any reason. */
export type Duty = Pick<OnCallShift, "from" | "until" | "participant">;

/**
 * Joins the shifts of a person that follow each other.
 * @param personOf returns equal values for the same person
 */
export function dutiesOf(
  shifts: readonly OnCallShift[],
  personOf: (participant: Participant) => string,
): Duty[] {
  const keyOf = ({ participant }: Duty) => participant && personOf(participant);
  const duties: Duty[] = [];
  for (const { participant, from, until } of shifts) {
    const duty = { from, until, ...(participant && { participant }) };
    const last = duties.at(-1);
    if (last && keyOf(last) === keyOf(duty)) duties[duties.length - 1] = { ...last, until };
    else duties.push(duty);
  }
  return duties;
}
