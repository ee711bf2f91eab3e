import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  type BuiltInTemplate,
  createTemplate,
  DEFAULT_SET,
  putDataSet,
  templateQuery,
} from "../../api/templates.ts";
import { notifyProblem } from "../../parts/problem-notice.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";
import { bodyOf, textOf } from "./draft-text.ts";
import { NameDialog } from "./name-dialog.tsx";

interface CreateTemplateProps {
  /** Template to copy with its text and example data; missing: the template begins without a text. */
  readonly builtIn?: BuiltInTemplate;
  readonly onClose: () => void;
}

/** Creates a template with a draft, and opens it. */
export function CreateTemplate({ builtIn, onClose }: CreateTemplateProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
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
    <NameDialog
      title={
        builtIn
          ? t.templates.createFrom(ownText(t.server.builtIns, builtIn.name)?.title ?? builtIn.title)
          : t.templates.createEmptyTitle
      }
      detail={t.templates.createDetail}
      action={t.templates.create}
      proposed={builtIn?.name ?? ""}
      field="name"
      isPending={create.isPending}
      error={create.error}
      onSubmit={create.mutate}
      onClose={onClose}
    />
  );
}
