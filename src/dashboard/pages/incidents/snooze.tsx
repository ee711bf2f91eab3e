import { Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Incident, snoozeIncident } from "../../api/incidents.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { faultAt } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

const MINUTE_MS = 60_000;
const minutes = ["30", "60", "240", "1440"] as const;
const OTHER = "other";

interface SnoozeProps {
  readonly incident: Pick<Incident, "id">;
  readonly onClose: () => void;
}

/** Suppresses the notices of an incident for a time. */
export function Snooze({ incident: { id }, onClose }: SnoozeProps) {
  const queryClient = useQueryClient();
  const [span, setSpan] = useState<string>("60");
  const [until, setUntil] = useState("");
  const snooze = useMutation({
    mutationFn: (at: string) => snoozeIncident(id, at),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["incidents"] });
      onClose();
    },
  });

  function submit(): void {
    const at = span === OTHER ? new Date(until) : new Date(Date.now() + Number(span) * MINUTE_MS);
    if (Number.isNaN(at.getTime())) return;
    snooze.mutate(at.toISOString());
  }

  return (
    <FormDialog
      title={t.incidents.snooze}
      detail={t.incidents.snoozeDetail}
      action={t.incidents.snooze}
      isPending={snooze.isPending}
      error={snooze.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={t.incidents.snoozeFor}
        allowDeselect={false}
        data={[
          ...minutes.map((value) => ({ value, label: t.incidents.spans[value] })),
          { value: OTHER, label: t.incidents.snoozeUntil },
        ]}
        value={span}
        onChange={(value) => value && setSpan(value)}
      />
      {span === OTHER && (
        <TextInput
          type="datetime-local"
          label={t.incidents.snoozeUntil}
          required
          error={faultAt(snooze.error, "/until")}
          value={until}
          onChange={({ currentTarget: { value } }) => setUntil(value)}
        />
      )}
    </FormDialog>
  );
}
