import { Modal, Select, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { type Key, rotateKey } from "../../api/keys.ts";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";
import { nameOf } from "./name-of.ts";
import type { Revealed } from "./secrets-of.ts";

const DEFAULT_OVERLAP = "86400";

interface RotateKeyProps {
  readonly shown: Key;
  readonly onRotated: (created: Revealed) => void;
  readonly onClose: () => void;
}

/** Replaces a key by one with a new secret, while the present one goes on. */
export function RotateKey({ shown, onRotated, onClose }: RotateKeyProps) {
  const form = useForm({ initialValues: { overlap: DEFAULT_OVERLAP } });
  const rotate = useMutation({
    mutationFn: (overlap: string) => rotateKey(shown.id, Number(overlap)),
    onSuccess: onRotated,
  });
  const submit = form.onSubmit(({ overlap }) => {
    if (!rotate.isPending) rotate.mutate(overlap);
  });
  return (
    <Modal opened onClose={onClose} title={t.keys.rotateTitle(nameOf(shown))}>
      <form onSubmit={submit}>
        <Stack>
          <p className="muted tight">{t.keys.rotateDetail}</p>
          <Select
            label={t.keys.overlap}
            data={Object.entries(t.keys.overlaps)
              .map(([value, label]) => ({ value, label }))
              .sort((one, other) => Number(one.value) - Number(other.value))}
            allowDeselect={false}
            {...form.getInputProps("overlap")}
          />
          <FormFault error={rotate.error} />
          <FormButtons action={t.keys.rotate} isPending={rotate.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
