import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { holdPolicyQueue } from "../../api/policies.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

const MAX_REASON = 200;

interface HoldQueueProps {
  readonly name: string;
  /** Domain that the field begins with; empty: all messages of the policy. */
  readonly destination: string;
  readonly onClose: () => void;
}

/** Holds the messages of a policy, or those to one destination. */
export function HoldQueue({ name, destination, onClose }: HoldQueueProps) {
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { destination, reason: "" } });
  const hold = useMutation({
    mutationFn: (values: { readonly destination: string; readonly reason: string }) =>
      holdPolicyQueue(name, values.destination.trim(), values.reason),
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["policies", "queue", name] }),
        queryClient.invalidateQueries({ queryKey: ["attention"] }),
      ]);
      onClose();
    },
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  return (
    <FormDialog
      title={t.policies.hold}
      detail={t.policies.holdDetail}
      action={t.policies.holdOne}
      isPending={hold.isPending}
      error={hold.error}
      onSubmit={form.onSubmit((values) => hold.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={t.policies.holdDestination}
        description={t.policies.holdDestinationDetail}
        placeholder="example.org"
        autoComplete="off"
        {...form.getInputProps("destination")}
      />
      <TextInput
        label={t.policies.reason}
        description={t.policies.reasonDetail}
        maxLength={MAX_REASON}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps("reason")}
      />
    </FormDialog>
  );
}
