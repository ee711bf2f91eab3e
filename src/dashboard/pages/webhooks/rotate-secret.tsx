import { Select } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type RevealedWebhook, rotateWebhookSecret, type Webhook } from "../../api/webhooks.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";

const DEFAULT_OVERLAP = "86400";

interface RotateSecretProps {
  readonly webhook: Webhook;
  readonly onRotated: (revealed: RevealedWebhook) => void;
  readonly onClose: () => void;
}

/** Creates a new secret. The current one signs too, for a time. */
export function RotateSecret({ webhook, onRotated, onClose }: RotateSecretProps) {
  const form = useForm({ initialValues: { overlap: DEFAULT_OVERLAP } });
  const rotate = useMutation({
    mutationFn: (overlap: string) => rotateWebhookSecret(webhook.id, Number(overlap)),
    onSuccess: onRotated,
  });
  const submit = form.onSubmit(({ overlap }) => rotate.mutate(overlap));
  return (
    <FormDialog
      title={t.webhooks.rotateTitle}
      detail={t.webhooks.rotateDetail}
      action={t.webhooks.rotate}
      isPending={rotate.isPending}
      error={rotate.error}
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
