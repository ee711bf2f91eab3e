import { notifications } from "@mantine/notifications";
import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { putSchedule, type ScheduleContent } from "../../api/oncalls.ts";
import { sessionQuery } from "../../api/session.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { NewForm } from "../../parts/drafts/new-form.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { zone } from "../../parts/time.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { blankSchedule, scheduleFormat } from "./content.ts";
import { ScheduleForm } from "./schedule-form.tsx";

/** A new on-call schedule, with the shifts that its settings result in. */
export function NewOnCallPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [blank] = useState(() => blankSchedule(session, zone));
  const draft = useDraft(blank, "", scheduleFormat);
  const create = useMutation({
    // The server refuses it if the account has a schedule with this name.
    mutationFn: ({ name, sent }: { readonly name: string; readonly sent: ScheduleContent }) =>
      putSchedule(name, "none", scheduleFormat.tidy(sent)),
    onSuccess: async ({ settings: { name } }) => {
      notifications.show({ message: t.onCall.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["on-call-schedules"] });
      await navigate({ to: "/on-call/$name", params: { name }, ignoreBlocker: true });
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });
  return (
    <>
      <PageHead
        title={t.onCall.create}
        detail={t.onCall.createDetail}
        above={
          <Link to="/on-call" className="link">
            {t.onCall.title}
          </Link>
        }
      />
      <NewForm
        draft={draft}
        nameLabel={t.onCall.name}
        leaveDetail={t.onCall.leaveDetail}
        create={create}
        onCreate={(name) => create.mutate({ name, sent: draft.content })}
        editor={(edited) => <ScheduleForm draft={edited} />}
      />
    </>
  );
}
