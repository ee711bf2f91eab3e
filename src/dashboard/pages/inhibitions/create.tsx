import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type InhibitionContent, putInhibition } from "../../api/silences.ts";
import { faultsOf } from "../../parts/drafts/draft-faults.ts";
import { NewForm } from "../../parts/drafts/new-form.tsx";
import { useDraft } from "../../parts/drafts/use-draft.ts";
import { PageHead } from "../../parts/page-head.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { inhibitionFormat } from "./content.ts";
import { Editor } from "./editor.tsx";

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
  const create = useMutation({
    // The server refuses it if the account has an inhibition with this name.
    mutationFn: ({ name, sent }: { readonly name: string; readonly sent: InhibitionContent }) =>
      putInhibition(name, "none", sent),
    onSuccess: async (stored) => {
      notifications.show({ message: t.inhibitions.saved, role: "status" });
      await queryClient.invalidateQueries({ queryKey: ["inhibitions"] });
      await navigate({ to: "/inhibitions/$name", params: { name: stored.name }, ignoreBlocker: true });
    },
    onError: (error) => draft.setFaults(faultsOf(error)),
  });
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
      <NewForm
        draft={draft}
        nameLabel={t.inhibitions.name}
        leaveDetail={t.inhibitions.leaveDetail}
        create={create}
        onCreate={(name) => create.mutate({ name, sent: draft.content })}
        editor={(edited) => <Editor draft={edited} />}
      />
    </>
  );
}
