import { Checkbox, Radio, Stack, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useInfiniteQuery } from "@tanstack/react-query";
import { rowsOf } from "../../api/pages.ts";
import { policiesQuery } from "../../api/policies.ts";
import type { Webhook, WebhookAlgorithm } from "../../api/webhooks.ts";
import { HeaderFields } from "../../parts/header-fields.tsx";
import { useMay } from "../../parts/use-may.ts";
import { t } from "../../texts/texts.ts";
import type { SettingValues } from "./setting-values.ts";
import { TypeFields } from "./type-fields.tsx";

const algorithms: readonly WebhookAlgorithm[] = ["hmac-sha256", "ed25519"];

interface SettingFieldsProps {
  readonly form: UseFormReturnType<SettingValues>;
  /** The stored endpoint; undefined for a new one, which can have another algorithm. */
  readonly former?: Webhook;
}

/** Fields for the settings of an endpoint. */
export function SettingFields({ form, former }: SettingFieldsProps) {
  const may = useMay();
  const policies = useInfiniteQuery({ ...policiesQuery, enabled: may("policies.read") });
  return (
    <>
      <TextInput
        type="url"
        label={t.webhooks.url}
        description={t.webhooks.urlDetail}
        placeholder="https://shop.example.com/hooks/mail"
        maxLength={2_048}
        required
        {...form.getInputProps("url")}
      />
      <TextInput label={t.webhooks.description} maxLength={200} {...form.getInputProps("description")} />
      <TypeFields form={form} />
      <div className="pair">
        <TagsInput
          label={t.webhooks.tags}
          description={t.webhooks.tagsDetail}
          {...form.getInputProps("tags")}
        />
        <TagsInput
          label={t.webhooks.policies}
          description={t.webhooks.policiesDetail}
          data={rowsOf(policies.data).map(({ name }) => name)}
          {...form.getInputProps("policies")}
        />
      </div>
      <Checkbox
        label={t.webhooks.ordered}
        description={t.webhooks.orderedDetail}
        {...form.getInputProps("ordered", { type: "checkbox" })}
      />
      <TextInput
        type="number"
        min={1}
        max={1_000}
        label={t.webhooks.rate}
        description={t.webhooks.rateDetail}
        {...form.getInputProps("rate_per_second")}
      />
      <HeaderFields
        headers={form.values.headers}
        storedNames={former?.headers.map(({ name }) => name) ?? []}
        fault={form.errors.headers?.toString()}
        isMoved={former !== undefined && form.values.url.trim() !== former.url}
        onChange={(headers) => form.setFieldValue("headers", headers)}
      />
      {former === undefined && (
        <Radio.Group
          label={t.webhooks.algorithm}
          description={t.webhooks.algorithmFixed}
          {...form.getInputProps("algorithm")}
        >
          <Stack gap="xs" mt={6}>
            {algorithms.map((one) => (
              <Radio
                key={one}
                value={one}
                label={t.webhooks.algorithms[one]}
                description={t.webhooks.algorithmDetails[one]}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </>
  );
}
