import { Modal, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { createKey } from "../../api/keys.ts";
import { FormButtons } from "../../parts/form-buttons.tsx";
import { FormFault, fieldFaults } from "../../parts/form-fault.tsx";
import { t } from "../../texts/texts.ts";
import type { Revealed } from "./secrets-of.ts";

interface CreateKeyProps {
  readonly onCreated: (created: Revealed) => void;
  readonly onClose: () => void;
}

const kinds = ["account", "smtp", "deliverability"] as const;
const modesOf = {
  account: ["full", "send_only", "alerts_only"],
  smtp: ["full"],
  deliverability: ["full"],
} as const;

/** Makes a key. Its secret goes to the dialog that shows it once. */
export function CreateKey({ onCreated, onClose }: CreateKeyProps) {
  const form = useForm({
    initialValues: {
      name: "",
      kind: "account" as (typeof kinds)[number],
      scope_mode: "full" as string,
      senders: [] as string[],
      allowed_addresses: [] as string[],
      expires_at: "",
    },
  });
  const create = useMutation({
    mutationFn: createKey,
    onSuccess: onCreated,
    onError: (error) => form.setErrors(fieldFaults(error)),
  });
  const modes: readonly (keyof typeof t.keys.modes)[] = modesOf[form.values.kind];

  const submit = form.onSubmit(({ expires_at, ...values }) => {
    const expiry = expires_at === "" ? {} : { expires_at: new Date(expires_at).toISOString() };
    if (!create.isPending) create.mutate({ ...values, ...expiry });
  });

  return (
    <Modal opened onClose={onClose} title={t.keys.create} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={t.keys.name}
            maxLength={100}
            required
            data-autofocus
            {...form.getInputProps("name")}
          />
          <Select
            label={t.keys.kind}
            data={kinds.map((value) => ({ value, label: t.keys.kinds[value] }))}
            allowDeselect={false}
            {...form.getInputProps("kind")}
            onChange={(kind) => {
              if (kind) form.setValues({ kind: kind as (typeof kinds)[number], scope_mode: "full" });
            }}
          />
          {modes.length > 1 && (
            <Select
              label={t.keys.scope}
              data={modes.map((value) => ({ value, label: t.keys.modes[value] }))}
              allowDeselect={false}
              {...form.getInputProps("scope_mode")}
            />
          )}
          <TagsInput
            label={t.keys.senders}
            description={t.keys.sendersDetail}
            {...form.getInputProps("senders")}
          />
          <TagsInput
            label={t.keys.addresses}
            description={t.keys.addressesDetail}
            {...form.getInputProps("allowed_addresses")}
          />
          <TextInput
            type="datetime-local"
            label={t.keys.expires}
            description={t.keys.expiresDetail}
            {...form.getInputProps("expires_at")}
          />
          <FormFault error={create.error} />
          <FormButtons action={t.keys.create} isPending={create.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
