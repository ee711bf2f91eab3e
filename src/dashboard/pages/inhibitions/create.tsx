import { Button, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { type InhibitionContent, putInhibition } from "../../api/silences.ts";
import { faultAtOf, faultsOf } from "../../parts/drafts/draft-faults.ts";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { FormFault } from "../../parts/form-fault.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { UnsavedChanges } from "../../parts/unsaved-changes.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { inhibitionFormat } from "./content.ts";
import { Editor } from "./editor.tsx";

/** JSON pointer of the name, which is no part of the settings. */
const NAME = "/name";

/** The settings of a new inhibition, before the user changes them. */
const blank: InhibitionContent = {
  source: { match: [{ field: "event_type", op: "eq", value: "" }], any: [] },
  target: { match: [{ field: "severity", op: "lte", value: "warning" }], any: [] },
  equal: ["entity_id"],
};

/** A new inhibition. */
export function NewInhibitionPage() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const draft = useDraft(blank, "", inhibitionFormat);
  const [name, setName] = useState("");
  const ofSettings = draft.faults.filter(({ pointer }) => pointer !== NAME);
  const create = useMutation({
    // The server refuses it if the account has an inhibition with this name.
    mutationFn: (sent: InhibitionContent) => putInhibition(name.trim(), "none", sent),
    onSuccess: async (stored) => {
      notifications.show({ message: t.inhibitions.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["inhibitions"] });
      await navigate({ to: "/inhibitions/$name", params: { name: stored.name }, ignoreBlocker: true });
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    create.mutate(draft.content);
  }

  return (
    <>
      <PageHead
        title={t.inhibitions.create}
        detail={t.inhibitions.createDetail}
        above={
          <Link to="/inhibitions" className="link">
            {t.inhibitions.title}
          </Link>
        }
      />
      {/* The server validates: a field in the hidden view could not show a fault of the browser. */}
      <form className="stack" noValidate onSubmit={submit}>
        <div className="card">
          <div className="body">
            <TextInput
              label={t.inhibitions.name}
              description={t.rules.nameDetail}
              maxLength={100}
              required
              autoComplete="off"
              error={faultAtOf(draft.faults)(NAME)}
              value={name}
              onChange={({ currentTarget: { value } }) => {
                setName(value);
                draft.setFaults(ofSettings);
              }}
            />
          </div>
        </div>
        <Editor draft={{ ...draft, faults: ofSettings }} />
        <FormFault error={create.error} />
        <div className="row">
          <Button
            type="submit"
            loading={create.isPending}
            disabled={draft.fault !== undefined || name.trim() === ""}
          >
            {t.rules.createAction}
          </Button>
          {draft.fault && <span className="muted">{t.drafts.unreadable}</span>}
        </div>
      </form>
      <UnsavedChanges
        isDirty={draft.isDirty || name !== ""}
        title={t.drafts.leaveTitle}
        detail={t.inhibitions.leaveDetail}
        action={t.drafts.leave}
      />
    </>
  );
}
