import type { Layer, Person } from "../../api/oncalls.ts";
import type { FaultAt } from "../../parts/drafts/draft-faults.ts";
import { withMoved, withoutItem } from "../../parts/edit-list.ts";
import { ListButtons } from "../../parts/list-buttons.tsx";
import { t } from "../../texts/texts.ts";
import { type People, participantOf, personKey, personName } from "./people.ts";
import { PersonField } from "./person-field.tsx";

interface ParticipantFieldsProps {
  readonly participants: Layer["participants"];
  readonly persons: readonly Person[];
  readonly people: People;
  /** JSON pointer of the list. */
  readonly at: string;
  readonly faultAt: FaultAt;
  readonly onChange: (participants: Layer["participants"]) => void;
}

/** The participants of a layer in the order of their shifts. */
export function ParticipantFields(props: ParticipantFieldsProps) {
  const { participants, persons, people, at, faultAt, onChange } = props;
  const known = new Map(persons.map((person) => [personKey(person), person]));
  const listed = participants.map(({ user_id: userId = "", address = "" }): Person => {
    return (userId && known.get(userId)) || { user_id: userId, address };
  });
  return (
    <div className="stack small-gap">
      {listed.length > 0 && (
        <ol className="entries framed" aria-label={t.onCall.participants}>
          {listed.map((person, index) => (
            <li key={`${index} ${personKey(person)}`}>
              <span className="row">
                <span className="person-mark" data-person={people.colorOf(person)} />
                {personName(person)}
                {faultAt(`${at}/${index}/*`) && <span className="fault">{faultAt(`${at}/${index}/*`)}</span>}
              </span>
              <ListButtons
                name={personName(person)}
                at={index}
                count={listed.length}
                onMove={(by) => onChange(withMoved(participants, index, by))}
                onRemove={() => onChange(withoutItem(participants, index))}
              />
            </li>
          ))}
        </ol>
      )}
      <PersonField
        // A pick empties the field.
        key={participants.length}
        label={t.onCall.addParticipant}
        description={t.onCall.participantsDetail}
        error={faultAt(at)}
        persons={persons}
        isLeftOut={(person) => listed.some((one) => personKey(one) === personKey(person))}
        onPick={(person) => onChange([...participants, participantOf(person)])}
      />
    </div>
  );
}
