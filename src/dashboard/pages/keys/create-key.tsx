import { Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { createKey } from "../../api/keys.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { fieldFaults } from "../../parts/form-fault.tsx";
import { useMutation } from "../../parts/use-mutation.ts";
import { t } from "../../texts/texts.ts";
import { AccessFields } from "./access-fields.tsx";
import { accessBody, openAccess } from "./access-values.ts";
import type { Revealed } from "./secrets-of.ts";

interface CreateKeyProps {
  readonly onCreated: (created: Revealed) => void;
  readonly onClose: () => void;
}

const kinds = ["account", "smtp", "deliverability"] as const;
type Kind = (typeof kinds)[number];

/** Creates a key. Its secret goes to the dialog that shows it once. */
export function CreateKey({ onCreated, onClose }: CreateKeyProps) {
  const form = useForm({ initialValues: { name: "", kind: "account" as Kind, ...openAccess } });
  const create = useMutation({
    mutationFn: createKey,
    onSuccess: onCreated,
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const { kind } = form.values;

  const submit = form.onSubmit(({ name, kind: chosen, ...values }) => {
    const { expires_at, ...access } = accessBody(values);
    const end = expires_at === null ? {} : { expires_at };
    create.mutate({ name, kind: chosen, ...access, ...end });
  });

  return (
    <FormDialog
      title={t.keys.create}
      size="lg"
      action={t.keys.create}
      isPending={create.isPending}
      error={create.error}
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
      <Select
        label={t.keys.kind}
        description={t.keys.kindDetails[kind]}
        data={kinds.map((value) => ({ value, label: t.keys.kinds[value] ?? value }))}
        allowDeselect={false}
        {...form.getInputProps("kind")}
        onChange={(chosen) => {
          if (!chosen) return;
          const scope_mode = chosen === "deliverability" ? "full" : "send_only";
          form.setValues({ kind: chosen as Kind, scope_mode, scopes: [] });
        }}
      />
      <AccessFields form={form} kind={kind} />
    </FormDialog>
  );
}
