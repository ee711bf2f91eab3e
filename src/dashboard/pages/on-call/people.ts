import type { Participant, Person } from "../../api/oncalls.ts";
import { t } from "../../texts/texts.ts";

/** Colors of the calendar, in `look.css`. */
const COLORS = 8;

/** Names and colors of the people of a calendar. */
export interface People {
  /** Short name, for bars: the local part of an address that no other person has. */
  shortName(person: Person | undefined): string;
  /** Number of the color; undefined without a person. */
  colorOf(person: Person | undefined): number | undefined;
}

/** Key that is equal for the same person only. */
export const personKey = ({ user_id, address }: Person): string => user_id || address.toLowerCase();

/** Address of a person, or that there is none. */
export function personName(person: Person | undefined): string {
  if (!person) return t.onCall.nobody;
  return person.address || t.onCall.formerMember(person.user_id);
}

/** The participant that a change names. */
export const participantOf = ({ user_id, address }: Person): Participant =>
  user_id ? { user_id } : { address };

const localPart = (address: string) => address.slice(0, address.lastIndexOf("@"));

/** @param persons of the schedule, in the order of their colors, and then all others */
export function createPeople(persons: readonly Person[]): People {
  const known = new Map<string, Person>();
  for (const person of persons) if (!known.has(personKey(person))) known.set(personKey(person), person);
  const numbers = new Map([...known.keys()].map((key, index) => [key, index % COLORS]));
  const uses = new Map<string, number>();
  for (const { address } of known.values())
    uses.set(localPart(address), (uses.get(localPart(address)) ?? 0) + 1);
  return {
    shortName: (person) => {
      const name = localPart(person?.address ?? "");
      return name !== "" && uses.get(name) === 1 ? name : personName(person);
    },
    colorOf: (person) => person && numbers.get(personKey(person)),
  };
}
