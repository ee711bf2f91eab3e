import { Select } from "@mantine/core";
import { useState } from "react";
import type { Person } from "../../api/oncalls.ts";
import { t } from "../../texts/texts.ts";
import { personKey } from "./people.ts";
import { usePersons } from "./use-persons.ts";

interface PersonFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly error?: string | undefined;
  readonly value?: Person | undefined;
  /** Participants of the schedule, who need not be members. */
  readonly persons: readonly Person[];
  /** People who are not offered. */
  readonly isLeftOut?: (person: Person) => boolean;
  readonly onPick: (person: Person) => void;
}

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Picks a member, a participant of the schedule, or a typed address. */
export function PersonField(props: PersonFieldProps) {
  const { label, description, error, value, persons, isLeftOut = () => false, onPick } = props;
  const [typed, setTyped] = useState("");
  const known = usePersons([...persons, ...(value ? [value] : [])]);
  const address = typed.trim();
  const isNew =
    ADDRESS.test(address) && !known.some((one) => one.address.toLowerCase() === address.toLowerCase());
  const offered = [...known, ...(isNew ? [{ user_id: "", address }] : [])].filter((one) => !isLeftOut(one));
  return (
    <Select
      label={label}
      description={description}
      placeholder={t.onCall.personHint}
      error={error}
      searchable
      // Another pick of the same value is no empty one.
      allowDeselect={false}
      nothingFoundMessage={t.onCall.typeAddress}
      data={offered.map((person) => ({ value: personKey(person), label: person.address }))}
      value={value ? personKey(value) : null}
      onSearchChange={setTyped}
      onChange={(picked) => {
        const person = offered.find((one) => personKey(one) === picked);
        if (person) onPick(person);
      }}
    />
  );
}
