import { Checkbox, Radio, Stack, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { t } from "../../texts/texts.ts";
import type { AccessValues } from "./access-values.ts";

const modesOf: Readonly<Record<string, readonly string[]>> = {
  account: ["send_only", "full", "alerts_only", "restricted"],
  deliverability: ["full", "restricted"],
  smtp: [],
};
const scopesOf: Readonly<Record<string, readonly string[]>> = {
  account: ["email.send", "email.read", "email.cancel", "alerts.ingest"],
  deliverability: ["intel.read", "intel.write"],
};

interface AccessFieldsProps<Values extends AccessValues> {
  readonly form: UseFormReturnType<Values>;
  readonly kind: string;
}

/** Fields for the access of a key: permissions, senders, addresses and expiry. */
export function AccessFields<Values extends AccessValues>({ form, kind }: AccessFieldsProps<Values>) {
  const modes = modesOf[kind] ?? [];
  const { scope_mode: mode } = form.values;
  return (
    <>
      {modes.length > 0 && (
        <Radio.Group label={t.keys.scope} {...form.getInputProps("scope_mode")}>
          <Stack gap="xs" mt={6}>
            {modes.map((one) => (
              <Radio key={one} value={one} label={t.keys.modes[one]} description={t.keys.modeDetails[one]} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {mode === "restricted" && modes.length > 0 && (
        <Checkbox.Group label={t.keys.chosen} {...form.getInputProps("scopes")}>
          <Stack gap="xs" mt={6}>
            {(scopesOf[kind] ?? []).map((scope) => (
              <Checkbox key={scope} value={scope} label={t.keys.scopes[scope]} description={scope} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {kind !== "deliverability" && (
        <TagsInput
          label={t.keys.senders}
          description={t.keys.sendersDetail}
          {...form.getInputProps("senders")}
        />
      )}
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
    </>
  );
}
