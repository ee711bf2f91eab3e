import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { createTarget, type RevealedTarget } from "../../api/targets.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { SecretOnce } from "../../parts/secret-once.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { blank, newTargetOf, targetFormat } from "./content.ts";
import { TargetForm } from "./target-form.tsx";

/** Creates a target, shows the secret of a webhook once, and leads to the page that tests it. */
export function NewTargetPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const draft = useDraft(blank, "", targetFormat);
  const [revealed, setRevealed] = useState<RevealedTarget>();
  const open = ({ id }: Pick<RevealedTarget, "id">) =>
    navigate({ to: "/targets/$targetId", params: { targetId: id }, ignoreBlocker: true });
  const create = useMutation({
    mutationFn: createTarget,
    onSuccess: async (created) => {
      void queryClient.invalidateQueries({ queryKey: ["alert-targets"] });
      if (created.secret !== "") return setRevealed(created);
      notifications.show({ message: t.targets.created, role: "status" });
      await open(created);
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate(newTargetOf(draft.content));
  }

  return (
    <>
      <PageHead
        title={t.targets.create}
        detail={t.targets.createDetail}
        above={
          <Link to="/targets" className="link">
            {t.targets.title}
          </Link>
        }
      />
      {/* The server validates, and its faults are shown at their fields. */}
      <form className="stack" noValidate onSubmit={submit}>
        <TargetForm draft={draft} />
        <FormFault error={create.error} />
        <div className="row">
          <Button
            type="submit"
            loading={create.isPending}
            disabled={draft.content.name.trim() === "" || !draft.content.url}
          >
            {t.targets.createAction}
          </Button>
        </div>
      </form>
      <UnsavedChanges
        isDirty={draft.isDirty && !create.isSuccess}
        title={t.drafts.leaveTitle}
        detail={t.targets.leaveDetail}
        action={t.drafts.leave}
      />
      {revealed && (
        <SecretOnce
          title={t.targets.created}
          secrets={[{ label: t.webhooks.secret, value: revealed.secret }]}
          onClose={() => void open(revealed)}
        />
      )}
    </>
  );
}
