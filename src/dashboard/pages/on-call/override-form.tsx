import { TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addOverride, type NewOverride, type Person, type Schedule, shiftsQuery } from "../../api/oncalls.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { faultAt } from "../../parts/form-fault.tsx";
import { MomentField } from "../../parts/moment-field.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { shiftText } from "./calendar-bar.tsx";
import { participantOf } from "./people.ts";
import { PersonField } from "./person-field.tsx";

export interface OverrideTimes {
  /** ISO 8601. Missing: now. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

interface OverrideFormProps {
  readonly schedule: Schedule;
  readonly times: OverrideTimes;
  readonly onClose: () => void;
}

const MOST_MS = 93 * 86_400_000;
const MOST_LISTED = 5;

/** Adds an override: a person who is on call for a time instead of those of the layers. */
export function OverrideForm({ schedule, times: first, onClose }: OverrideFormProps) {
  const { name, layers } = schedule.settings;
  const zone = layers[0]?.time_zone ?? "UTC";
  const queryClient = useQueryClient();
  const [person, setPerson] = useState<Person>();
  const [times, setTimes] = useState(first);
  const [comment, setComment] = useState("");
  const [isLacking, setLacking] = useState(false);
  const add = useMutation({
    mutationFn: (override: NewOverride) => addOverride(name, override),
    onSuccess: async () => {
      notifications.show({ message: t.onCall.overrideAdded, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["on-call-schedules"] });
      onClose();
    },
  });
  function submit(): void {
    setLacking(!person);
    if (!person) return;
    add.mutate({
      participant: participantOf(person),
      ...(times.from && { from: times.from }),
      until: times.until ?? "",
      ...(comment.trim() && { comment: comment.trim() }),
    });
  }
  return (
    <FormDialog
      title={t.onCall.addOverride}
      size="lg"
      action={t.onCall.addOverride}
      isPending={add.isPending}
      error={add.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <PersonField
        label={t.onCall.person}
        description={t.onCall.personDetail}
        error={isLacking && !person ? t.onCall.personLacks : faultAt(add.error, "/participant/address")}
        value={person}
        persons={schedule.people}
        onPick={setPerson}
      />
      <div className="pair">
        <MomentField
          label={t.onCall.overrideFrom}
          description={t.onCall.overrideFromDetail}
          error={faultAt(add.error, "/from")}
          zone={zone}
          value={times.from}
          onChange={(from) => setTimes({ ...times, from })}
        />
        <MomentField
          label={t.onCall.overrideUntil}
          description={t.onCall.overrideUntilDetail}
          isRequired
          error={faultAt(add.error, "/until")}
          zone={zone}
          value={times.until}
          onChange={(until) => setTimes({ ...times, until })}
        />
      </div>
      <p className="faint tight">{t.onCall.inZone(zone)}</p>
      <Replaced name={name} zone={zone} times={times} />
      <TextInput
        label={t.onCall.comment}
        maxLength={500}
        autoComplete="off"
        value={comment}
        onChange={({ currentTarget: { value } }) => setComment(value)}
      />
    </FormDialog>
  );
}

interface ReplacedProps {
  readonly name: string;
  readonly zone: string;
  readonly times: OverrideTimes;
}

/** The shifts that an override replaces. */
function Replaced({ name, zone, times: { from, until } }: ReplacedProps) {
  // Without a start, the override begins now. A minute that passes does not begin another request.
  const [now] = useState(() => new Date().toISOString());
  const range = { from: from ?? now, until: until ?? now };
  const spanMs = Date.parse(range.until) - Date.parse(range.from);
  const { data } = useQuery({ ...shiftsQuery(name, range), enabled: spanMs > 0 && spanMs <= MOST_MS });
  if (!data || spanMs <= 0) return null;
  const { rows } = data;
  return (
    <div>
      <b>{t.onCall.replaces}</b>
      <ul className="plain">
        {rows.slice(0, MOST_LISTED).map((shift) => (
          <li key={shift.from}>{shiftText(shift, zone)}</li>
        ))}
      </ul>
      {rows.length > MOST_LISTED && <p className="muted tight">{t.onCall.more(rows.length - MOST_LISTED)}</p>}
    </div>
  );
}
