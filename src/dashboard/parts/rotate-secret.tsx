import { Select } from "@mantine/core";
import { useForm } from "@mantine/form";
import { t } from "../texts/texts.ts";
import { FormDialog } from "./form-dialog.tsx";
import { useMutation } from "./use-mutation.ts";

const DEFAULT_OVERLAP = "86400";

interface RotateSecretProps<Rotated> {
  /** @param overlapSeconds how long the current secret still signs */
  readonly rotate: (overlapSeconds: number) => Promise<Rotated>;
  readonly onRotated: (rotated: Rotated) => void;
  readonly onClose: () => void;
}

/** Creates a new secret. The current one signs too, for a time. */
export function RotateSecret<Rotated>({ rotate, onRotated, onClose }: RotateSecretProps<Rotated>) {
  const form = useForm({ initialValues: { overlap: DEFAULT_OVERLAP } });
  const rotation = useMutation({
    mutationFn: (overlap: string) => rotate(Number(overlap)),
    onSuccess: onRotated,
  });
  const submit = form.onSubmit(({ overlap }) => rotation.mutate(overlap));
  return (
    <FormDialog
      title={t.webhooks.rotateTitle}
      detail={t.webhooks.rotateDetail}
      action={t.webhooks.rotate}
      isPending={rotation.isPending}
      error={rotation.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={t.webhooks.overlap}
        data={Object.entries(t.webhooks.overlaps)
          .map(([value, label]) => ({ value, label }))
          .sort((one, other) => Number(one.value) - Number(other.value))}
        allowDeselect={false}
        {...form.getInputProps("overlap")}
      />
    </FormDialog>
  );
}
