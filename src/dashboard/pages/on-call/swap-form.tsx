import { TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Shift, type Swap, swapShifts } from "../../api/oncalls.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { participantOf, personName } from "./people.ts";
import { zoneTexts } from "./zone-texts.ts";

interface SwapFormProps {
  /** Name of the schedule. */
  readonly name: string;
  readonly zone: string;
  readonly first: Shift;
  readonly second: Shift;
  readonly onSwapped: () => void;
  readonly onClose: () => void;
}

/** Shows what the swap of two shifts changes, and swaps them. */
export function SwapForm({ name, zone, first, second, onSwapped, onClose }: SwapFormProps) {
  const queryClient = useQueryClient();
  const [comment, setComment] = useState("");
  const [now] = useState(() => new Date().toISOString());
  const swap = useMutation({
    mutationFn: (body: Swap) => swapShifts(name, body),
    onSuccess: async () => {
      notifications.show({ message: t.onCall.swapped, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["on-call-schedules"] });
      onSwapped();
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: ["on-call-schedules"] }),
  });
  // The past part of a shift stays.
  const [earlier, later] = [first, second]
    .toSorted((one, other) => (one.from < other.from ? -1 : 1))
    .map((shift) => ({ ...shift, ...(shift.from < now && { from: now }) }));
  if (!earlier || !later) return null;
  const changes = [
    { shift: earlier, next: later.person },
    { shift: later, next: earlier.person },
  ];
  return (
    <FormDialog
      title={t.onCall.swapTitle}
      size="lg"
      detail={t.onCall.swapDetail}
      action={t.onCall.swap}
      isPending={swap.isPending}
      error={swap.error}
      onSubmit={() =>
        swap.mutate({
          first: swapOf(earlier),
          second: swapOf(later),
          ...(comment.trim() && { comment: comment.trim() }),
        })
      }
      onClose={onClose}
    >
      {changes.map(({ shift, next }) => (
        <div key={shift.from} className="change">
          <div>{zoneTexts(zone).range(shift.from, shift.until)}</div>
          <dl className="facts">
            <dt>{t.onCall.before}</dt>
            <dd>
              <mark className="extra">{personName(shift.person)}</mark>
            </dd>
            <dt>{t.onCall.after}</dt>
            <dd>
              <mark className="lacking">{personName(next)}</mark>
            </dd>
          </dl>
        </div>
      ))}
      <p className="faint tight">{t.onCall.inZone(zone)}</p>
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

/** The server refuses the swap if another person is on call at these times. */
const swapOf = ({ from, until, person }: Shift): Swap["first"] => ({
  from,
  until,
  ...(person && { participant: participantOf(person) }),
});
