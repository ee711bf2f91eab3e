import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteSchedule, type Schedule, scheduleQuery } from "../../api/oncalls.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Deletes a schedule after a question. The server refuses it, with their names, while rules name the schedule. */
export function RemoveSchedule({ schedule }: { readonly schedule: Schedule }) {
  const { revision, settings } = schedule;
  const { name } = settings;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteSchedule(name, revision),
    onSuccess: async () => {
      await navigate({ to: "/on-call", ignoreBlocker: true });
      queryClient.removeQueries({ queryKey: scheduleQuery(name).queryKey });
      await queryClient.invalidateQueries({ queryKey: ["on-call-schedules"] });
    },
    // After a change by another member, the next try is based on the present revision.
    onError: () => void queryClient.invalidateQueries({ queryKey: scheduleQuery(name).queryKey }),
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t.rules.remove}
      </Button>
      {isAsking && (
        <Confirm
          title={t.onCall.removeTitle(name)}
          detail={t.onCall.removeDetail}
          action={t.rules.remove}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
