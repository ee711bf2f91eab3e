import { Select } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type Key, rotateKey } from "../../api/keys.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { nameOf } from "./name-of.ts";
import type { Revealed } from "./secrets-of.ts";

const DEFAULT_OVERLAP = "86400";

interface RotateKeyProps {
  readonly shown: Key;
  readonly onRotated: (created: Revealed) => void;
  readonly onClose: () => void;
}

/** Replaces a key with a new one. The current key keeps working for a time. */
export function RotateKey({ shown, onRotated, onClose }: RotateKeyProps) {
  const form = useForm({ initialValues: { overlap: DEFAULT_OVERLAP } });
  const rotate = useMutation({
    mutationFn: (overlap: string) => rotateKey(shown.id, Number(overlap)),
    onSuccess: onRotated,
  });
  const submit = form.onSubmit(({ overlap }) => rotate.mutate(overlap));
  return (
    <FormDialog
      title={t.keys.rotateTitle(nameOf(shown))}
      detail={t.keys.rotateDetail}
      action={t.keys.rotate}
      isPending={rotate.isPending}
      error={rotate.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={t.keys.overlap}
        data={Object.entries(t.keys.overlaps)
          .map(([value, label]) => ({ value, label }))
          .sort((one, other) => Number(one.value) - Number(other.value))}
        allowDeselect={false}
        {...form.getInputProps("overlap")}
      />
    </FormDialog>
  );
}
