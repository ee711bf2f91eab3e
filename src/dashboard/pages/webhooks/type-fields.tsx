import { Checkbox, Radio, Stack } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { type WebhookEventType, webhookTypesQuery } from "../../api/webhooks.ts";
import { StateView } from "../../parts/state-view.tsx";
import { ownText } from "../../texts/own-text.ts";
import { t } from "../../texts/texts.ts";
import type { SettingValues } from "./setting-values.ts";

const choices = ["all", "chosen"] as const;

/** Event types of an endpoint: all, or types of the catalogue by their groups. */
export function TypeFields({ form }: { readonly form: UseFormReturnType<SettingValues> }) {
  const { which, types } = form.values;
  const query = useQuery(webhookTypesQuery);
  return (
    <>
      <Radio.Group label={t.webhooks.which} {...form.getInputProps("which")}>
        <Stack gap="xs" mt={6}>
          {choices.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t.webhooks.choices[one]}
              description={t.webhooks.choiceDetails[one]}
            />
          ))}
        </Stack>
      </Radio.Group>
      {which === "chosen" && (
        <StateView query={query}>
          {({ data }) => (
            <div className="stack">
              {form.errors.types && (
                <p className="fault tight" role="alert">
                  {form.errors.types}
                </p>
              )}
              {[...groupsOf(data)].map(([group, members]) => (
                <TypeGroup
                  key={group}
                  group={group}
                  members={members}
                  chosen={types}
                  onChange={(next) => form.setFieldValue("types", next)}
                />
              ))}
            </div>
          )}
        </StateView>
      )}
    </>
  );
}

/** The types that endpoints can subscribe to, by group, in the order of the catalogue. */
function groupsOf(types: readonly WebhookEventType[]): ReadonlyMap<string, readonly WebhookEventType[]> {
  const groups = new Map<string, WebhookEventType[]>();
  for (const type of types) {
    if (!type.is_subscribable) continue;
    groups.set(type.group, [...(groups.get(type.group) ?? []), type]);
  }
  return groups;
}

interface TypeGroupProps {
  readonly group: string;
  readonly members: readonly WebhookEventType[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

function TypeGroup({ group, members, chosen, onChange }: TypeGroupProps) {
  const names = members.map(({ type }) => type);
  const count = names.filter((name) => chosen.includes(name)).length;
  const others = chosen.filter((name) => !names.includes(name));
  const title = group.replaceAll("_", " ");
  return (
    <fieldset className="group" aria-label={title}>
      <Checkbox
        label={<b>{t.webhooks.group(title)}</b>}
        checked={count === names.length}
        indeterminate={count > 0 && count < names.length}
        onChange={() => onChange(count === names.length ? others : [...others, ...names])}
      />
      <div className="members">
        {members.map(({ type, description }) => (
          <Checkbox
            key={type}
            label={type}
            description={ownText(t.server.eventTypes, type) ?? description}
            checked={chosen.includes(type)}
            onChange={() =>
              onChange(chosen.includes(type) ? chosen.filter((name) => name !== type) : [...chosen, type])
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
