import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { addSuppression } from "../../api/suppressions.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

/** Adds an address by hand. Names the alert rules that mail to it, because their mail stops too. */
export function AddSuppression({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { address: "", detail: "" } });
  const add = useMutation({
    mutationFn: addSuppression,
    onSuccess: async ({ alert_rules_count }) => {
      await queryClient.invalidateQueries({ queryKey: ["suppressions"] });
      if (alert_rules_count === 0) onClose();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const rules = add.data?.alert_rules ?? [];

  return (
    <Dialog onClose={onClose} title={t.suppressions.add}>
      <form
        onSubmit={form.onSubmit((values) => {
          add.mutate(values);
        })}
      >
        <Stack>
          <TextInput
            label={t.suppressions.address}
            description={t.suppressions.addressDetail}
            required
            data-autofocus
            {...form.getInputProps("address")}
          />
          <TextInput label={t.suppressions.note} maxLength={1_000} {...form.getInputProps("detail")} />
          <FormFault error={add.error} />
          {rules.length > 0 && <p role="status">{t.suppressions.rules(rules.join(", "))}</p>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {add.isSuccess ? t.common.close : t.common.cancel}
            </Button>
            {!add.isSuccess && (
              <Button type="submit" loading={add.isPending}>
                {t.suppressions.add}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
