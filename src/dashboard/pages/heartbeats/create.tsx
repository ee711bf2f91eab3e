import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { createHeartbeat, type RevealedHeartbeat } from "../../api/heartbeats.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { blank, heartbeatFormat, sentOf } from "./content.ts";
import { HeartbeatForm } from "./heartbeat-form.tsx";
import { TokenOnce } from "./token-once.tsx";

/** Creates a heartbeat, shows the URL of its pings once, and leads to the page that waits for the first one. */
export function NewHeartbeatPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const draft = useDraft(blank, "", heartbeatFormat);
  const [revealed, setRevealed] = useState<RevealedHeartbeat>();
  const create = useMutation({
    mutationFn: createHeartbeat,
    onSuccess: (created) => {
      setRevealed(created);
      void queryClient.invalidateQueries({ queryKey: ["heartbeats"] });
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate(sentOf(draft.content));
  }

  return (
    <>
      <PageHead
        title={t.heartbeats.create}
        detail={t.heartbeats.createDetail}
        above={
          <Link to="/heartbeats" className="link">
            {t.heartbeats.title}
          </Link>
        }
      />
      {/* The server validates, and its faults are shown at their fields. */}
      <form className="stack" noValidate onSubmit={submit}>
        <HeartbeatForm draft={draft} />
        <FormFault error={create.error} />
        <div className="row">
          <Button type="submit" loading={create.isPending} disabled={draft.content.name.trim() === ""}>
            {t.heartbeats.createAction}
          </Button>
        </div>
      </form>
      <UnsavedChanges
        isDirty={draft.isDirty && !create.isSuccess}
        title={t.drafts.leaveTitle}
        detail={t.heartbeats.leaveDetail}
        action={t.drafts.leave}
      />
      {revealed && (
        <TokenOnce
          title={t.heartbeats.created}
          revealed={revealed}
          onClose={() =>
            void navigate({
              to: "/heartbeats/$heartbeatId",
              params: { heartbeatId: revealed.id },
              search: { tab: "setup" },
              ignoreBlocker: true,
            })
          }
        />
      )}
    </>
  );
}
