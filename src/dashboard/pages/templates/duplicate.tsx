import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { duplicateTemplate } from "../../api/templates.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { isReserved, nameFault } from "./name-fault.ts";
import type { Draft } from "./use-draft.ts";

interface DuplicateProps {
  readonly draft: Draft;
  readonly onClose: () => void;
}

/** Copies the stored template, and opens the copy. */
export function Duplicate({ draft: { base }, onClose }: DuplicateProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(`${base.name}-copy`.slice(0, 100));
  const duplicate = useMutation({
    mutationFn: (wanted: string) => duplicateTemplate(base.name, wanted),
    onSuccess: async (copy) => {
      void queryClient.invalidateQueries({ queryKey: ["templates"] });
      onClose();
      await navigate({ to: "/templates/$name", params: { name: copy.name } });
    },
  });
  return (
    <FormDialog
      title={t.templates.duplicateTitle(base.name)}
      detail={t.templates.duplicateDetail}
      action={t.templates.duplicate}
      isPending={duplicate.isPending}
      error={duplicate.error}
      onSubmit={() => {
        if (!isReserved(name)) duplicate.mutate(name.trim());
      }}
      onClose={onClose}
    >
      <TextInput
        label={t.templates.name}
        description={t.templates.nameDetail}
        maxLength={100}
        required
        data-autofocus
        value={name}
        error={nameFault(name, duplicate.error, "new_name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
