import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { type Key, renameKey } from "../../api/keys.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { nameOf } from "./name-of.ts";

/** Renames a key. */
export function RenameKey({ shown, onClose }: { readonly shown: Key; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: shown.name } });
  const rename = useMutation({
    mutationFn: ({ name }: { readonly name: string }) => renameKey(shown.id, name),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["keys"] });
      onClose();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const submit = form.onSubmit((values) => rename.mutate(values));
  return (
    <FormDialog
      title={t.keys.renameTitle(nameOf(shown))}
      action={t.keys.save}
      isPending={rename.isPending}
      error={rename.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t.keys.name}
        maxLength={100}
        required
        data-autofocus
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}
