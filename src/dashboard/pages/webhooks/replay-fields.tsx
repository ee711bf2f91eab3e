import { Checkbox, Select, TagsInput, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { webhookTypesQuery } from "../../api/webhooks.ts";
import { t } from "../../texts/texts.ts";
import type { ReplayValues } from "./replay-values.ts";

/** Range and filters of a replay. */
export function ReplayFields({ form }: { readonly form: UseFormReturnType<ReplayValues> }) {
  // It completes the field: types can be typed without it.
  const { data } = useQuery(webhookTypesQuery);
  return (
    <>
      <div className="pair">
        <TextInput
          type="datetime-local"
          step="1"
          label={t.webhooks.replay.from}
          description={t.webhooks.replay.fromDetail}
          {...form.getInputProps("from")}
        />
        <TextInput
          type="datetime-local"
          step="1"
          label={t.webhooks.replay.until}
          description={t.webhooks.replay.untilDetail}
          {...form.getInputProps("until")}
        />
      </div>
      <TagsInput
        label={t.webhooks.replay.types}
        description={t.webhooks.replay.typesDetail}
        data={data?.data.map(({ type }) => type) ?? []}
        {...form.getInputProps("types")}
      />
      <Select
        label={t.webhooks.replay.status}
        placeholder={t.common.any}
        clearable
        clearButtonProps={{ "aria-label": t.common.clear(t.webhooks.replay.status) }}
        data={Object.entries(t.deliveries.statuses).map(([value, label]) => ({ value, label }))}
        {...form.getInputProps("status")}
      />
      <Checkbox
        label={t.webhooks.replay.delivered}
        description={t.webhooks.replay.deliveredDetail}
        {...form.getInputProps("delivered", { type: "checkbox" })}
      />
    </>
  );
}
