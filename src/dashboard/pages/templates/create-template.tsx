import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  type BuiltInTemplate,
  createTemplate,
  DEFAULT_SET,
  putDataSet,
  templateQuery,
} from "../../api/templates.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";
import { bodyOf, textOf } from "./draft-text.ts";
import { isReserved, nameFault } from "./name-fault.ts";

interface CreateTemplateProps {
  /** Template to copy with its text and example data; missing: the template begins without a text. */
  readonly builtIn?: BuiltInTemplate;
  readonly onClose: () => void;
}

/** Creates a template with a draft, and opens it. */
export function CreateTemplate({ builtIn, onClose }: CreateTemplateProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(builtIn?.name ?? "");
  const create = useMutation({
    mutationFn: async (wanted: string) => {
      const created = await createTemplate(wanted, builtIn ? bodyOf(textOf(builtIn)) : { subject: "" });
      if (!builtIn) return created;
      // The template exists now: without its example data it is still of use.
      return putDataSet(created.name, created.revision, DEFAULT_SET, builtIn.example_data).catch(() => {
        notifyProblem(new Error(t.templates.exampleNotStored));
        return created;
      });
    },
    onSuccess: async (created) => {
      queryClient.setQueryData(templateQuery(created.name).queryKey, created);
      void queryClient.invalidateQueries({ queryKey: ["templates"] });
      await navigate({ to: "/templates/$name", params: { name: created.name } });
    },
  });
  return (
    <FormDialog
      title={
        builtIn
          ? t.templates.createFrom(ownText(t.server.builtIns, builtIn.name)?.title ?? builtIn.title)
          : t.templates.createEmptyTitle
      }
      detail={t.templates.createDetail}
      action={t.templates.create}
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => {
        if (!isReserved(name)) create.mutate(name.trim());
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
        error={nameFault(name, create.error, "name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
