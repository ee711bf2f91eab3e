import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { type Key, replaceKeyAccess } from "../../api/keys.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { AccessFields } from "./access-fields.tsx";
import { accessBody, accessOf } from "./access-values.ts";
import { nameOf } from "./name-of.ts";

/** Changes the access of a key. The server refuses the change if another member has changed the key since it was loaded. */
export function ChangeAccess({ shown, onClose }: { readonly shown: Key; readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: accessOf(shown) });
  const change = useMutation({
    mutationFn: replaceKeyAccess.bind(undefined, shown.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["keys"] });
      onClose();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const submit = form.onSubmit((values) => {
    change.mutate({ ...accessBody(values, shown.expires_at), if_revision: shown.revision });
  });
  return (
    <FormDialog
      title={t.keys.changeTitle(nameOf(shown))}
      size="lg"
      detail={t.keys.changeDetail}
      action={t.keys.save}
      isPending={change.isPending}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <AccessFields form={form} kind={shown.kind} />
    </FormDialog>
  );
}
