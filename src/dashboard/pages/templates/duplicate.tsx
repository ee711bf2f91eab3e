import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { duplicateTemplate } from "../../api/templates.ts";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { NameDialog } from "./name-dialog.tsx";
import type { Draft } from "./use-draft.ts";

interface DuplicateProps {
  readonly draft: Draft;
  readonly onClose: () => void;
}

/** Copies the stored template, and opens the copy. */
export function Duplicate({ draft: { base }, onClose }: DuplicateProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const duplicate = useMutation({
    mutationFn: (wanted: string) => duplicateTemplate(base.name, wanted),
    onSuccess: async (copy) => {
      void queryClient.invalidateQueries({ queryKey: ["templates"] });
      onClose();
      await navigate({ to: "/templates/$name", params: { name: copy.name } });
    },
  });
  return (
    <NameDialog
      title={t.templates.duplicateTitle(base.name)}
      detail={t.templates.duplicateDetail}
      action={t.templates.duplicate}
      proposed={`${base.name}-copy`.slice(0, 100)}
      field="new_name"
      isPending={duplicate.isPending}
      error={duplicate.error}
      onSubmit={duplicate.mutate}
      onClose={onClose}
    />
  );
}
