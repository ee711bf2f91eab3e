import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { putSchedule, type Schedule, type ScheduleContent, scheduleQuery } from "../../api/oncalls.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { isStale, SaveForm } from "../../parts/drafts/save-form.tsx";
import type { Draft } from "../../parts/drafts/use-draft.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { contentOf, scheduleFormat } from "./content.ts";

interface SaveRowProps {
  readonly schedule: Schedule;
  readonly draft: Draft<ScheduleContent>;
}

/** Stores the draft. The server refuses it if another member has changed the schedule since. */
export function SaveRow({ schedule, draft }: SaveRowProps) {
  const { name } = schedule.settings;
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: ({ revision, content }: { readonly revision: string; readonly content: ScheduleContent }) =>
      putSchedule(name, revision, scheduleFormat.tidy(content)),
    onSuccess: async (stored, { content }) => {
      draft.settle(content, { base: contentOf(stored), revision: stored.revision });
      queryClient.setQueryData(scheduleQuery(name).queryKey, stored);
      notifications.show({ message: t.onCall.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["on-call-schedules"] });
    },
    onError: (error) => {
      draft.setFaults(faultsOf(error));
      if (isStale(error)) void queryClient.invalidateQueries({ queryKey: scheduleQuery(name).queryKey });
    },
  });
  return (
    <SaveForm
      draft={draft}
      stored={contentOf(schedule)}
      storedAt={schedule.updated_at}
      save={save}
      onSave={() => save.mutate({ revision: draft.revision, content: draft.content })}
      action={t.rules.save}
      detail={t.onCall.saveDetail}
    />
  );
}
